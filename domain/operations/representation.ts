/**
 * The answer to a read as the request asks for it: with an ETag, as 304 when the client has it already,
 * compressed, with links to the pages beside it. A repeated read is served from what the first one made:
 * this is the last link of `foundation/repeats.ts`.
 */
import { toJson } from "../foundation/json.ts";
import type { Pagination } from "../foundation/paging.ts";
import { chosen, compress, compressedStream, type Encoding } from "./encodings.ts";
import { etagOf } from "./etag.ts";
import { type HeaderFields, JSON_TYPE } from "./http.ts";
import type { Streamed } from "./operation.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What was made for JSON that is kept in bytes. */
interface Kept {
  etag: string;
  /** Headers that are the same for all answers to this brand, until its plan changes. */
  fixed: HeaderFields;
  /** Cloned for each answer, because a clone shares the body: a new response would copy the bytes. */
  plain: Response;
  encoded: Map<Encoding, Response> | null;
}

/** Tells a brand's plan. */
const POLICY = "ratelimit-policy";
const PLAN_HEADERS = [POLICY, "x-ratelimit-limit", "x-quota-limit"];

const keptFor = new WeakMap<Bytes, Kept>();
const encoder = new TextEncoder();

export interface Asked {
  request: Request;
  /** Public address of the service, without a slash at its end. */
  baseUrl: string;
}

/** A JSON answer. What is not a successful read has neither ETag nor links. */
export function represented(
  asked: Asked,
  value: unknown,
  status: number,
  headers: HeaderFields,
): Response | Promise<Response> {
  const json = toJson(value);
  const { request } = asked;
  const accepted = request.headers.get("accept-encoding");
  const isRead = status === 200 && (request.method === "GET" || request.method === "HEAD");
  if (!isRead) return written(json, status, headers, accepted);
  const known = request.headers.get("if-none-match");
  if (typeof json === "string") {
    const bytes = encoder.encode(json);
    const all = { ...headers, ...described(asked, bytes, value) };
    return known !== null && names(known, all.etag)
      ? unchanged(all)
      : written(bytes, status, all, accepted);
  }
  let kept = keptFor.get(json);
  if (kept === undefined || kept.fixed[POLICY] !== headers[POLICY]) {
    kept = keep(asked, json, value, headers);
    keptFor.set(json, kept);
  }
  if (known !== null && names(known, kept.etag)) return unchanged({ ...headers, ...kept.fixed });
  return accepted === null
    ? answer(kept, kept.plain, headers)
    : encoded(kept, json, headers, accepted);
}

/** The headers that tell about the content. */
function described(
  asked: Asked,
  bytes: Bytes,
  value: unknown,
): HeaderFields & Record<"etag", string> {
  const link = linksOf(asked, value);
  const told = { "content-type": JSON_TYPE, etag: etagOf(bytes), vary: "accept-encoding" };
  return link === null ? told : { ...told, link };
}

function keep(asked: Asked, bytes: Bytes, value: unknown, headers: HeaderFields): Kept {
  const fixed = described(asked, bytes, value);
  for (const name of PLAN_HEADERS) if (name in headers) fixed[name] = headers[name] ?? "";
  return { etag: fixed.etag, fixed, plain: whole(bytes, fixed), encoded: null };
}

/** A clone loses headers that were given to the constructor (Deno 2.9), but not these. */
function whole(bytes: Bytes, fixed: HeaderFields): Response {
  const response = new Response(bytes);
  for (const name in fixed) response.headers.append(name, fixed[name] ?? "");
  return response;
}

function answer({ fixed }: Kept, made: Response, headers: HeaderFields): Response {
  const clone = made.clone();
  for (const name in headers) {
    if (!(name in fixed)) clone.headers.append(name, headers[name] ?? "");
  }
  return clone;
}

async function encoded(
  kept: Kept,
  bytes: Bytes,
  headers: HeaderFields,
  accepted: string,
): Promise<Response> {
  const encoding = await chosen(bytes, accepted);
  if (encoding === null) return answer(kept, kept.plain, headers);
  let response = kept.encoded?.get(encoding);
  if (response === undefined) {
    response = whole(await compress(bytes, encoding), {
      ...kept.fixed,
      "content-encoding": encoding,
    });
    (kept.encoded ??= new Map()).set(encoding, response);
  }
  return answer(kept, response, headers);
}

