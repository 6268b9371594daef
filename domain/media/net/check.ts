/** Refuses addresses that lead into private networks, before anything is sent to them. */
import { lookup } from "node:dns/promises";
import { isPublicAddress } from "./addresses.ts";
import type { Checked } from "./connect.ts";

/** Resolves a host name to its IP addresses. Tests replace it. */
export type Resolve = (host: string) => Promise<string[]>;

/** A fault of the address. Anything else that is thrown is a failure of the host. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

export interface Guard {
  /** `host:port` pairs that are allowed although they are private. */
  allowed: readonly string[];
  resolve?: Resolve;
}

/** The address with its host's IP addresses. @throws Refusal unless all of them are public */
export async function checkAddress(
  url: URL,
  { allowed, resolve = systemResolve }: Guard,
): Promise<Checked> {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Refusal("must be an http or https address");
  }
  if (url.username !== "" || url.password !== "") {
    throw new Refusal("must not hold a user name or password");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const addresses = isLiteral(host) ? [host] : await resolveHost(resolve, host);
  if (!allowed.includes(`${url.hostname}:${port}`) && !addresses.every(isPublicAddress)) {
    throw new Refusal("must be a public address; this host is in a private or reserved network");
  }
  return { url, host, port, addresses };
}

export function parseAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new Refusal("must be an http or https address");
  return url;
}

/** The URL parser has normalized all forms of IPv4 (decimal, octal, hex, short) to four numbers. */
function isLiteral(host: string): boolean {
  return host.includes(":") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

async function resolveHost(resolve: Resolve, host: string): Promise<string[]> {
  // A failed name server counts, too: "a name that does not resolve: 400" (DECISIONS "Assets").
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new Refusal(`names a host that does not resolve: ${host}`);
  return addresses;
}

/** IPv4 first, so that a machine without an IPv6 route loses no time. */
async function systemResolve(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.sort((a, b) => a.family - b.family).map(({ address }) => address);
}
