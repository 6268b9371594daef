/** Bearer → admission, answers in JSON, and the headers that say what is left of the limits. */
import { type ServiceError, toServiceError } from "../domain/errors.ts";
import { faultFields } from "../domain/log.ts";
import type { Cost, Limits } from "../domain/meter/count.ts";
import type { Admission } from "../domain/meter/meter.ts";
import { toJson } from "../domain/rendered.ts";
import type { Service } from "../domain/service.ts";
import type { AppContext } from "./request.ts";

export type Headers = Record<string, string>;

/** The secret of `Authorization: Bearer SECRET` (the scheme in any case), or null. */
export function bearer(request: Request): string | null {
  const match = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}

/**
 * Key and meter first, then `answer`; whatever it throws becomes the envelope. Every answer to a
 * known key bears the five headers.
 */
export async function admitted(
  service: Service,
  c: AppContext,
  cost: Cost,
  answer: (admission: Admission, headers: Headers) => Promise<Response> | Response,
): Promise<Response> {
  let headers: Headers = {};
  try {
    const admission = await service.meter.admit(bearer(c.req.raw), cost);
    headers = limitHeaders(admission.limits);
    c.set("caller", { brandId: admission.caller.brand.id, keyId: admission.caller.key.id });
    if (admission.refusal !== null) throw admission.refusal;
    return await answer(admission, headers);
  } catch (error) {
    return refused(service, c, error, headers);
  }
}

/** Anything thrown, as the envelope; a fault of ours goes to the log with its details. */
export function refused(
  service: Service,
  c: AppContext,
  error: unknown,
  headers: Headers = {},
): Response {
  const requestId = c.get("requestId");
  const refusal = toServiceError(error, requestId);
  if (refusal !== error) service.log.error("fault", { requestId, ...faultFields(error) });
  return errorResponse(refusal, headers);
}

/** An error in the one envelope, with the headers its code calls for. */
export function errorResponse(error: ServiceError, headers: Headers = {}): Response {
  const extra: Headers = {};
  if (error.retryAfter !== undefined) extra["retry-after"] = String(error.retryAfter);
  if (error.code === "unauthorized") extra["www-authenticate"] = "Bearer";
  return jsonResponse(error.envelope, error.status, { ...headers, ...extra });
}

export function jsonResponse(value: unknown, status: number, headers: Headers = {}): Response {
  return new Response(toJson(value), {
    status,
    headers: { ...headers, "content-type": "application/json" },
  });
}

function limitHeaders(limits: Limits): Headers {
  return {
    "x-ratelimit-limit": String(limits.perSecond),
    "x-ratelimit-remaining": String(limits.leftThisSecond),
    "x-ratelimit-reset": String(limits.resetsAt),
    "x-quota-limit": String(limits.perMonth),
    "x-quota-remaining": String(limits.leftThisMonth),
  };
}
