/** HTTP as both faces use it: the bearer key, JSON answers, the error envelope, the limit headers. */
import { readUpTo } from "../foundation/bytes.ts";
import { DAY, SECOND, startOfNextMonth } from "../foundation/calendar.ts";
import { type ErrorCode, ServiceError } from "../foundation/errors.ts";
import type { Limits } from "../brands/meter/count.ts";
import type { Caller } from "../brands/meter/meter.ts";
import type { Client } from "./operation.ts";
import { toJson } from "../foundation/json.ts";
import { within } from "../foundation/within.ts";

export type HeaderFields = Record<string, string>;

/** A request as a face and the gate get it. */
export interface FaceCall {
  request: Request;
  client: Client;
  requestId: string;
  /** Headers of every answer. */
  headers: HeaderFields;
  /** Tells the log who called. */
  note: (caller: Caller) => void;
}

/** A face beside REST. */
export type Face = (call: FaceCall) => Promise<Response>;

/** The secret of `Authorization: Bearer SECRET` (the scheme in any case), or null. */
export function bearer(request: Request): string | null {
  const match = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}

/** How long a whole JSON body or form may take, and how long any other body may stall, ms. */
const BODY_MS = 15 * SECOND;

/**
 * The chunks of a body as they arrive.
 * @param leftMs how long the next chunk may take; by default any of them may take 15 seconds
 * @throws ServiceError `validationError` when it breaks off or takes too long
 */
export async function* chunksOf(
  { body }: Request,
  leftMs: () => number = () => BODY_MS,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await within(leftMs(), reader.read().catch(cutShort));
      if (next === undefined) throw tooSlow();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // What was not read is dropped; the connection may be gone already.
    reader.cancel().catch(() => {});
  }
}

function tooSlow(): ServiceError {
  return new ServiceError(
    "validationError",
    `The body did not arrive within ${BODY_MS / SECOND} seconds.`,
  );
}

/** The client left before its body was complete, which is no fault of the service. */
function cutShort(cause: unknown): never {
  throw new ServiceError("validationError", "The body ended before it was complete.", { cause });
}

/** The error as the envelope, with the headers that its code needs. */
export function errorResponse(error: ServiceError, headers: HeaderFields = {}): Response {
  const all = { ...headers, ...retryHeader(error) };
  if (error.code === "unauthorized") all["www-authenticate"] = "Bearer";
  return jsonResponse(error.envelope, error.status, all);
}

/** `Retry-After` for a refusal that waiting can cure, else nothing. */
export function retryHeader({ retryAfter }: ServiceError): HeaderFields {
  return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
}

export function jsonResponse(value: unknown, status: number, headers: HeaderFields = {}): Response {
  const json = toJson(value);
  return new Response(json, { status, headers: { ...headers, "content-type": JSON_TYPE } });
}

export const JSON_TYPE = "application/json";

/** `Link` to the page of the guide that says what an error means and what to do. */
export function helpLink(baseUrl: string, code: ErrorCode): HeaderFields {
  return { link: `<${baseUrl}/docs/errors#${code.toLowerCase()}>; rel="help"` };
}

/** Larger bodies are refused unread (DECISIONS "bodies"). */
const MAX_BODY_BYTES = 256 * 1024;

/** A body of this length is read in one piece, which is faster but can't be given up half-way. */
const SMALL_BODY_BYTES = 16 * 1024;

export interface BodyLimits {
  /** Bytes; for forms that need less. */
  most?: number;
  /** How long the whole body may take, ms. */
  patienceMs?: number;
}

/**
 * The text of a JSON body or a form.
 * @throws ServiceError `validationError` for a body that is too large, too slow or not UTF-8
 */
export async function readBody(
  request: Request,
  { most = MAX_BODY_BYTES, patienceMs = BODY_MS }: BodyLimits = {},
): Promise<string> {
  const tooLarge = () => {
    const what = most === MAX_BODY_BYTES ? "256 KiB of JSON" : `${most / 1024} KiB`;
    return new ServiceError("validationError", `The body must be at most ${what}.`);
  };
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > most) throw tooLarge();
  const giveUpAt = performance.now() + patienceMs;
  // Deno's server reads no more than the announced length.
  const bytes = announced !== null && Number(announced) <= SMALL_BODY_BYTES
    ? await within(patienceMs, request.bytes().catch(cutShort))
    : await readUpTo(most, chunksOf(request, () => giveUpAt - performance.now()));
  if (bytes === undefined) throw tooSlow();
  if (bytes === null) throw tooLarge();
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ServiceError("validationError", "The body must be UTF-8.");
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** What the last answers said about a plan in a month, because most answers say the same. */
let policy = { perSecond: 0, perMonth: 0, start: 0, end: 0, text: "" };

/** The policy in force at a Unix second. */
function policyAt(second: number, { perSecond, perMonth }: Limits): typeof policy {
  const isSame = perSecond === policy.perSecond && perMonth === policy.perMonth;
  if (isSame && second >= policy.start && second < policy.end) return policy;
  const end = startOfNextMonth(second * SECOND);
  // 40 days before a month's end lie in the month before.
  const start = startOfNextMonth(end - 40 * DAY);
  const text = `"second";q=${perSecond};w=1, "month";q=${perMonth};w=${(end - start) / SECOND}`;
  return policy = { perSecond, perMonth, start: start / SECOND, end: end / SECOND, text };
}

/**
 * The five headers of every answer to a known key (spec section 8), and the same as the IETF has them
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function limitHeaders(limits: Limits): HeaderFields {
  const second = limits.resetsAt - 1;
  const { text, end } = policyAt(second, limits);
  return {
    "ratelimit-policy": text,
    "ratelimit": `"second";r=${limits.leftThisSecond};t=1, "month";r=${limits.leftThisMonth};t=${
      end - second
    }`,
    "x-ratelimit-limit": String(limits.perSecond),
    "x-ratelimit-remaining": String(limits.leftThisSecond),
    "x-ratelimit-reset": String(limits.resetsAt),
    "x-quota-limit": String(limits.perMonth),
    "x-quota-remaining": String(limits.leftThisMonth),
  };
}
