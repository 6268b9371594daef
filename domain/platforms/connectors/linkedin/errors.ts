/**
 * Classifies LinkedIn's errors (PLATFORMS B.6). Sources:
 * [statuses] https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling
 * [limits] https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits
 * [versions] https://learn.microsoft.com/en-us/linkedin/marketing/versioning
 * [oauth] https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens
 * [refresh] https://nango.dev/blog/linkedin-oauth-refresh-token-invalid-grant
 * [duplicate] https://github.com/Arisamiga/Linkedin-RSS/issues/5
 */
import { z } from "zod";
import { SECOND } from "../../../foundation/calendar.ts";
import { type Answer, type Fault, PlatformError } from "../../contract/wire.ts";

const Body = z.object({
  message: z.string().optional(),
  code: z.string().optional(),
  serviceErrorCode: z.number().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});
/** The only URNs in an error message that name a post, as in [duplicate]. */
const POST_URN = /urn:li:(?:share|ugcPost):\d+/;

export function classifyLinkedIn(answer: Answer, at: number): PlatformError {
  const parsed = Body.safeParse(answer.body);
  const body = parsed.success ? parsed.data : {};
  const message = body.message ?? body.error_description ?? `returned status ${answer.status}`;
  const fault = faultOf(answer.status, body.error, message);
  const code = body.code ?? body.error ?? body.serviceErrorCode ?? answer.status;
  const seconds = Number(answer.headers.get("retry-after") ?? 0);
  return new PlatformError(fault, `LinkedIn: ${message}`, {
    code: String(code),
    retryAt: fault === "rateLimited" && seconds > 0 ? at + seconds * SECOND : null,
    names: fault === "duplicate" ? POST_URN.exec(message)?.[0] ?? null : null,
  });
}

function faultOf(status: number, oauth: string | undefined, message: string): Fault {
  if (oauth !== undefined) {
    // RFC 6749, 5.2, and [oauth].
    if (status === 429) return "rateLimited";
    if (status === 403 || oauth === "access_denied") return "permission";
    // [refresh]: "Token has been expired or revoked."; "The refresh token is invalid":
    // https://github.com/schedula/laravel-passport-socialite/issues/9
    const dead = oauth === "invalid_grant" || /refresh token|revoked|expired/i.test(message);
    return status >= 500 ? "transient" : dead ? "tokenDead" : "badRequest";
  }
  // [statuses], where no other source is named.
  if (status === 401) return "tokenDead";
  if (status === 403) return "permission";
  if (status === 409) return "transient";
  // [duplicate]: "Content is a duplicate of urn:li:share:…", code DUPLICATE_POST.
  if (status === 422 && /duplicate/i.test(message)) return "duplicate";
  // [versions]: "Requested version 20240901 is not active", code NONEXISTENT_VERSION.
  if (status === 426) return "versionOver";
  // [limits]: "Resource level throttle limit for calls to this resource is reached."
  if (status === 429) return "rateLimited";
  return status >= 500 ? "transient" : "badRequest";
}
