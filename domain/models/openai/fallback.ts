/** Endpoints that a compatible server may lack: found out by asking, and asked again after a while. */
import { MINUTE } from "../../calendar.ts";
import type { OpenAiOptions } from "./client.ts";
import { isMissingEndpoint } from "./faults.ts";

/** A proxy's odd 404 or a rolling deploy looks the same, so it is not believed for ever. */
const MISSING_MS = 10 * MINUTE;

/** Does `first`; `second` while the server lacks the endpoint that the first one needs. */
export type Fallback = <T>(first: () => Promise<T>, second: () => Promise<T>) => Promise<T>;

/** @param endpoint its name in the log, `images/edits` say */
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
      // Only of a server that answers otherwise: one that has nothing at all is broken.
      askAgainAt = performance.now() + missingMs;
      log.warn("model.missing", { endpoint, cause: String(error) });
      return answer;
    }
  };
}
