/** LinkedIn's error bodies → what they mean to us (PLATFORMS B.6). */
import { z } from "zod";
import { SECOND } from "../../calendar.ts";
import { type Answer, type Fault, PlatformError } from "../wire.ts";

const Body = z.object({
  message: z.string().optional(),
  code: z.string().optional(),
  serviceErrorCode: z.number().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});
/** Only these name a post; anything else in a refusal does not. */
const POST_URN = /urn:li:(?:share|ugcPost):\d+/;

export function classifyLinkedIn(answer: Answer, at: number): PlatformError {
  const parsed = Body.safeParse(answer.body);
  const body = parsed.success ? parsed.data : {};
  const message = body.message ?? body.error_description ?? `answered ${answer.status}`;
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
    if (status === 429) return "rateLimited";
    if (status === 403 || oauth === "access_denied") return "permission";
    const dead = oauth === "invalid_grant" || /refresh token|revoked|expired/i.test(message);
    return status >= 500 ? "transient" : dead ? "tokenDead" : "badRequest";
  }
  if (status === 401) return "tokenDead";
  if (status === 403) return "permission";
  if (status === 409) return "transient";
  if (status === 422 && /duplicate/i.test(message)) return "duplicate";
  if (status === 429) return "rateLimited";
  return status >= 500 ? "transient" : "badRequest";
}
