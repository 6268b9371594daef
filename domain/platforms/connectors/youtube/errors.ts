/**
 * Classifies Google's errors (PLATFORMS C.1, C.2). Sources:
 * [reasons] https://developers.google.com/youtube/v3/docs/errors
 * [global] https://developers.google.com/youtube/v3/docs/core_errors
 * [oauth] https://developers.google.com/identity/protocols/oauth2#expiration
 * [quota] https://developers.google.com/youtube/v3/determine_quota_cost
 */
import { z } from "zod";
import { DAY, HOUR, SECOND, startOfDay } from "../../../foundation/calendar.ts";
import { type Answer, type Fault, PlatformError } from "../../contract/wire.ts";

const ApiError = z.object({
  error: z.object({
    message: z.string().default("no reason given"),
    errors: z.array(z.object({ reason: z.string() })).default([]),
  }),
});
const OAuthError = z.object({ error: z.string(), error_description: z.string().optional() });

/** quotaExceeded: [reasons]; the others: [global]. */
const RATE_REASONS = new Set(["quotaExceeded", "rateLimitExceeded", "userRateLimitExceeded"]);

export function classifyYouTube(answer: Answer, at: number): PlatformError {
  const oauth = OAuthError.safeParse(answer.body);
  if (oauth.success) {
    const { error, error_description: words } = oauth.data;
    const fault = oauthFault(answer.status, error);
    return new PlatformError(fault, `YouTube: ${words ?? error}`, {
      code: error,
      retryAt: fault === "rateLimited" ? retryAt(answer, error, at) : null,
    });
  }
  const parsed = ApiError.safeParse(answer.body);
  const reason = parsed.success ? parsed.data.error.errors[0]?.reason : undefined;
  const message = parsed.success ? parsed.data.error.message : `returned status ${answer.status}`;
  const fault = faultOf(answer.status, reason);
  return new PlatformError(fault, `YouTube: ${message}`, {
    code: reason ?? String(answer.status),
    retryAt: fault === "rateLimited" ? retryAt(answer, reason, at) : null,
  });
}

function oauthFault(status: number, error: string): Fault {
  // [oauth]: "Token has been expired or revoked."
  if (error === "invalid_grant") return "tokenDead";
  if (status === 429 || error === "rate_limit_exceeded") return "rateLimited";
  if (status === 403 || error === "access_denied") return "permission";
  return status >= 500 ? "transient" : "badRequest";
}

function faultOf(status: number, reason: string | undefined): Fault {
  // [global] by status: 401 authError and authorizationRequired, 403, 5xx backendError.
  if (status === 401) return "tokenDead";
  if (status === 429 || (reason !== undefined && RATE_REASONS.has(reason))) return "rateLimited";
  if (status === 403) return "permission";
  return status >= 500 ? "transient" : "badRequest";
}

function retryAt({ headers }: Answer, reason: string | undefined, at: number): number | null {
  if (reason === "quotaExceeded") return nextPacificMidnight(at);
  const seconds = Number(headers.get("retry-after") ?? 0);
  return seconds > 0 ? at + seconds * SECOND : null;
}

/** The next start of the quota's day [quota], which is midnight in California: 07:00 or 08:00 UTC. */
export function nextPacificMidnight(at: number): number {
  const hour = new Intl.DateTimeFormat("en-US", {
    timeZone: "America/Los_Angeles",
    hour: "numeric",
    hourCycle: "h23",
  });
  for (let day = startOfDay(at);; day += DAY) {
    for (const candidate of [day + 7 * HOUR, day + 8 * HOUR]) {
      if (candidate > at && hour.format(candidate) === "00") return candidate;
    }
  }
}
