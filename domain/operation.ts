/** An operation is declared once, free of transport; REST, MCP and the reference are walks over it. */
import type { z } from "zod";
import type { ApiKey, Scope } from "./access.ts";
import type { Brand } from "./brands.ts";
import { type ErrorCode, ServiceError } from "./errors.ts";
import type { Group } from "./groups.ts";
import type { Cost } from "./meter/count.ts";
import type { Caller } from "./meter/meter.ts";
import type { Service } from "./service.ts";

/** What an operation's `run` gets: the service's doors, and who calls. */
export interface Context extends Service {
  readonly brand: Brand;
  readonly key: ApiKey;
  readonly client: Client;
}

/** Who waits for the answer. */
export interface Client {
  /** Aborts when they are gone. Read by few, and costly to make: so it stays behind its getter. */
  readonly signal: AbortSignal;
}

export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> {
  /** OpenAPI's operationId. */
  readonly id: string;
  /** Heading under which the reference lists it. */
  readonly group: Group;
  /** One sentence. */
  readonly summary: string;
  /** What else a caller should know, what it does not do included. Markdown. */
  readonly description?: string;
  /** Any one of them is enough. */
  readonly scopes: readonly Scope[];
  readonly costs: Cost;
  /** The flat object an agent would send: path, query, body and named headers together. */
  readonly input: Input;
  /** Null: nothing is answered (204). */
  readonly output: Output | null;
  /** Refusals beyond those that the gate gives for every operation. */
  readonly errors: readonly ErrorCode[];
  run(
    context: Context,
    input: z.output<Input>,
  ): Promise<z.input<Output> | Replayed<z.input<Output>> | void>;
}

/** Declares an operation; the types of `run` follow from the schemas. */
export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Operation<Input, Output>,
): Operation {
  return declaration as unknown as Operation;
}

/** An answer that repeats an earlier request's: no second effect took place. */
export class Replayed<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

export interface Outcome {
  /** Undefined for an operation without output. */
  value: unknown;
  replayed: boolean;
}

/**
 * Scope → input → run → output: the only caller of `run`. The gate's first part is `Meter.admit`.
 * @param read gives the flat input; called only once the scope is known to suffice
 */
export async function perform(
  service: Service,
  caller: Caller,
  operation: Operation,
  read: () => Promise<unknown> | unknown,
  client: Client,
): Promise<Outcome> {
  requireScope(caller, operation);
  const input = validate(operation, await read());
  const context: Context = { ...service, brand: caller.brand, key: caller.key, client };
  const result = await operation.run(context, input);
  const replayed = result instanceof Replayed;
  const value = replayed ? result.value : result;
  if (service.checkOutput && operation.output !== null) operation.output.parse(value);
  return { value, replayed };
}

export function mayPerform(scopes: readonly Scope[], operation: Operation): boolean {
  return operation.scopes.some((scope) => scopes.includes(scope));
}

function requireScope({ key }: Caller, operation: Operation): void {
  if (mayPerform(key.scopes, operation)) return;
  throw new ServiceError("forbidden", `The key lacks the scope ${operation.scopes.join(" or ")}.`);
}

/** Validated inputs of requests that come again; neither they nor the raw ones are ever changed. */
const validated = new WeakMap<object, { by: Operation; input: Record<string, unknown> }>();

/** A frozen raw input is one that may come again. */
function validate(operation: Operation, raw: unknown): Record<string, unknown> {
  const known = validated.get(raw as object);
  if (known?.by === operation) return known.input;
  // Without the input an issue can't tell a missing field from one of a wrong type.
  const parsed = operation.input.safeParse(raw, { reportInput: true });
  if (!parsed.success) throw refusal(parsed.error);
  if (typeof raw === "object" && raw !== null && Object.isFrozen(raw)) {
    validated.set(raw, { by: operation, input: Object.freeze(parsed.data) });
  }
  return parsed.data;
}

function refusal(error: z.ZodError): ServiceError {
  return new ServiceError("validationError", firstProblem(error));
}

/** The first problem of an input, in words: "perPage: must be at most 100". */
export function firstProblem(error: z.ZodError): string {
  const { path, issue } = telling(error.issues);
  const field = path.join(".");
  return field === "" ? issue.message : `${field}: ${words(issue)}`;
}

/** The issue that says most, and where it lies. */
function telling(issues: z.core.$ZodIssue[]): { path: PropertyKey[]; issue: z.core.$ZodIssue } {
  const [first, second] = issues as [z.core.$ZodIssue, z.core.$ZodIssue?];
  // Beyond what integers can be at all, a number is also beyond the field's own bound.
  if (first.code === "too_big" && first.origin === "int" && second) return telling([second]);
  const alternatives = first.code === "invalid_union" ? first.errors.at(-1) ?? [] : [];
  if (alternatives.length === 0) return { path: first.path, issue: first };
  // What else a field takes stands before the value proper: an empty string, say.
  const { path, issue } = telling(alternatives);
  return { path: [...first.path, ...path], issue };
}

const MISSING = "is required";

function words(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? MISSING : `must be ${named(issue.expected)}`;
    case "invalid_value":
      return issue.input === undefined ? MISSING : `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? `must have at least ${issue.minimum} ${
          issue.origin === "array" ? "entries" : "characters"
        }`
        : `must be at least ${issue.minimum}`;
    case "too_big":
      return issue.origin === "string" || issue.origin === "array"
        ? `must have at most ${issue.maximum} ${
          issue.origin === "array" ? "entries" : "characters"
        }`
        : `must be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function named(expected: string): string {
  const nouns: Record<string, string> = {
    int: "an integer",
    array: "an array",
    object: "an object",
    boolean: "true or false",
  };
  return nouns[expected] ?? `a ${expected}`;
}
