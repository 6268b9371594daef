/** What a failed call means (PLATFORMS.md D.5): worth another try or not, in words for people. */
import { SECOND } from "../../calendar.ts";
import { ModelError } from "../model.ts";

/** What an SDK error bears, read without importing the SDK. */
interface ApiFault {
  status: number;
  code: string;
  type: string;
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

/** An answer that can't be used; asked once more, it may be right. */
export function malformed(what: string, cause?: unknown): ModelError {
  return new ModelError(`The ${what} answered with something that can't be used.`, {
    transient: true,
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

/** Whether only the people who run the service can mend it: key, access, model, bill. */
export function isOperators(error: unknown): boolean {
  const fault = apiFault(error);
  return fault !== null &&
    ([401, 403, 404].includes(fault.status) || SPENT.includes(fault.code));
}

/** Whether the server has no such endpoint; a model it doesn't know is another thing. */
export function isMissingEndpoint(error: unknown): boolean {
  const fault = apiFault(error);
  return fault !== null && [404, 405, 501].includes(fault.status) &&
    fault.code !== "model_not_found";
}

function ofStatus(what: string, fault: ApiFault, cause: unknown): ModelError {
  const { status, code, type, message, headers } = fault;
  const final = (words: string) => new ModelError(words, { transient: false, cause });
  if (SPENT.includes(code)) {
    return final(
      `The service's account at the ${what}'s provider has run out of funds. ` +
        "Retry once its operator has topped it up.",
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
          "Retry once its operator has mended them.",
      );
    case 404:
      return final(
        `The ${what} that the service is set to use does not exist there (any more). ` +
          "Retry once its operator has set another.",
      );
    case 429:
      return new ModelError(`The ${what} is busy: its provider limits our rate.`, {
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

/** Seconds of a duration like `6m0s`, `1.5s` or `120ms`. */
function durationOf(value: string): number {
  const UNITS: Record<string, number> = { h: 3_600, m: 60, s: 1, ms: 0.001 };
  let seconds = 0;
  for (const [, amount, unit] of value.matchAll(/([\d.]+)(ms|h|m|s)/g)) {
    seconds += Number(amount) * UNITS[unit!]!;
  }
  return seconds;
}
