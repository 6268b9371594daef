/** Declares tools and describes them to agents: a walk over their operations. */
import type { z } from "zod";
import type { Scope } from "../domain/brands/keys.ts";
import type { Caller } from "../domain/brands/meter/meter.ts";
import { perform } from "../domain/operations/gate.ts";
import type { AnyOperation, Value } from "../domain/operations/operation.ts";
import type { Service } from "../domain/service/service.ts";
import { answered, done } from "./answer.ts";
import type { Arguments } from "./arguments.ts";
import type { Conversation } from "./conversation.ts";
import type { Json } from "./json.ts";
import type { Asker } from "./questions.ts";
import type { Picture } from "./shown.ts";
import { inputSchema, outputSchema } from "./small_schema.ts";

/** Facts for clients that ask before they act; every tool declares all four. */
interface Hints {
  /** Changes nothing. */
  readOnly: boolean;
  /** May delete or overwrite something, or make it public. */
  destructive: boolean;
  /** A second call with the same arguments has no further effect. */
  idempotent: boolean;
  /** Reaches beyond the service: a platform, a foreign address, a model. */
  openWorld: boolean;
}

export const HINTS = {
  read: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  add: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  save: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  remove: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  ask: { readOnly: true, destructive: false, idempotent: false, openWorld: true },
  make: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  publish: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
} as const satisfies Record<string, Hints>;

/** What `tools/list` shows of a tool beside its operation. */
interface Words {
  readonly title: string;
  /** Replaces the operation's description, where that is about HTTP. */
  readonly description?: string;
  /** Added to the description: what the tool does not do, and which to call instead. */
  readonly beyond?: string;
  readonly hints: Hints;
  /**
   * Asks the person at the client, where it can ask, and returns the arguments for what was agreed.
   * Left out when the call already says by `expectedHash` what was looked at.
   */
  readonly confirm?: (
    conversation: Conversation,
    asker: Asker,
    input: Arguments,
  ) => Promise<Arguments>;
}

interface Declaration<Output extends z.ZodType | null> extends Words {
  readonly operation: AnyOperation<Output>;
  /** One short sentence for people about an answer. */
  readonly say: (value: Value<Output>) => string;
  /** The pictures that an answer names. */
  readonly pictures?: (value: Value<Output>) => Picture[];
  /** An answer's picture, small enough to look at, when the arguments ask for it. */
  readonly preview?: (
    service: Service,
    caller: Caller,
    value: Value<Output>,
  ) => Promise<Uint8Array | null>;
}

interface CallOptions {
  wantsPreview: boolean;
  /** A sentence to add to the answer's own, about the arguments. */
  note: string | null;
}

/** A tool as the table holds it. Only the code inside `call` knows the type of its answer. */
export interface Tool extends Words {
  readonly operation: AnyOperation;
  /**
   * Performs the operation and returns the result of `tools/call`.
   * @param read as `perform` takes it
   */
  readonly call: (
    conversation: Conversation,
    read: () => unknown,
    options: CallOptions,
  ) => Promise<Json>;
}

/** Declares a tool; `say`, `pictures` and `preview` get what its operation returns. */
export function tool<Output extends z.ZodType | null>(
  { say, pictures, preview, ...declared }: Declaration<Output>,
): Tool {
  const { operation } = declared;
  return {
    ...declared,
    call: async ({ service, caller, client }, read, { wantsPreview, note }) => {
      const { value } = await perform(service, caller, operation, read, client);
      const text = [say(value), note].filter((sentence) => sentence !== null).join(" ");
      if (operation.output === null) return done(text);
      return answered(value, {
        text,
        pictures: pictures?.(value) ?? [],
        preview: wantsPreview ? await preview?.(service, caller, value) ?? null : null,
      });
    },
  };
}

/** Either scope is enough for tools that read (spec 4.8). */
export const READ: readonly Scope[] = ["postsRead", "createRead"];

/** The same operation for other scopes, any of which is enough. */
export function withScopes<Output extends z.ZodType | null>(
  operation: AnyOperation<Output>,
  scopes: readonly Scope[],
): AnyOperation<Output> {
  return { ...operation, scopes };
}

/** A tool as `tools/list` shows it. */
interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  outputSchema?: object;
  annotations: object;
}

export function describeTool(
  name: string,
  { title, operation, hints, beyond, ...tool }: Tool,
): ToolDescription {
  const { summary } = operation;
  const description = tool.description ?? operation.description;
  const answer = operation.output === null ? null : outputSchema(operation.output);
  return {
    name,
    title,
    description: [summary, description, beyond].filter(Boolean).join(" "),
    inputSchema: inputSchema(operation.input),
    ...answer === null ? {} : { outputSchema: answer },
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
  };
}
