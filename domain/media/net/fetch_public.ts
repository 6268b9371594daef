/** The guarded fetch for addresses from users: public hosts only, checked at each redirect. */
import type { IncomingMessage } from "node:http";
import { readUpTo } from "../../foundation/bytes.ts";
import { SECOND } from "../../foundation/calendar.ts";
import { invalid, ServiceError } from "../../foundation/errors.ts";
import { checkAddress, type Guard, parseAddress, Refusal } from "./check.ts";
import { connect } from "./connect.ts";
import { readDownload } from "./download.ts";

/** DECISIONS "Assets". */
const MAX_REDIRECTS = 3;
const PATIENCE: Patience = { connectMs: 5 * SECOND, wholeMs: 15 * SECOND };
const PICTURES = "image/webp,image/png,image/jpeg";
const REDIRECTS = [301, 302, 303, 307, 308];

export interface GuardOptions extends Guard {
  patience?: Patience;
}

/** Lengths of real time, ms. */
export interface Patience {
  /** For connecting, all of a host's addresses together. */
  connectMs: number;
  /** For everything, redirects included. */
  wholeMs: number;
}

export interface FetchLimits {
  maxBytes: number;
  /** The input field with the address, for refusals. */
  field?: string;
  /** The media types asked for; by default pictures. */
  accept?: string;
  /** How many redirects are followed; by default 3. */
  redirects?: number;
  /** Whether the bytes count among those that all downloads may hold: for addresses from brands. */
  counted?: boolean;
}

/**
 * The bytes at a public http(s) address.
 * @throws ServiceError `validationError` for a wrong address (a private or unknown host, a 4xx, too
 * many redirects or bytes); `serviceUnavailable` if the host fails, breaks off or is too slow, or if
 * all fetches together hold too many bytes
 */
export type FetchPublic = (url: string, limits: FetchLimits) => Promise<Uint8Array<ArrayBuffer>>;

export function guardedFetch(
  { patience = PATIENCE, ...guard }: GuardOptions,
): FetchPublic {
  /** Follows redirects, each checked like the first address. */
  async function get(start: string, limits: FetchLimits, signal: AbortSignal) {
    let url = parseAddress(start);
    const { redirects: most = MAX_REDIRECTS, accept = PICTURES } = limits;
    const sent = { headers: { accept, "accept-encoding": "identity" } };
    for (let redirects = 0; redirects <= most; redirects++) {
      const checked = await checkAddress(url, guard);
      const response = await connect(checked, sent, patience.connectMs, signal);
      const target = redirectTarget(response, url);
      if (target === null) return await read(response, limits);
      response.destroy();
      url = target;
    }
    throw new Refusal(most === 0 ? "must not redirect" : `redirects more than ${most} times`);
  }

  return async (url, limits) => {
    const { field = "url" } = limits;
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new Error("too slow")), patience.wholeMs);
    try {
      return await Promise.race([get(url, limits, abort.signal), aborted(abort.signal)]);
    } catch (error) {
      if (error instanceof Refusal) throw invalid(field, error.message);
      if (error instanceof ServiceError) throw error;
      throw new ServiceError(
        "serviceUnavailable",
        `${field}: the host did not deliver the file. Try again shortly.`,
        { cause: error },
      );
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
  };
}

/** The target of a redirect, or null if the response is the file. @throws for other statuses */
function redirectTarget(response: IncomingMessage, from: URL): URL | null {
  const status = response.statusCode ?? 0;
  if (status === 200) return null;
  const { location } = response.headers;
  if (REDIRECTS.includes(status) && location !== undefined) return parseAddress(location, from);
  response.destroy();
  if (status >= 500) throw new Error(`the host answered ${status}`);
  throw new Refusal(`answers ${status} instead of a file`);
}

async function read(response: IncomingMessage, { maxBytes, counted = false }: FetchLimits) {
  const tooLarge = () => {
    response.destroy();
    return new Refusal(`leads to a file of more than ${sizeOf(maxBytes)}`);
  };
  const announced = Number(response.headers["content-length"] ?? maxBytes);
  if (announced > maxBytes) throw tooLarge();
  const bytes = counted
    ? await readDownload(announced >= 0 ? announced : maxBytes, response)
    : await readUpTo(maxBytes, response);
  if (bytes === null) throw tooLarge();
  if (!response.complete) throw new Error("the answer was cut");
  return bytes;
}

function sizeOf(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib} KB` : `${kib / 1024} MB`;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
