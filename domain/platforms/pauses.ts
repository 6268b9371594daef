/** Pauses that a platform asks for: until then nothing is sent, because each call would lengthen them. */
import { iso } from "../foundation/calendar.ts";
import type { SocialAccount } from "./accounts.ts";
import type { PlatformError } from "./contract/wire.ts";

type Pauses = Pick<SocialAccount, "pausedUntil" | "publishPausedUntil">;

/** What an error changes. @param retryAt when Marquee may try again, ms */
export function pausesOf(
  doing: string,
  fault: PlatformError,
  retryAt: number | null,
): Pauses {
  if (fault.fault !== "rateLimited" || fault.about === "post" || retryAt === null) return {};
  // A wait that the platform named holds for every call of the account. Without one, only the resource
  // that was called is known to be throttled.
  if (fault.retryAt !== null && fault.about === "account") return { pausedUntil: iso(retryAt) };
  return doing === "publish" ? { publishPausedUntil: iso(retryAt) } : {};
}

/** The end of the pause, ms; null when the account may be called. */
export function pauseEnd(
  { pausedUntil, publishPausedUntil }: Pauses,
  doing: "metrics" | "publish",
  at: number,
): number | null {
  const ends = doing === "publish" ? [pausedUntil, publishPausedUntil] : [pausedUntil];
  const end = Math.max(0, ...ends.map((until) => until == null ? 0 : Date.parse(until)));
  return end > at ? end : null;
}
