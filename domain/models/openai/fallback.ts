/** Falls back where a compatible server lacks an endpoint, and tries that endpoint again after a while. */
import { MINUTE } from "../../foundation/calendar.ts";
import type { OpenAiOptions } from "./client.ts";
import { isMissingEndpoint } from "./faults.ts";

/** Not for ever, because a faulty proxy or a rolling deploy may answer 404, too. */
const MISSING_MS = 10 * MINUTE;

/** Calls `first`, or `second` while the server lacks the endpoint that the first one needs. */
type Fallback = <T>(first: () => Promise<T>, second: () => Promise<T>) => Promise<T>;

/** @param endpoint its name in the log, for example `images/edits` */
export function fallback(
  { log, missingMs = MISSING_MS }: OpenAiOptions,
  endpoint: string,
): Fallback {
  let askAgainAt = 0;
  return async (first, second) => {
    if (performance.now() < askAgainAt) return await second();
    try {
      return await first();
    } catch (error) {
      if (!isMissingEndpoint(error)) throw error;
      const answer = await second();
      // Noted only after `second` succeeded: a server without either is broken, not limited.
      askAgainAt = performance.now() + missingMs;
      log.warn("model.missing", { endpoint, cause: String(error) });
      return answer;
    }
  };
}
