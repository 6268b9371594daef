/** The guarded fetch, for addresses that users give us: public hosts only, checked at each step. */
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { readUpTo } from "../bytes.ts";
import { SECOND } from "../calendar.ts";
import { invalid, ServiceError } from "../errors.ts";
import { isPublicAddress } from "./addresses.ts";
import { type Checked, connect } from "./connect.ts";

/** DECISIONS "Assets". */
const MAX_REDIRECTS = 3;
const PATIENCE: Patience = { connectMs: 5 * SECOND, wholeMs: 15 * SECOND };
const REDIRECTS = [301, 302, 303, 307, 308];

/** Host name → its IP addresses; a door, so that tests can point names anywhere. */
export type Resolve = (host: string) => Promise<string[]>;

export interface GuardOptions {
  /** `host:port` pairs that may be reached although they are private. */
  allowed: readonly string[];
  resolve?: Resolve;
  patience?: Patience;
}

/** Lengths of real time, ms. */
export interface Patience {
  /** Until a connection stands, for all of a host's addresses together. */
  connectMs: number;
  /** For everything, redirects included. */
  wholeMs: number;
}

export interface FetchLimits {
  maxBytes: number;
  /** The input field that held the address, for the words of a refusal. */
  field?: string;
}

/**
 * The bytes at a public http(s) address.
 * @throws ServiceError `validationError` for what the caller can mend (a private or unknown host, a
 * 4xx, too many redirects or bytes); `serviceUnavailable` when the host fails, cuts or is too slow
 */
export type FetchPublic = (url: string, limits: FetchLimits) => Promise<Uint8Array<ArrayBuffer>>;

export function guardedFetch(
  { allowed, resolve = systemResolve, patience = PATIENCE }: GuardOptions,
): FetchPublic {
  /** Refuses an address unless every IP it stands for is public. */
  async function check(url: URL): Promise<Checked> {
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

  /** Follows redirects, each checked like the first address. */
  async function get(start: string, maxBytes: number, signal: AbortSignal) {
    let url = parse(start);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await connect(await check(url), patience.connectMs, signal);
      const target = redirectTarget(response, url);
      if (target === null) return await read(response, maxBytes);
      response.destroy();
      url = target;
    }
    throw new Refusal(`redirects more than ${MAX_REDIRECTS} times`);
  }

  return async (url, { maxBytes, field = "url" }) => {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new Error("too slow")), patience.wholeMs);
    try {
      return await Promise.race([get(url, maxBytes, abort.signal), aborted(abort.signal)]);
    } catch (error) {
      if (error instanceof Refusal) throw invalid(field, error.message);
      throw new ServiceError(
        "serviceUnavailable",
        `${field}: the host did not deliver the file; try again shortly`,
        { cause: error },
      );
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
  };
}

/** What the caller can mend; everything else that is thrown is the host's failure. */
class Refusal extends Error {
  override readonly name = "Refusal";
}

function parse(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new Refusal("must be an http or https address");
  return url;
}

/** The URL parser has turned every odd form (decimal, octal, hex, short) into four numbers. */
function isLiteral(host: string): boolean {
  return host.includes(":") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

async function resolveHost(resolve: Resolve, host: string): Promise<string[]> {
  // Also where a name server failed: "a name that does not resolve: 400" (DECISIONS "Assets").
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new Refusal(`names a host that does not resolve: ${host}`);
  return addresses;
}

/** IPv4 first: a machine without an IPv6 route then loses no time. */
async function systemResolve(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.sort((a, b) => a.family - b.family).map(({ address }) => address);
}

/** Where a redirect leads, or null when the answer is the file; other statuses are refused. */
function redirectTarget(response: IncomingMessage, from: URL): URL | null {
  const status = response.statusCode ?? 0;
  if (status === 200) return null;
  const { location } = response.headers;
  if (REDIRECTS.includes(status) && location !== undefined) return parse(location, from);
  response.destroy();
  if (status >= 500) throw new Error(`the host answered ${status}`);
  throw new Refusal(`answers ${status} instead of a file`);
}

async function read(response: IncomingMessage, maxBytes: number) {
  const tooLarge = () => {
    response.destroy();
    return new Refusal(`leads to a file of more than ${maxBytes / 1024 / 1024} MB`);
  };
  if (Number(response.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const bytes = await readUpTo(maxBytes, response);
  if (bytes === null) throw tooLarge();
  if (!response.complete) throw new Error("the answer was cut");
  return bytes;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
