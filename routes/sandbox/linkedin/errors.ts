/** LinkedIn's error bodies and codes (PLATFORMS B.6). */
import type { SandboxOperation } from "../../../domain/platforms/sandbox/faults.ts";
import { type AnsweredFault, type Dialect, Refusal } from "../wire.ts";

export const apiError = (status: number, code: string, message: string): Refusal =>
  new Refusal(status, { status, code, message });

/** Tokens are refused in an older form, which adds a service error code. */
const tokenError = (serviceErrorCode: number, code: string, message: string): Refusal =>
  new Refusal(401, { status: 401, serviceErrorCode, code, message });

export const emptyToken = () =>
  tokenError(65604, "EMPTY_ACCESS_TOKEN", "Empty oauth2 access token");
export const invalidToken = () => tokenError(65600, "INVALID_ACCESS_TOKEN", "Invalid access token");
export const expiredToken = () =>
  tokenError(65602, "EXPIRED_ACCESS_TOKEN", "The token used in the request has expired");

export const accessDenied = (resource: string): Refusal =>
  new Refusal(403, {
    status: 403,
    serviceErrorCode: 100,
    code: "ACCESS_DENIED",
    message: `Not enough permissions to access: ${resource}`,
  });

export const notFound = (what: string): Refusal =>
  apiError(404, "NOT_FOUND", `${what} is not found`);

export const badValue = (field: string, reason: string): Refusal =>
  apiError(400, "INVALID_VALUE_FOR_FIELD", `ERROR :: /${field} :: ${reason}`);

export const badQuery = (reason: string): Refusal =>
  apiError(400, "ILLEGAL_ARGUMENT", `Invalid query parameters passed to request: ${reason}`);

export const tooMany = (): Refusal =>
  apiError(
    429,
    "TOO_MANY_REQUESTS",
    "Resource level throttle limit for calls to this resource is reached.",
  );

/** The error body of OAuth calls. */
export const oauthError = (status: number, error: string, description: string): Refusal =>
  new Refusal(status, { error, error_description: description });

function faultRefusal(fault: AnsweredFault, operation: SandboxOperation): Refusal {
  const oauth = operation === "token";
  switch (fault) {
    case "serverError":
      return oauth
        ? oauthError(500, "server_error", "A server error has occurred")
        : apiError(500, "INTERNAL_SERVER_ERROR", "Internal Server Error");
    case "rateLimited":
      return tooMany();
    case "tokenExpired":
      return oauth ? deadRefreshToken() : expiredToken();
    case "permission":
      return oauth
        ? oauthError(401, "access_denied", "The application is not allowed to use this grant")
        : accessDenied(`partnerApi.${operation}`);
    case "retiredMetric":
      return badQuery("a field or query type of this request is no longer supported");
  }
}

export const deadRefreshToken = (): Refusal =>
  oauthError(
    400,
    "invalid_grant",
    "The provided authorization grant or refresh token is invalid, expired or revoked.",
  );

export const LINKEDIN: Dialect = {
  platform: "linkedin",
  refusal: faultRefusal,
  headers: () => ({
    "x-li-uuid": crypto.randomUUID(),
    "x-li-request-id": crypto.randomUUID(),
    "x-li-fabric": "sandbox",
    "x-restli-protocol-version": "2.0.0",
  }),
};
