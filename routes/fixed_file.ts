/** A file that never changes while the process runs: read once, compressed once, known by its hash. */
import { once } from "../domain/foundation/once.ts";
import type { AppContext } from "./request.ts";

interface Fixed {
  bytes: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  etag: string;
}

/** Returns a handler that serves the bytes that `read` returns, with compression and an ETag. */
export function fixedFile(
  type: string,
  read: () => Promise<Uint8Array<ArrayBuffer>>,
): (c: AppContext) => Promise<Response> {
  const file = once(() => prepare(read));
  return async (c) => {
    const { bytes, gzipped, etag } = await file();
    const isGzipped = accepts(c.req.header("accept-encoding") ?? "", "gzip");
    // Two encodings are two representations, which a strong ETag tells apart (RFC 9110, 8.8.3).
    const tag = `"${etag}${isGzipped ? "-gzip" : ""}"`;
    const headers = {
      "cache-control": "public, max-age=86400",
      etag: tag,
      vary: "accept-encoding",
    };
    const known = (c.req.header("if-none-match") ?? "").split(",").map((one) => one.trim());
    if (known.some((one) => one === "*" || one.replace(/^W\//, "") === tag)) {
      return new Response(null, { status: 304, headers });
    }
    const encoding: Record<string, string> = isGzipped ? { "content-encoding": "gzip" } : {};
    return new Response(isGzipped ? gzipped : bytes, {
      headers: { ...headers, ...encoding, "content-type": type },
    });
  };
}

async function prepare(read: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Fixed> {
  const bytes = await read();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  // Loaded here, so that no cold start waits for it.
  const [{ gzip }, { promisify }] = await Promise.all([import("node:zlib"), import("node:util")]);
  const gzipped = await promisify(gzip)(bytes, { level: 9 });
  return { bytes, gzipped: new Uint8Array(gzipped), etag: hash.toHex().slice(0, 32) };
}

/** Whether the header names the encoding, unless with a quality of 0. */
function accepts(header: string, encoding: string): boolean {
  return header.split(",").some((one) => {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
