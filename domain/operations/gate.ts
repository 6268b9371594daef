/**
 * The gate every request passes, in one order. `admit`: key → meter → limit headers → refusal.
 * `perform`: scope → input → run → output.
 */
import type { z } from "zod";
import { requireHours } from "../brands/budgets.ts";
import type { Scope } from "../brands/keys.ts";
import type { Cost } from "../brands/meter/count.ts";
import type { Caller } from "../brands/meter/meter.ts";
import { explain, ServiceError } from "../foundation/errors.ts";
import { firstProblem } from "../foundation/problems.ts";
import type { By } from "../kv/audit.ts";
import { isRepeated, type Repeated, repeated } from "../foundation/repeats.ts";
import { spanned } from "../foundation/telemetry.ts";
import type { Service } from "../service/service.ts";
import {
  bearer,
  errorResponse,
  type FaceCall,
  type HeaderFields,
  helpLink,
  limitHeaders,
  retryHeader,
} from "./http.ts";
import { runOnce } from "./once.ts";
import { type AnyOperation, type Client, type Context, Replayed, type Value } from "./operation.ts";

type Answer = Promise<Response> | Response;

/** Who performs an operation. A person has no API key, so `by` names the account instead. */
export interface Performer extends Caller {
  readonly by?: By;
}

/**
 * Checks key and meter, then lets the face answer. Whatever is thrown becomes the error envelope,
 * with the limit headers once the key is known.
 * @param answer gets the headers that every answer to this caller carries
 * @param refuse answers what the meter refuses, for a face that has its own form for refusals
 */
export async function admit(
  service: Service,
  call: FaceCall,
  cost: Cost,
  answer: (caller: Caller, headers: HeaderFields) => Answer,
  refuse: (caller: Caller, headers: HeaderFields, refusal: ServiceError) => Answer = throwRefusal,
): Promise<Response> {
  let { headers } = call;
  try {
    const { caller, limits, refusal } = await service.meter.admit(bearer(call.request), cost);
    headers = Object.assign(limitHeaders(limits), headers);
    call.note(caller);
    if (refusal === null) return await answer(caller, headers);
    return await refuse(caller, { ...headers, ...retryHeader(refusal) }, refusal);
  } catch (error) {
    const refusal = explain(error, call.requestId, service.log);
    const help = helpLink(service.settings.BASE_URL, refusal.code);
    return errorResponse(refusal, { ...headers, ...help });
  }
}

function throwRefusal(_caller: Caller, _headers: HeaderFields, refusal: ServiceError): never {
  throw refusal;
}

interface Outcome<T> {
  /** Undefined for an operation without output. */
  value: T;
  replayed: boolean;
}

/**
 * The only caller of an operation's `run`.
 * @param read returns the flat input; called only once the scope is known to suffice
 * @param once the request's Idempotency-Key, for an operation that has none in its input
 */
export function perform<Output extends z.ZodType | null>(
  service: Service,
  caller: Performer,
  operation: AnyOperation<Output>,
  read: () => Promise<unknown> | unknown,
  client: Client,
  once: string | null = null,
): Promise<Outcome<Value<Output>>> {
  const work = () => carryOut(service, caller, operation, read, client, once);
  return spanned(operation.id, { "marquee.brand": caller.brand.id }, work);
}

async function carryOut<Output extends z.ZodType | null>(
  service: Service,
  caller: Performer,
  operation: AnyOperation<Output>,
  read: () => Promise<unknown> | unknown,
  client: Client,
  once: string | null,
): Promise<Outcome<Value<Output>>> {
  requireScope(caller, operation);
  if (operation.always !== true) requireHours(caller.key, service.now());
  const input = validate(operation, await read());
  const { brand, key } = caller;
  const byKey: By = { actor: { kind: "key", id: key.id, name: key.name }, from: client };
  const by = caller.by ?? byKey;
  const context: Context = { ...service, by, brand, key, client };
  const run = async () => {
    // Validated by the operation's own schema: see `AnyOperation`.
    const result = await operation.run(context, input as never);
    const isReplayed = result instanceof Replayed;
    return { value: isReplayed ? result.value : result, replayed: isReplayed };
  };
  const outcome = once === null ? await run() : await runOnce(context, operation, once, input, run);
  if (service.checkOutput && operation.output !== null) operation.output.parse(outcome.value);
  return outcome;
}

export function mayPerform(
  scopes: readonly Scope[],
  operation: Pick<AnyOperation, "scopes">,
): boolean {
  return operation.scopes.some((scope) => scopes.includes(scope));
}

function requireScope({ key, by }: Performer, operation: Pick<AnyOperation, "scopes">): void {
  if (mayPerform(key.scopes, operation)) return;
  if (by?.actor.kind === "account") throw notWithRole(by.actor.role);
  throw new ServiceError("forbidden", `The key lacks the scope ${operation.scopes.join(" or ")}.`);
}

/**
 * Whether what the caller makes or changes waits for somebody's approval: a person who may not publish
 * may not have it published by its time either. A key is bound by what it was made for.
 */
export function waitsForApproval({ by: { actor }, key }: Pick<Context, "by" | "key">): boolean {
  return actor.kind === "account" && !key.scopes.includes("publishWrite");
}

/** The refusal of what a person's role in the brand does not include. */
export function notWithRole(role = "guest"): ServiceError {
  return new ServiceError(
    "forbidden",
    `Your role here is ${role}, and it does not include this. Ask an owner of the brand.`,
  );
}

type Input = Record<string, unknown>;

/** The second link of `foundation/repeats.ts`: repeated inputs with the operation that validated them. */
const validated = new WeakMap<Repeated<object>, { by: AnyOperation; input: Repeated<Input> }>();

function validate(operation: AnyOperation, raw: unknown): Input {
  const known = validated.get(raw as Repeated<object>);
  if (known?.by === operation) return known.input;
  if (!isRepeated(raw)) return parse(operation, raw);
  const input = repeated(parse(operation, raw));
  validated.set(raw, { by: operation, input });
  return input;
}

function parse(operation: AnyOperation, raw: unknown): Input {
  // Without `reportInput` a missing field looks like one of a wrong type.
  const { data, error } = operation.input.safeParse(raw, { reportInput: true });
  if (error !== undefined) throw new ServiceError("validationError", firstProblem(error));
  return data;
}
