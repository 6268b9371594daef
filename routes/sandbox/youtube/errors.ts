/** Google's error bodies and reasons (PLATFORMS C.1, C.2). */
import type { SandboxOperation } from "../../../domain/platforms/sandbox/faults.ts";
import { type AnsweredFault, type Dialect, Refusal } from "../wire.ts";

const STATUS_NAMES: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

export function googleError(
  code: number,
  reason: string,
  message: string,
  domain = "youtube",
): Refusal {
  const errors = [{ message, domain, reason }];
  return new Refusal(code, { error: { code, message, errors, status: STATUS_NAMES[code] } });
}

export const badRequest = (message: string): Refusal =>
  googleError(400, "badRequest", message, "global");

export const unsupportedQuery = (): Refusal =>
  badRequest("The query is not supported. Check the documentation for supported queries.");

export const invalidCredentials = (): Refusal =>
  googleError(
    401,
    "authError",
    "Request had invalid authentication credentials. Expected OAuth 2 access token.",
    "global",
  );

export const insufficientScopes = (): Refusal =>
  googleError(
    403,
    "insufficientPermissions",
    "Request had insufficient authentication scopes.",
    "global",
  );

export const quotaExceeded = (): Refusal =>
  googleError(
    403,
    "quotaExceeded",
    "The request cannot be completed because you have exceeded your quota.",
    "youtube.quota",
  );

/** The error body of the token endpoint. */
export const oauthError = (status: number, error: string, description: string): Refusal =>
  new Refusal(status, { error, error_description: description });

export const invalidGrant = (): Refusal =>
  oauthError(400, "invalid_grant", "Token has been expired or revoked.");

function faultRefusal(fault: AnsweredFault, operation: SandboxOperation): Refusal {
  const oauth = operation === "token";
  switch (fault) {
    case "serverError":
      return oauth
        ? oauthError(500, "internal_failure", "Backend error")
        : googleError(503, "backendError", "Backend Error", "global");
    case "rateLimited":
      return oauth ? oauthError(429, "rate_limit_exceeded", "Too many requests") : googleError(
        403,
        "rateLimitExceeded",
        "The request cannot be completed because you have sent too many requests.",
        "usageLimits",
      );
    case "tokenExpired":
      return oauth ? invalidGrant() : invalidCredentials();
    case "permission":
      return oauth
        ? oauthError(403, "access_denied", "The app may not use this grant")
        : insufficientScopes();
    case "retiredMetric":
      return unsupportedQuery();
  }
}

export const YOUTUBE: Dialect = {
  platform: "youtube",
  refusal: faultRefusal,
  headers: () => ({ server: "ESF", vary: "Origin, X-Origin, Referer" }),
};
