/** Requests with an Idempotency-Key: the same request is answered once more, and done only once. */
import { invalid, ServiceError } from "../foundation/errors.ts";
import {
  beginOnce,
  breakOnce,
  endOnce,
  forgetOnce,
  IdempotencyKey,
  type KeyedRequest,
  keyedRequest,
} from "../kv/idempotency.ts";
import type { AnyOperation, Context } from "./operation.ts";

/** A request with an optional `idempotencyKey` among its input, for operations that keep what they made. */
export async function keyed(
  { brand, now }: Context,
  operation: string,
  key: string | undefined,
  input: unknown,
): Promise<KeyedRequest | null> {
  if (key === undefined) return null;
  return await keyedRequest({ brandId: brand.id, at: now() }, key, operation, input);
}

interface Outcome<T> {
  value: T;
  replayed: boolean;
}

/**
 * Runs the operation, or returns what it returned to the first request with this key and input. A request
 * that was refused may be sent again with its key.
 * @throws ServiceError `validationError` for a malformed key; `conflict` for a key that came with another
 *   request, or whose first request is still being worked on
 */
export async function runOnce<T>(
  { kv, brand, now, log, secrets }: Context,
  { id: operation, isSecret = false }: Pick<AnyOperation, "id" | "isSecret">,
  key: string,
  input: unknown,
  run: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { error } = IdempotencyKey.safeParse(key);
  if (error !== undefined) throw invalid("idempotencyKey", error.issues[0]?.message ?? "is wrong");
  const request = await keyedRequest({ brandId: brand.id, at: now() }, key, operation, input);
  const begun = await beginOnce(kv, request);
  // This operation's own answer, as it was kept.
  if (begun.token === null) {
    const value = isSecret
      ? JSON.parse(await secrets.open(String(begun.value), operation))
      : begun.value ?? undefined;
    return { value: value as T, replayed: true };
  }
  try {
    const outcome = await run();
    const { value } = outcome;
    const kept = isSecret ? await secrets.seal(JSON.stringify(value), operation) : value;
    await endOnce(kv, request, begun.token, kept);
    return outcome;
  } catch (error) {
    const end = error instanceof ServiceError ? forgetOnce : breakOnce;
    await end(kv, request, begun.token).catch((fault) => {
      log.warn("idempotency", { operation, error: String(fault) });
    });
    throw error;
  }
}
