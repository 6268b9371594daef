/** Every request gets an id header and one structured log line. */
import type { Context, MiddlewareHandler } from "hono";
import type { Log } from "../domain/log.ts";

/** Who called, once the key is known: for the log line. */
export interface CallerNote {
  brandId: string;
  keyId: string;
}

export interface AppEnv {
  Variables: { requestId: string; caller?: CallerNote };
}

export type AppContext = Context<AppEnv>;

/** Names the request and logs its method, path (never its query), status and milliseconds. */
export function requestLine(log: Log): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now();
    const requestId = crypto.randomUUID();
    c.set("requestId", requestId);
    await next();
    c.header("x-request-id", requestId);
    // The local platforms are no service of ours: their traffic would drown it.
    const write = c.req.path.startsWith("/sandbox/") ? log.debug : log.info;
    write("request", {
      requestId,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
      ...c.get("caller"),
    });
  };
}
