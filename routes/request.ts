/** Every request gets an id header and one structured log line. */
import type { Context, MiddlewareHandler } from "hono";
import type { Log } from "../domain/log.ts";
import type { HeaderFields } from "../domain/wire.ts";

/** Who called, once the key is known: for the log line. */
export interface CallerNote {
  brandId: string;
  keyId: string;
}

export interface AppEnv {
  Variables: { requestId: string; caller?: CallerNote; named?: true };
}

export type AppContext = Context<AppEnv>;

/** The id header for an answer that is made with it: adding it to a made one costs much more. */
export function named(c: AppContext): HeaderFields {
  c.set("named", true);
  return { "x-request-id": c.get("requestId") };
}

/** A key that somebody put into a path must not stand in the log. */
function withoutKeys(path: string): string {
  return path.includes("mq_") ? path.replaceAll(/mq_\w+/g, "mq_...") : path;
}

/** HEAD tells the length that GET's answer would have (RFC 9110, 8.6); Hono drops the body later. */
async function tellLength(c: AppContext): Promise<void> {
  if (c.res.body === null || c.res.headers.has("content-length")) return;
  const { byteLength } = await c.res.clone().arrayBuffer();
  c.header("content-length", String(byteLength));
}

/** Names the request and logs its method, path (never its query), status and milliseconds. */
export function requestLine(log: Log): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now();
    const requestId = crypto.randomUUID();
    c.set("requestId", requestId);
    await next();
    if (!c.get("named")) c.header("x-request-id", requestId);
    if (c.req.method === "HEAD") await tellLength(c);
    const caller = c.get("caller");
    // The local platforms are no service of ours: their traffic would drown it.
    const write = c.req.path.startsWith("/sandbox/") ? log.debug : log.info;
    write("request", {
      requestId,
      method: c.req.method,
      path: withoutKeys(c.req.path),
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
      brandId: caller?.brandId,
      keyId: caller?.keyId,
    });
  };
}
