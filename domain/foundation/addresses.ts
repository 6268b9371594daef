/**
 * Addresses: the service's two, public `BASE_URL` and `ownUrl` for its own calls, and whether the
 * public internet reaches one.
 */
import type { Settings } from "./settings.ts";

type Addresses = Pick<Settings, "BASE_URL" | "ownUrl">;

/** A public address of the service, rewritten for its own calls. Other addresses are returned as is. */
export function fromInside({ BASE_URL, ownUrl }: Addresses, url: string): string {
  return moved(url, BASE_URL, ownUrl);
}

/** An address for the service's own calls, rewritten for browsers. Other addresses are returned as is. */
export function fromOutside({ BASE_URL, ownUrl }: Addresses, url: string): string {
  return moved(url, ownUrl, BASE_URL);
}

function moved(url: string, from: string, to: string): string {
  return url.startsWith(`${from}/`) ? `${to}${url.slice(from.length)}` : url;
}

/** Names that only resolve on a machine or in a private network (RFC 6761, RFC 6762, ICANN 2024). */
const PRIVATE_NAME = /^[^.]+$|(^|\.)(localhost|local|internal|home\.arpa|test|invalid)$/;

/** This machine, private networks (RFC 1918, RFC 6598, RFC 4193) and the link's own addresses. */
const PRIVATE_NUMBER =
  /^(0|10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const PRIVATE_V6 = /^\[(::1?\]|::ffff:|f[cd]|fe[89ab])/;

/** Whether an address is only reached from this machine or its network. */
export function isPrivate(url: string): boolean {
  // `URL` has written numbers out in full, so `127.1` is here as 127.0.0.1.
  const { hostname } = new URL(url);
  if (hostname.startsWith("[")) return PRIVATE_V6.test(hostname);
  if (/^[\d.]+$/.test(hostname)) return PRIVATE_NUMBER.test(hostname);
  return PRIVATE_NAME.test(hostname);
}
