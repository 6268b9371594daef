/** After which errors a post is sent again, and when. */
import { SECOND } from "../foundation/calendar.ts";
import { LOOK_FOR } from "./attempts.ts";
import { type PlatformError, UNTOLD_WAIT } from "./contract/wire.ts";

/** The wait after an error that names none. */
export const TRY_AGAIN_IN = 2 * SECOND;

/** Errors after which the attempt is repeated, and how long to wait if the platform names no wait, ms. */
export const RETRY_IN: Partial<Record<PlatformError["fault"], number>> = {
  rateLimited: UNTOLD_WAIT,
  versionOver: UNTOLD_WAIT,
  transient: TRY_AGAIN_IN,
  malformed: TRY_AGAIN_IN,
  notReady: TRY_AGAIN_IN,
  duplicate: LOOK_FOR,
};