function unchanged({ "content-type": _, ...all }: HeaderFields): Response {
  return new Response(null, { status: 304, headers: all });
}

function written(
  json: Bytes | string,
  status: number,
  headers: HeaderFields,
  accepted: string | null,
): Response | Promise<Response> {
  const all: HeaderFields = { ...headers, "content-type": JSON_TYPE, vary: "accept-encoding" };
  if (accepted === null) return new Response(json, { status, headers: all });
  return compressedIfWorth(typeof json === "string" ? encoder.encode(json) : json, accepted, {
    status,
    headers: all,
  });
}

/** The bytes as an answer, in the encoding that the request's `Accept-Encoding` asks for. */
export async function compressedIfWorth(
  bytes: Bytes,
  accepted: string,
  { status, headers }: { status: number; headers: HeaderFields },
): Promise<Response> {
  const encoding = await chosen(bytes, accepted);
  if (encoding === null) return new Response(bytes, { status, headers });
  const all = { ...headers, "content-encoding": encoding };
  return new Response(await compress(bytes, encoding), { status, headers: all });
}

/** Whether `If-None-Match` names the tag. Weak tags compare equal to strong ones. */
function names(known: string, etag: string): boolean {
  const tag = etag.replace(/^W\//, "");
  return known.split(",").some((one) => {
    const name = one.trim();
    return name === "*" || name.replace(/^W\//, "") === tag;
  });
}

/** The pages before and after a page of a list (RFC 8288). */
function linksOf({ request: { url }, baseUrl }: Asked, value: unknown): string | null {
  const { pagination } = value as { pagination?: Pagination };
  if (pagination === undefined) return null;
  const { page, pageCount } = pagination;
  const next = page < pageCount ? `<${baseUrl}${pageOf(url, page + 1)}>; rel="next"` : null;
  if (page === 1 || pageCount === 0) return next;
  // From beyond the end back to the last page.
  const prev = `<${baseUrl}${pageOf(url, Math.min(page - 1, pageCount))}>; rel="prev"`;
  return next === null ? prev : `${next}, ${prev}`;
}

/** The address of another page, from its path on. Parsing the address would take longer than all else. */
function pageOf(url: string, page: number): string {
  const path = url.slice(url.indexOf("/", url.indexOf("://") + 3));
  if (PAGE.test(path)) return path.replace(PAGE, `$1${page}`);
  return `${path}${path.includes("?") ? "&" : "?"}page=${page}`;
}

const PAGE = /([?&]page=)\d+/;

/** A streamed answer ends with an error when the client takes nothing for so long, ms. */
const STALLED_MS = 60_000;

/** An answer that is sent as it is made. */
export function streamedResponse(
  request: Request,
  { pieces, leftThisMonth, onEnd }: Streamed,
  type: string,
  headers: HeaderFields,
): Response {
  const all: HeaderFields = { ...headers, "content-type": type, vary: "accept-encoding" };
  if (leftThisMonth !== undefined) all["x-quota-remaining"] = String(leftThisMonth);
  if (request.method === "HEAD") {
    onEnd();
    return new Response(null, { headers: all });
  }
  let stalled: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(stalled);
    onEnd();
  };
  const stream = new ReadableStream<Bytes>({
    async pull(controller) {
      clearTimeout(stalled);
      try {
        const { value, done } = await pieces.next();
        if (done) {
          stop();
          return controller.close();
        }
        controller.enqueue(value);
        stalled = setTimeout(() => {
          controller.error(new Error("The client stopped reading"));
          stop();
        }, STALLED_MS);
      } catch (error) {
        stop();
        controller.error(error);
      }
    },
    async cancel() {
      stop();
      await pieces.return?.();
    },
  });
  const made = compressedStream(stream, request.headers.get("accept-encoding") ?? "");
  if (made !== null) all["content-encoding"] = made.encoding;
  return new Response(made?.stream ?? stream, { headers: all });
}
