/** Instagram's error bodies with their codes and subcodes (PLATFORMS A.5), and its usage headers. */
import { type AnsweredFault, type Dialect, Refusal } from "../wire.ts";
import type { SandboxOperation } from "../../../domain/platforms/sandbox/faults.ts";

interface GraphError {
  status?: number;
  code: number;
  subcode?: number;
  message: string;
  title?: string;
  userMessage?: string;
  transient?: boolean;
  type?: string;
}

export function graphError(error: GraphError, headers: Record<string, string> = {}): Refusal {
  const body = {
    error: {
      message: error.message,
      type: error.type ?? "OAuthException",
      code: error.code,
      ...(error.subcode === undefined ? {} : { error_subcode: error.subcode }),
      is_transient: error.transient ?? false,
      ...(error.title === undefined ? {} : { error_user_title: error.title }),
      ...(error.userMessage === undefined ? {} : { error_user_msg: error.userMessage }),
      fbtrace_id: traceId(),
    },
  };
  return new Refusal(error.status ?? 400, body, headers);
}

/** 100: a parameter is missing, unknown or out of range. */
export const badParameter = (message: string, subcode?: number): Refusal =>
  graphError({
    code: 100,
    message: `(#100) ${message}`,
    ...(subcode === undefined ? {} : { subcode }),
  });

/** 100/33: no such object, or one that the token may not see. */
export const noSuchObject = (id: string): Refusal =>
  graphError({
    code: 100,
    subcode: 33,
    type: "GraphMethodException",
    message: `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded ` +
      "due to missing permissions, or does not support this operation",
  });

export const sessionExpired = (): Refusal =>
  graphError({
    code: 190,
    subcode: 463,
    message: "Error validating access token: Session has expired.",
  });

export const invalidToken = (): Refusal =>
  graphError({ code: 190, subcode: 467, message: "Invalid OAuth access token." });

/** A refusal while publishing, with code and subcode of PLATFORMS A.5. */
export const publishing = (
  code: number,
  subcode: number,
  message: string,
  userMessage: string,
): Refusal => graphError({ code, subcode, message, userMessage, title: message });

export const containerGone = (id: string) =>
  publishing(
    24,
    2207008,
    "The requested resource does not exist",
    `The media builder with creation id = ${id} does not exist or has been expired.`,
  );

const MINUTES_TO_REGAIN = 5;

function usage(percent: number, minutes: number): Record<string, string> {
  const counts = { call_count: percent, total_cputime: 1, total_time: 1 };
  return {
    "x-app-usage": JSON.stringify(counts),
    "x-business-use-case-usage": JSON.stringify({
      "17841400000000000": [{
        type: "instagram",
        ...counts,
        estimated_time_to_regain_access: minutes,
      }],
    }),
  };
}

/** A metric of the request, so that a client which drops it can go on; not `views` if avoidable. */
function someMetric(request: Request): string {
  const metrics = new URL(request.url).searchParams.get("metric")?.split(",") ?? [];
  return metrics.findLast((metric) => metric !== "views") ?? metrics[0] ?? "impressions";
}

function faultRefusal(
  fault: AnsweredFault,
  operation: SandboxOperation,
  request: Request,
  minutes = MINUTES_TO_REGAIN,
): Refusal {
  switch (fault) {
    case "serverError":
      return graphError({
        status: 500,
        code: 2,
        transient: true,
        message: "An unexpected error has occurred. Please retry your request later.",
      });
    case "rateLimited":
      return graphError(
        { code: 80002, message: "(#80002) There have been too many calls to this account." },
        usage(100, minutes),
      );
    case "tokenExpired":
      return sessionExpired();
    case "permission":
      return graphError({
        status: 403,
        code: 10,
        message: "(#10) Application does not have permission for this action",
      });
    case "retiredMetric":
      return badParameter(
        operation === "metrics"
          ? retired("v26.0", someMetric(request))
          : "Tried accessing nonexisting field (insights)",
      );
  }
}

/** Meta's message for a metric that was removed. */
export const retired = (version: string, metric: string): string =>
  `Starting from version ${version} and above, the ${metric} metric is no longer supported for ` +
  "the queried media.";

export const INSTAGRAM: Dialect = {
  platform: "instagram",
  refusal: faultRefusal,
  headers: () => ({ ...usage(3, 0), "facebook-api-version": "v26.0" }),
};

function traceId(): string {
  return crypto.getRandomValues(new Uint8Array(8)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}
