/** Sends a request to an IP address that was checked, without another look-up that might return a different one. */
import { type IncomingMessage, request as overHttp, type RequestOptions } from "node:http";
import { request as overHttps } from "node:https";

const encoder = new TextEncoder();

export interface Checked {
  url: URL;
  /** Name or IP address, without brackets. */
  host: string;
  port: number;
  /** The host's IP addresses; all of them were checked. */
  addresses: string[];
}

/** What is sent. Without a body it is a GET. */
export interface Sent {
  headers: Record<string, string>;
  body?: string;
}

/** The most addresses that are tried. */
const MAX_ADDRESSES = 4;
/** The most interim answers (1xx) that are read. A host could send them without end, at great speed. */
const MAX_INTERIM = 10;

/**
 * The head of the response from the first address that accepts a connection. What is sent is sent once.
 * @param patienceMs time limit for connecting, for all addresses together
 */
export async function connect(
  checked: Checked,
  sent: Sent,
  patienceMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const giveUpAt = performance.now() + patienceMs;
  let failure: unknown;
  for (const address of checked.addresses.slice(0, MAX_ADDRESSES)) {
    signal.throwIfAborted(); // it may have fired during the look-up, before anyone listened
    const attempt = { connected: false };
    try {
      const asked = { checked, address, sent, giveUpAt };
      return await request(asked, signal, () => attempt.connected = true);
    } catch (error) {
      failure = error;
      if (attempt.connected || performance.now() >= giveUpAt) break;
    }
  }
  throw failure;
}

interface Asked {
  checked: Checked;
  /** One of the checked addresses. */
  address: string;
  sent: Sent;
  /** Until when it must be connected, of `performance.now()`. */
  giveUpAt: number;
}

function request(
  { checked: { url, host, port }, address, sent: { headers, body }, giveUpAt }: Asked,
  signal: AbortSignal,
  onConnect: () => void,
): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const length = body === undefined ? {} : { "content-length": encoder.encode(body).length };
  const options: RequestOptions & { servername?: string } = {
    host: address,
    port,
    path: url.pathname + url.search,
    agent: false,
    method: body === undefined ? "GET" : "POST",
    headers: { host: url.host, ...headers, ...length, "user-agent": "Marquee/1.0" },
  };
  // The certificate must be for the name, although the connection is to its address.
  if (secure && host !== address) options.servername = host;
  return new Promise((resolve, reject) => {
    const asking = (secure ? overHttps : overHttp)(options);
    const giveUp = () => asking.destroy(new Error("no connection in time"));
    const timer = setTimeout(giveUp, Math.max(0, giveUpAt - performance.now()));
    const connected = () => {
      clearTimeout(timer);
      onConnect();
    };
    signal.addEventListener("abort", () => asking.destroy(new Error("given up")), { once: true });
    asking.on("socket", (socket) => socket.on(secure ? "secureConnect" : "connect", connected));
    let interim = 0;
    const count = () => {
      if (++interim > MAX_INTERIM) asking.destroy(new Error("too many interim answers"));
    };
    asking.on("information", count).on("continue", count);
    asking.on("upgrade", (_, socket) => {
      socket.destroy();
      reject(new Error("the host changed the protocol"));
    });
    asking.on("response", (response) => {
      connected();
      response.on("error", () => {}); // its reader sees the error; unhandled it would end the process
      resolve(response);
    });
    asking.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    asking.end(body);
  });
}
