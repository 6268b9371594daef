/** The one table of refusals: code → HTTP status and meaning (spec section 7). */
import { z } from "zod";
import { faultFields, type Log } from "./log.ts";
import { countUp } from "./telemetry.ts";

export const ERRORS = {
  unauthorized: { status: 401, meaning: "No key sent, or key unknown or revoked." },
  forbidden: { status: 403, meaning: "Key valid but lacks a required scope." },
  notFound: { status: 404, meaning: "No resource with that id in this brand." },
  validationError: {
    status: 400,
    meaning: "A parameter or body field is missing, malformed or out of range.",
  },
  rateLimitExceeded: {
    status: 429,
    meaning: "Per-second limit exceeded; sent with `Retry-After`.",
  },
  quotaExceeded: {
    status: 429,
    meaning: "Monthly request quota used up; clears at the start of the next month; sent with " +
      "`Retry-After`.",
  },
  creditsExhausted: { status: 402, meaning: "The brand has no image credits left this month." },
  conflict: {
    status: 409,
    meaning: "The resource is not in a state that allows the operation.",
  },
  serviceUnavailable: {
    status: 503,
    meaning: "An upstream dependency did not answer; safe to retry shortly.",
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The body of every failure. */
export const ErrorEnvelope = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string().describe("For people; may change. Branch on the code."),
  }),
});
export type ErrorEnvelope = z.output<typeof ErrorEnvelope>;

export interface ServiceErrorOptions extends ErrorOptions {
  /** Seconds the client should wait: the `Retry-After` header. */
  retryAfter?: number;
}

/** A refusal whose words a client may read. Anything else that is thrown is a fault of ours. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.retryAfter = options.retryAfter ?? (code === "serviceUnavailable" ? 5 : undefined);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get envelope(): ErrorEnvelope {
    return { error: { code: this.code, message: this.message } };
  }
}

/** The refusal of an id that this brand does not have. `noun` reads like "creation". */
export function notFound(noun: string): ServiceError {
  return new ServiceError("notFound", `No ${noun} with that id in this brand.`);
}

/** The refusal of an id that no brand has. `noun` reads like "account". */
export function noSuch(noun: string): ServiceError {
  return new ServiceError("notFound", `No ${noun} with that id.`);
}

/** The refusal of one input field: "page: must be at least 1". */
export function invalid(field: string, reason: string): ServiceError {
  return new ServiceError("validationError", `${field}: ${reason}`);
}

/**
 * The answer to anything that was thrown. A ServiceError is returned as is; the details of any other
 * fault go to the log only.
 */
export function explain(error: unknown, requestId: string, log: Log): ServiceError {
  const refusal = error instanceof ServiceError ? error : fault(error, requestId, log);
  countUp("marquee.refusals", { "marquee.code": refusal.code });
  return refusal;
}

function fault(error: unknown, requestId: string, log: Log): ServiceError {
  log.error("fault", { requestId, ...faultFields(error) });
  return new ServiceError(
    "serviceUnavailable",
    `The service failed unexpectedly. Try again; if it fails again, report request ${requestId}.`,
    { cause: error },
  );
}
