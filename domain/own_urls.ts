/** The service has two addresses: `BASE_URL` for everyone else, and `ownUrl` for its own machine. */
import type { Settings } from "./settings.ts";

type Addresses = Pick<Settings, "BASE_URL" | "ownUrl">;

/** An address of ours as our own calls reach it; others stay as they are. */
export function fromInside({ BASE_URL, ownUrl }: Addresses, url: string): string {
  return moved(url, BASE_URL, ownUrl);
}

/** An address of ours as browsers reach it; others stay as they are. */
export function fromOutside({ BASE_URL, ownUrl }: Addresses, url: string): string {
  return moved(url, ownUrl, BASE_URL);
}

function moved(url: string, from: string, to: string): string {
  return url.startsWith(`${from}/`) ? `${to}${url.slice(from.length)}` : url;
}
