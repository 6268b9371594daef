/** `/media`: the images of the folder store, and the PUT of upload links. No key. */
import { Hono } from "hono";
import { ServiceError } from "../domain/foundation/errors.ts";
import { isLinkClosed } from "../domain/creations/assets/open_uploads.ts";
import type { Service } from "../domain/service/service.ts";
import { usedLink } from "../domain/media/storage/disk.ts";
import type { LocalFile, LocalFiles, UploadLink } from "../domain/media/storage/storage.ts";
import { chunksOf } from "../domain/operations/http.ts";
import type { AppEnv } from "./request.ts";

/** The bytes of a key never change, so clients may keep them. */
const CACHE = "public, max-age=31536000, immutable";

export function mediaRoutes(service: Service): Hono<AppEnv> {
  const { local } = service.storage;
  const app = new Hono<AppEnv>();
  if (local === null) return app;
  app.put("/media/uploads/:name", (c) => receive(service, local, c.req.raw));
  app.get("/media/*", async (c) => {
    const key = c.req.path.slice(1);
    const found = key.startsWith("media/") ? await local.open(key) : null;
    if (found === null) throw new ServiceError("notFound", "No such file.");
    return send(found, c.req.raw);
  });
  return app;
}

/** Takes the one PUT of an upload link. */
async function receive(
  service: Service,
  local: LocalFiles,
  request: Request,
): Promise<Response> {
  const link = await local.readLink(new URL(request.url));
  if (link === null) {
    throw new ServiceError(
      "forbidden",
      "This upload link has expired or was changed. Start another upload.",
    );
  }
  requireMatch(link, request.headers);
  if (await local.isUsed(link) || await isLinkClosed(service.kv, link.key)) throw usedLink();
  await local.receive(link, ReadableStream.from(chunksOf(request)));
  return new Response(null, { status: 200 });
}

function requireMatch(link: UploadLink, headers: Headers): void {
  const type = headers.get("content-type")?.trim().toLowerCase();
  if (type !== link.contentType) {
    throw new ServiceError("validationError", `Content-Type: must be ${link.contentType}`);
  }
  const length = headers.get("content-length");
  if (length !== null && Number(length) !== link.size) {
    throw new ServiceError("validationError", `Content-Length: must be ${link.size}`);
  }
}

function send(found: LocalFile, request: Request): Response {
  const { file, size, etag, contentType } = found;
  const headers: Record<string, string> = {
    "accept-ranges": "bytes",
    "cache-control": CACHE,
    "content-security-policy": "default-src 'none'; sandbox",
    "content-type": contentType,
    etag,
    "x-content-type-options": "nosniff",
  };
  const empty = (status: number, more: Record<string, string> = {}) => {
    file.close();
    return new Response(null, { status, headers: { ...headers, ...more } });
  };
  if (matches(request.headers.get("if-none-match"), etag)) return empty(304);
  const ifRange = request.headers.get("if-range");
  const range = ifRange === null || ifRange === etag
    ? readRange(request.headers.get("range"), size)
    : null;
  if (range === "unsatisfiable") return empty(416, { "content-range": `bytes */${size}` });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers["content-length"] = String(end - start + 1);
  if (range !== null) headers["content-range"] = `bytes ${start}-${end}/${size}`;
  const status = range === null ? 200 : 206;
  if (request.method === "HEAD") return empty(status);
  file.seekSync(start, Deno.SeekMode.Start);
  const body = range === null ? file.readable : file.readable.pipeThrough(first(end - start + 1));
  return new Response(body, { status, headers });
}

function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
}

interface Range {
  start: number;
  /** Inclusive. */
  end: number;
}

/** One range of bytes (RFC 9110, 14.2). Several ranges, or other units, are ignored. */
function readRange(header: string | null, size: number): Range | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null || match[0] === "bytes=-") return null;
  const [, from = "", to = ""] = match;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(from);
  if (to !== "" && Number(to) < start) return null;
  if (start >= size) return "unsatisfiable";
  return { start, end: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}

/** Passes on the first `length` bytes, then ends. */
function first(length: number): TransformStream<Uint8Array, Uint8Array> {
  let left = length;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
