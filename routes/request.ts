/** Gives every request an id header and one structured log line. */
import type { Context, MiddlewareHandler } from "hono";
import type { Log } from "../domain/foundation/log.ts";

/** Who called, for the log line, once the key is known. */
interface CallerNote {
  brandId: string;
  keyId: string;
}

export interface AppEnv {
  /** What the server knows of the connection; absent in calls without one. */
  Bindings: { info?: Deno.ServeHandlerInfo };
  Variables: {
    requestId: string;
    caller?: CallerNote;
    named?: true;
    /** Set in lazily loaded routes, which answer HEAD like GET. */
    isHead?: true;
    /** The client's address, as a trusted proxy names it. */
    forwardedFor?: string;
  };
}

export type AppContext = Context<AppEnv>;

/** Hides keys that somebody put into a path from the log. */
function withoutKeys(path: string): string {
  return path.includes("mq_") ? path.replaceAll(/mq_\w+/g, "mq_...") : path;
}

/** Gives HEAD the length of GET's answer (RFC 9110, 8.6); Hono drops the body afterwards. */
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
    // The sandbox stands in for the platforms; its traffic would drown the service's own.
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
