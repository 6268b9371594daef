/** What both faces say on HTTP: the bearer key, JSON answers, the envelope, the limit headers. */
import { readUpTo } from "./bytes.ts";
import { ServiceError } from "./errors.ts";
import type { Limits } from "./meter/count.ts";
import type { Caller } from "./meter/meter.ts";
import { toJson } from "./rendered.ts";

export type HeaderFields = Record<string, string>;

/** A call of a face, as the request line sees it. */
export interface FaceCall {
  requestId: string;
  /** Every answer bears them. */
  headers: HeaderFields;
  /** Tells the log who called. */
  note(caller: Caller): void;
}

/** A face beside REST: a request in, an answer out. */
export type Face = (request: Request, call: FaceCall) => Promise<Response>;

/** The secret of `Authorization: Bearer SECRET` (the scheme in any case), or null. */
export function bearer(request: Request): string | null {
  const match = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}

/** A body as it comes. */
export async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* body ?? [];
  } catch (cause) {
    cutShort(cause);
  }
}

/** A client that leaves takes the rest of its body along: no fault of ours. */
function cutShort(cause: unknown): never {
  throw new ServiceError("validationError", "The body was cut short.", { cause });
}

/** An error in the one envelope, with the headers its code calls for. */
export function errorResponse(error: ServiceError, headers: HeaderFields = {}): Response {
  const extra: HeaderFields = {};
  if (error.retryAfter !== undefined) extra["retry-after"] = String(error.retryAfter);
  if (error.code === "unauthorized") extra["www-authenticate"] = "Bearer";
  return jsonResponse(error.envelope, error.status, { ...headers, ...extra });
}

export function jsonResponse(value: unknown, status: number, headers: HeaderFields = {}): Response {
  const json = toJson(value);
  if (typeof json !== "string" && status === 200) return again(json, headers);
  return new Response(json, { status, headers: { ...headers, "content-type": JSON_TYPE } });
}

const JSON_TYPE = "application/json";
const answers = new WeakMap<Uint8Array, Response>();

/** Bytes that are answered again: a clone shares its body, where each new answer would copy it. */
function again(json: Uint8Array<ArrayBuffer>, headers: HeaderFields): Response {
  let first = answers.get(json);
  if (first === undefined) {
    answers.set(json, first = new Response(json));
    // A header given to the constructor is lost on a clone's way (seen on Deno 2.9).
    first.headers.set("content-type", JSON_TYPE);
  }
  const answer = first.clone();
  for (const name in headers) answer.headers.append(name, headers[name]!);
  return answer;
}

/** Bodies beyond this are refused unread (DECISIONS "bodies"). */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * A JSON body's text.
 * @throws ServiceError `validationError` for one that is too large or no UTF-8
 */
export async function readBody(request: Request): Promise<string> {
  const tooLarge = () =>
    new ServiceError("validationError", "The body must be at most 256 KiB of JSON.");
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  // The server reads no more than was announced.
  const bytes = announced === null
    ? await readUpTo(MAX_BODY_BYTES, chunksOf(request))
    : await request.bytes().catch(cutShort);
  if (bytes === null) throw tooLarge();
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ServiceError("validationError", "The body must be UTF-8.");
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** The five headers of every answer to a known key (spec section 8). */
export function limitHeaders(limits: Limits): HeaderFields {
  return {
    "x-ratelimit-limit": String(limits.perSecond),
    "x-ratelimit-remaining": String(limits.leftThisSecond),
    "x-ratelimit-reset": String(limits.resetsAt),
    "x-quota-limit": String(limits.perMonth),
    "x-quota-remaining": String(limits.leftThisMonth),
  };
}
