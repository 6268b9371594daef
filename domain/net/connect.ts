/** One GET to an IP address that was checked: no second look-up that could answer otherwise. */
import { type IncomingMessage, request as overHttp, type RequestOptions } from "node:http";
import { request as overHttps } from "node:https";

export interface Checked {
  url: URL;
  /** Name or IP address, without brackets. */
  host: string;
  port: number;
  /** What the host stands for; every one was checked. */
  addresses: string[];
}

/** More addresses than these are not tried. */
const MAX_ADDRESSES = 4;

/**
 * The head of the answer of the first address that takes a connection.
 * @param patienceMs until a connection stands, for all addresses together
 */
export async function connect(
  checked: Checked,
  patienceMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const giveUpAt = performance.now() + patienceMs;
  let failure: unknown;
  for (const address of checked.addresses.slice(0, MAX_ADDRESSES)) {
    signal.throwIfAborted(); // while the name was looked up, say: a signal tells it only once
    const attempt = { connected: false };
    try {
      return await get(checked, address, giveUpAt, signal, () => attempt.connected = true);
    } catch (error) {
      failure = error;
      if (attempt.connected || performance.now() >= giveUpAt) break;
    }
  }
  throw failure;
}

function get(
  { url, host, port }: Checked,
  address: string,
  giveUpAt: number,
  signal: AbortSignal,
  onConnect: () => void,
): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const options: RequestOptions & { servername?: string } = {
    host: address,
    port,
    path: url.pathname + url.search,
    agent: false,
    headers: {
      host: url.host,
      accept: "image/webp,image/png,image/jpeg",
      "accept-encoding": "identity",
      "user-agent": "Marquee/1.0",
    },
  };
  // The certificate must be the name's, although the connection goes to its address.
  if (secure && host !== address) options.servername = host;
  return new Promise((resolve, reject) => {
    const request = (secure ? overHttps : overHttp)(options);
    const giveUp = () => request.destroy(new Error("no connection in time"));
    const timer = setTimeout(giveUp, Math.max(0, giveUpAt - performance.now()));
    const connected = () => {
      clearTimeout(timer);
      onConnect();
    };
    signal.addEventListener("abort", () => request.destroy(new Error("given up")), { once: true });
    request.on("socket", (socket) => socket.on(secure ? "secureConnect" : "connect", connected));
    request.on("response", (response) => {
      connected();
      response.on("error", () => {}); // whoever reads it is told; alone it would end the process
      resolve(response);
    });
    request.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end();
  });
}
