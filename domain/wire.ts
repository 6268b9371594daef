/** What both faces say on HTTP: the bearer key, JSON answers, the envelope, the limit headers. */
import type { ServiceError } from "./errors.ts";
import type { Limits } from "./meter/count.ts";
import type { Caller } from "./meter/meter.ts";
import { toJson } from "./rendered.ts";

export type Headers = Record<string, string>;

/** A face beside REST: a request in, an answer out; `note` tells the log who called. */
export type Face = (
  request: Request,
  call: { requestId: string; note(caller: Caller): void },
) => Promise<Response>;

/** The secret of `Authorization: Bearer SECRET` (the scheme in any case), or null. */
export function bearer(request: Request): string | null {
  const match = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "");
  return match?.[1] ?? null;
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

/** The five headers of every answer to a known key (spec section 8). */
export function limitHeaders(limits: Limits): Headers {
  return {
    "x-ratelimit-limit": String(limits.perSecond),
    "x-ratelimit-remaining": String(limits.leftThisSecond),
    "x-ratelimit-reset": String(limits.resetsAt),
    "x-quota-limit": String(limits.perMonth),
    "x-quota-remaining": String(limits.leftThisMonth),
  };
}
