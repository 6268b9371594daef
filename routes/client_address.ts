/** Where a request comes from, as far as that can be believed. */
import type { MiddlewareHandler } from "hono";
import type { AppContext, AppEnv } from "./request.ts";

/** A connection whose address is not known: all of these count as one client. */
const UNKNOWN = "unknown";

/** The client's IP address: the one that `believeProxy` has found, else the socket's. */
export function clientAddress(c: AppContext): string {
  const remote = c.env?.info?.remoteAddr;
  const socket = remote !== undefined && "hostname" in remote ? remote.hostname : UNKNOWN;
  return c.get("forwardedFor") ?? socket;
}

/** With TRUST_PROXY: takes the client's address from the proxy's header. */
export const believeProxy: MiddlewareHandler<AppEnv> = async (c, next) => {
  const header = c.req.header("x-forwarded-for");
  if (header !== undefined) {
    // Loaded here, because most services start without it.
    const { forwardedAddress } = await import("./networks.ts");
    const address = forwardedAddress(header);
    if (address !== null) c.set("forwardedFor", address);
  }
  await next();
};
