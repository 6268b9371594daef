/** Holding an answer until something happens, for as long as the caller may still have it. */
import { isExpired } from "../brands/budgets.ts";
import { keyOfId } from "../brands/keys.ts";
import { SECOND } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { reader } from "../kv/transact.ts";
import type { WaitOptions } from "../kv/wait.ts";
import type { Context } from "./operation.ts";

/** A wait of so many seconds. It ends when the client is gone, and when its key is revoked. */
export function waitFor(context: Context, seconds: number): WaitOptions {
  const { client, stopping } = context;
  return {
    waitMs: seconds * SECOND,
    // The client's signal costs much more than most reads.
    signal: seconds === 0 ? stopping : AbortSignal.any([client.signal, stopping]),
    requireStill: () => requireValidKey(context),
  };
}

/**
 * The gate has checked the key when the call came, and the call may have waited for a minute since.
 * @throws ServiceError `unauthorized`
 */
async function requireValidKey({ kv, now, by: { actor } }: Context): Promise<void> {
  if (actor.kind !== "key") return;
  const found = await keyOfId(reader(kv), actor.id);
  if (found !== null && found.key.revokedAt === null && !isExpired(found.key, now())) return;
  throw new ServiceError("unauthorized", "The key was revoked or has expired meanwhile.");
}
