/** Instagram's error envelope → what it means to us (PLATFORMS A.5): by code, never by status. */
import { z } from "zod";
import { HOUR, MINUTE, SECOND } from "../../calendar.ts";
import { type Answer, type Fault, PlatformError } from "../wire.ts";

const Envelope = z.object({
  error: z.object({
    message: z.string().default("no reason given"),
    code: z.number().default(0),
    error_subcode: z.number().optional(),
    is_transient: z.boolean().optional(),
    error_user_msg: z.string().nullish(),
  }),
});
/** How api.instagram.com refuses an OAuth exchange. */
const OAuthRefusal = z.object({ error_type: z.string(), error_message: z.string() });
const Usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().default(0) })),
);

const ACTION_BLOCKED = 2207051;
export const CONTAINER_NOT_FOUND = 2207008;
export const MEDIA_EXPIRED = 2207020;
const NOT_FETCHABLE = 2207052;
const PUBLISH_QUOTA = 2207042;
const PRE_BUSINESS_MEDIA = 2108006;
const OBJECT_MISSING = 33;

const RATE_LIMITS = new Set([4, 17, 32, 613, 341, 80001, 80002]);
/** The image can't be fetched, the container isn't finished, or is no more. */
const NOT_READY = new Set([9004, 9007, 24]);
const TRANSIENT_SUBCODES = new Set([2207001, 2207032, 2207053, 2207003]);

/** Whether a new container may fare better than the one that failed by this subcode. */
export function isPassing(subcode: number): boolean {
  return TRANSIENT_SUBCODES.has(subcode) || subcode === MEDIA_EXPIRED || subcode === NOT_FETCHABLE;
}

export function classifyInstagram(answer: Answer, at: number): PlatformError {
  const envelope = Envelope.safeParse(answer.body);
  if (!envelope.success) return withoutEnvelope(answer, at);
  const { code, error_subcode: subcode, message, error_user_msg: userMessage } =
    envelope.data.error;
  const fault = faultOf(answer.status, envelope.data.error);
  return new PlatformError(fault, `Instagram: ${userMessage ?? message}`, {
    code: subcode === undefined ? String(code) : `${code}/${subcode}`,
    retryAt: fault === "rateLimited" ? regainsAt(answer, subcode, at) : null,
    names: metricNamed(message),
  });
}

function withoutEnvelope(answer: Answer, at: number): PlatformError {
  const { status } = answer;
  const refusal = OAuthRefusal.safeParse(answer.body).data;
  const fault = status === 429
    ? "rateLimited"
    : refusal === undefined || status >= 500
    ? "transient"
    : "badRequest";
  const message = refusal === undefined
    ? ` answered ${status} without a reason.`
    : `: ${refusal.error_message}`;
  return new PlatformError(fault, `Instagram${message}`, {
    code: refusal?.error_type ?? String(status),
    retryAt: fault === "rateLimited" ? regainsAt(answer, undefined, at) : null,
  });
}

function faultOf(
  status: number,
  { code, error_subcode: subcode, is_transient: transient, message }: z.output<
    typeof Envelope
  >["error"],
): Fault {
  if (code === 190 || code === 102) return "tokenDead";
  if (code === 4 && subcode === ACTION_BLOCKED) return "duplicate";
  if (RATE_LIMITS.has(code)) return "rateLimited";
  if (code === 9 && subcode === PUBLISH_QUOTA) return "rateLimited";
  if (code === 368 || code === 25) return "policy";
  if (code === 506) return "duplicate";
  if (code === 10 && /not enough viewers/i.test(message)) return "unmeasurable";
  if (code === 10 || code === 3 || (code >= 200 && code < 300)) return "permission";
  if (code === 100 && (subcode === OBJECT_MISSING || subcode === PRE_BUSINESS_MEDIA)) {
    return "unmeasurable";
  }
  if (NOT_READY.has(code)) return "notReady";
  if (subcode === MEDIA_EXPIRED) return "notReady";
  if (transient === true || code === 1 || code === 2 || code < 0) return "transient";
  if (subcode !== undefined && TRANSIENT_SUBCODES.has(subcode)) return "transient";
  return status >= 500 ? "transient" : "badRequest";
}

/** When Instagram says that calls may go on; the publishing quota moves by the hour. */
function regainsAt({ headers }: Answer, subcode: number | undefined, at: number): number | null {
  if (subcode === PUBLISH_QUOTA) return at + HOUR;
  const minutes = usageMinutes(headers.get("x-business-use-case-usage"));
  if (minutes > 0) return at + minutes * MINUTE;
  const seconds = Number(headers.get("retry-after") ?? 0);
  return seconds > 0 ? at + seconds * SECOND : null;
}

function usageMinutes(header: string | null): number {
  if (header === null) return 0;
  try {
    const usage = Usage.parse(JSON.parse(header));
    const waits = Object.values(usage).flat().map((entry) => entry.estimated_time_to_regain_access);
    return Math.max(0, ...waits);
  } catch {
    return 0;
  }
}

/** The metric that a refusal quotes: "metric[0] ... (plays)", "'plays' is not supported". */
function metricNamed(message: string): string | null {
  return /\b(views|reach|shares|likes|comments|saved|replies|link_clicks)\b/.exec(message)?.[1] ??
    null;
}
