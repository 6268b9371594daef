/** Explains a failed call (PLATFORMS.md D.5): whether another try may succeed, in words for people. */
import { SECOND } from "../../foundation/calendar.ts";
import { ModelError } from "../model.ts";

/** The used fields of an error of the SDK, read without importing the SDK. */
interface ApiFault {
  status: number;
  code: string;
  type: string;
  param: string;
  message: string;
  headers: Headers | undefined;
  categories: string[];
}

const MODERATED = [
  "moderation_blocked",
  "content_policy_violation",
  "image_content_policy_violation",
];
const SPENT = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];

/** The failure of an unusable result. A second call may return a good one. */
export function malformed(what: string, cause?: unknown): ModelError {
  return new ModelError(`The ${what} returned something unusable.`, {
    transient: true,
    unusable: true,
    tries: 2,
    cause,
  });
}

/** @param what "image model" or "text model" */
export function faultOf(what: string, error: unknown, timedOut: boolean): ModelError {
  if (timedOut) {
    return new ModelError(`The ${what} did not answer in time.`, { transient: true, cause: error });
  }
  const fault = apiFault(error);
  if (fault !== null) return ofStatus(what, fault, error);
  if (error instanceof SyntaxError) return malformed(what, error);
  return new ModelError(`The ${what} could not be reached.`, { transient: true, cause: error });
}

/** Whether only the service's operator can fix it: key, access, model or bill. */
export function isOperators(error: unknown): boolean {
  const fault = apiFault(error);
  return fault !== null &&
    ([401, 403, 404].includes(fault.status) || SPENT.includes(fault.code));
}

/** Whether the server lacks the endpoint. An unknown model also answers 404, but with a code. */
export function isMissingEndpoint(error: unknown): boolean {
  const fault = apiFault(error);
  return fault !== null && [404, 405, 501].includes(fault.status) &&
    fault.code !== "model_not_found";
}

/** Whether the server refuses a parameter of the request, or a part of it. */
export function refusesParameter(error: unknown, name: string): boolean {
  const fault = apiFault(error);
  return fault !== null && [400, 422].includes(fault.status) &&
    (fault.param.split(".")[0] === name || fault.message.includes(name));
}

function ofStatus(what: string, fault: ApiFault, cause: unknown): ModelError {
  const { status, code, type, message, headers } = fault;
  const final = (words: string) => new ModelError(words, { transient: false, cause });
  if (SPENT.includes(code)) {
    return final(
      `The service's account at the ${what}'s provider has run out of funds. ` +
        "Retry after the service's operator has added funds.",
    );
  }
  if (MODERATED.includes(code) || (status === 400 && type === "image_generation_user_error")) {
    const grounds = fault.categories.length === 0 ? "" : ` (${fault.categories.join(", ")})`;
    const cure = what === "image model"
      ? "Post a new creation with other words or photos."
      : "Use other words.";
    return final(`The ${what} refused the prompt on safety grounds${grounds}. ${cure}`);
  }
  switch (status) {
    case 401:
    case 403:
      return final(
        `The ${what} refused the service's credentials. ` +
          "Retry after the service's operator has corrected them.",
      );
    case 404:
      return final(
        `The provider does not have the ${what} that the service is set to use. ` +
          "Retry after the service's operator has set another one.",
      );
    case 429:
      return new ModelError(`The ${what} is busy: its provider limits the service's rate.`, {
        transient: true,
        retryAfter: retryAfter(headers),
        cause,
      });
  }
  if (status >= 500 || status === 408 || status === 409) {
    return new ModelError(`The ${what}'s provider failed (${status}).`, {
      transient: true,
      retryAfter: retryAfter(headers),
      cause,
    });
  }
  return final(`The ${what} refused the request: ${message.slice(0, 300)}`);
}

function apiFault(error: unknown): ApiFault | null {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") {
    return null;
  }
  const { status, message } = error;
  const body: Record<string, unknown> = "error" in error ? recordOf(error.error) : {};
  const details = recordOf(body["moderation_details"]);
  const categories = Array.isArray(details["categories"]) ? details["categories"] : [];
  return {
    status,
    message: typeof body["message"] === "string" ? body["message"] : message,
    code: typeof body["code"] === "string" ? body["code"] : "",
    type: typeof body["type"] === "string" ? body["type"] : "",
    param: typeof body["param"] === "string" ? body["param"] : "",
    headers: "headers" in error && error.headers instanceof Headers ? error.headers : undefined,
    categories: categories.filter((category) => typeof category === "string"),
  };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

/** Seconds, from whichever header the server uses. */
function retryAfter(headers: Headers | undefined): number | undefined {
  const ms = Number(headers?.get("retry-after-ms") ?? NaN);
  if (ms >= 0) return ms / SECOND;
  const seconds = Number(headers?.get("retry-after") ?? NaN);
  if (seconds >= 0) return seconds;
  const resets = ["requests", "tokens"].map((unit) =>
    durationOf(headers?.get(`x-ratelimit-reset-${unit}`) ?? "")
  );
  const longest = Math.max(...resets);
  return longest > 0 ? longest : undefined;
}

const UNIT_SECONDS = new Map([["h", 3_600], ["m", 60], ["s", 1], ["ms", 0.001]]);

/** Seconds of a duration like `6m0s`, `1.5s` or `120ms`. */
function durationOf(value: string): number {
  let seconds = 0;
  for (const [, amount, unit = ""] of value.matchAll(/([\d.]+)(ms|h|m|s)/g)) {
    seconds += Number(amount) * (UNIT_SECONDS.get(unit) ?? 0);
  }
  return seconds;
}
