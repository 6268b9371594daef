/**
 * Classifies Instagram's errors by their code, never by the HTTP status (PLATFORMS A.5). Sources:
 * [codes] https://developers.facebook.com/docs/graph-api/guides/error-handling
 * [subcodes] https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes
 * [limits] https://developers.facebook.com/docs/graph-api/overview/rate-limiting
 * [insights] https://developers.facebook.com/docs/instagram-platform/reference/instagram-media/insights
 * [versions] https://developers.facebook.com/docs/graph-api/guides/versioning
 */
import { z } from "zod";
import { HOUR, MINUTE, SECOND } from "../../../foundation/calendar.ts";
import { type Answer, type Fault, NOT_FETCHABLE, PlatformError } from "../../contract/wire.ts";
import { metricIn } from "./refused_metric.ts";

const Envelope = z.object({
  error: z.object({
    message: z.string().default("no reason given"),
    code: z.number().default(0),
    error_subcode: z.number().optional(),
    is_transient: z.boolean().optional(),
    error_user_msg: z.string().nullish(),
  }),
});
/** The error body of an OAuth exchange at api.instagram.com. */
const OAuthRefusal = z.object({ error_type: z.string(), error_message: z.string() });
const Usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().default(0) })),
);

// [subcodes], all that begin with 2207.
const ACTION_BLOCKED = 2207051;
export const CONTAINER_NOT_FOUND = 2207008;
export const MEDIA_EXPIRED = 2207020;
export const IMAGE_NOT_FETCHED = 2207052;
const PUBLISH_QUOTA = 2207042;
/** "Media posted before business account conversion": https://github.com/airbytehq/airbyte/issues/1814 */
const PRE_BUSINESS_MEDIA = 2108006;
/** [codes], subcode of 100: "does not exist, cannot be loaded due to missing permissions". */
const OBJECT_MISSING = 33;
/** [versions]: "You are calling a deprecated version of the API." */
const DEPRECATED_VERSION = 2635;

/** [limits]; 341 is in [codes]. */
const RATE_LIMITS = new Set([4, 17, 32, 613, 341, 80001, 80002]);
/** [subcodes]: the image can't be fetched, or the container is unfinished or has expired. */
const NOT_READY = new Set([9004, 9007, 24]);
const TRANSIENT_SUBCODES = new Set([2207001, 2207032, 2207053, 2207003]);

/** Whether a new container may succeed after one that failed with this subcode. */
export function isRetryable(subcode: number): boolean {
  return TRANSIENT_SUBCODES.has(subcode) || subcode === MEDIA_EXPIRED ||
    subcode === IMAGE_NOT_FETCHED;
}

export function classifyInstagram(answer: Answer, at: number): PlatformError {
  const envelope = Envelope.safeParse(answer.body);
  if (!envelope.success) return withoutEnvelope(answer, at);
  const { code, error_subcode: subcode, message, error_user_msg: userMessage } =
    envelope.data.error;
  const fault = faultOf(answer.status, envelope.data.error);
  return new PlatformError(fault, `Instagram: ${userMessage ?? message}`, {
    code: subcode === undefined ? String(code) : `${code}/${subcode}`,
    retryAt: fault === "rateLimited" ? retryAt(answer, subcode, at) : null,
    names: subcode === IMAGE_NOT_FETCHED ? NOT_FETCHABLE : metricIn(message),
    about: subcode === PUBLISH_QUOTA ? "publishing" : "account",
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
    ? ` returned status ${status} without a reason.`
    : `: ${refusal.error_message}`;
  return new PlatformError(fault, `Instagram${message}`, {
    code: refusal?.error_type ?? String(status),
    retryAt: fault === "rateLimited" ? retryAt(answer, undefined, at) : null,
  });
}

function faultOf(
  status: number,
  { code, error_subcode: subcode, is_transient: transient, message }: z.output<
    typeof Envelope
  >["error"],
): Fault {
  // [codes], where no other source is named.
  if (code === 190 || code === 102) return "tokenDead";
  if (code === 4 && subcode === ACTION_BLOCKED) return "duplicate";
  if (RATE_LIMITS.has(code)) return "rateLimited";
  if (code === 9 && subcode === PUBLISH_QUOTA) return "rateLimited";
  if (code === 368 || code === 25) return "policy";
  if (code === 506) return "duplicate";
  // [insights]: "(#10) Not enough viewers for the media to show insights", of stories.
  if (code === 10 && /not enough viewers/i.test(message)) return "unmeasurable";
  if (code === 10 || code === 3 || (code >= 200 && code < 300)) return "permission";
  if (code === 100 && (subcode === OBJECT_MISSING || subcode === PRE_BUSINESS_MEDIA)) {
    return "unmeasurable";
  }
  if (code === DEPRECATED_VERSION) return "versionOver";
  if (NOT_READY.has(code)) return "notReady";
  if (subcode === MEDIA_EXPIRED) return "notReady";
  if (transient === true || code === 1 || code === 2 || code < 0) return "transient";
  if (subcode !== undefined && TRANSIENT_SUBCODES.has(subcode)) return "transient";
  return status >= 500 ? "transient" : "badRequest";
}

/** When Instagram takes calls again: in minutes, after [limits]. The publishing quota is a window that moves, so try hourly. */
function retryAt({ headers }: Answer, subcode: number | undefined, at: number): number | null {
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
