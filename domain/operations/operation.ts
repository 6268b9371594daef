/** An operation is declared once, without transport; REST, MCP and the reference are walks over it. */
import { z } from "zod";
import type { ApiKey, Scope } from "../brands/keys.ts";
import type { Brand } from "../brands/brands.ts";
import type { ErrorCode } from "../foundation/errors.ts";
import type { Group } from "./groups.ts";
import type { Cost } from "../brands/meter/count.ts";
import type { Service } from "../service/service.ts";

/** What an operation's `run` gets: the service's dependencies, and who calls. */
export interface Context extends Service {
  readonly brand: Brand;
  readonly key: ApiKey;
  readonly client: Client;
}

/** The client that waits for the answer. */
export interface Client {
  /** Aborts when the client disconnects. A getter, because making it costs much and few read it. */
  readonly signal: AbortSignal;
  /** Where it calls from; a getter like `signal`. */
  readonly address: string | null;
}

export interface Operation<Input extends z.ZodObject, Output extends z.ZodType | null> {
  /** OpenAPI's operationId. */
  readonly id: string;
  /** Heading under which the reference lists it. */
  readonly group: Group;
  /** One sentence. */
  readonly summary: string;
  /** What else a caller should know, including what the operation does not do. Markdown. */
  readonly description?: string;
  /** Any one of them is enough. */
  readonly scopes: readonly Scope[];
  /** Also outside the hours to which a key is limited. */
  readonly always?: boolean;
  readonly costs: Cost;
  /** Its answer holds a secret, so what is kept of it for a repeated request is sealed. */
  readonly isSecret?: boolean;
  /** The flat object an agent would send: path, query, body and named headers together. */
  readonly input: Input;
  /** Null: the operation returns nothing (204). */
  readonly output: Output;
  /** Refusals beyond those that the gate gives for every operation. */
  readonly errors: readonly ErrorCode[];
  readonly run: (context: Context, input: z.output<Input>) => Promise<Result<Output>>;
}

/** What an operation with this output returns. */
export type Value<Output extends z.ZodType | null> = Output extends z.ZodType ? z.input<Output>
  : void;

type Result<Output extends z.ZodType | null> = Value<Output> | Replayed<Value<Output>>;

/**
 * An operation of any input, as the tables hold it. Their inputs differ, so no one type of input
 * fits every `run`. Here `run` takes `never`, which nobody has: only `perform` may call it, because
 * it has just validated the input by this same operation's schema.
 */
export interface AnyOperation<Output extends z.ZodType | null = z.ZodType | null>
  extends Omit<Operation<z.ZodObject, Output>, "run"> {
  readonly run: (context: Context, input: never) => Promise<Result<Output>>;
}

/** Declares an operation; the types of `run` follow from the schemas. */
export function operation<Input extends z.ZodObject, Output extends z.ZodType | null>(
  declaration: Operation<Input, Output>,
): Operation<Input, Output> {
  return declaration;
}

/** The answer to a repeated request: the first request's answer, without a second effect. */
export class Replayed<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

/** An answer that is sent piece by piece as it is made, because it may be too large for memory. */
export class Streamed {
  readonly pieces: AsyncIterator<Uint8Array<ArrayBuffer>>;
  /** What is left of the month's quota, where making the answer has changed that. */
  readonly leftThisMonth: number | undefined;
  /** Runs once when the last piece was taken, or when nobody takes any more. */
  readonly onEnd: () => void;

  constructor(
    pieces: AsyncIterator<Uint8Array<ArrayBuffer>>,
    { leftThisMonth, onEnd }: { leftThisMonth?: number; onEnd: () => void },
  ) {
    this.pieces = pieces;
    this.leftThisMonth = leftThisMonth;
    this.onEnd = onEnd;
  }
}

/** The output of an operation whose answer is streamed as this media type, and not as JSON. */
export function streamOf(mediaType: string) {
  return z.instanceof(Streamed).meta({ type: "string", contentMediaType: mediaType });
}

/** The media type of an output. */
export function mediaTypeOf(output: z.ZodType): string {
  const type = output.meta()?.["contentMediaType"];
  return typeof type === "string" ? type : "application/json";
}
