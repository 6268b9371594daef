/** The headers of Studio's pages, which nobody keeps, and of its small pictures, which browsers keep. */
import type { Settings } from "../../domain/foundation/settings.ts";

/**
 * Scripts, styles and fonts are ours alone. Pictures may come from any https address, because platforms
 * serve published ones from hosts that change, and from the addresses that the settings name.
 */
export function pageHeaders(settings: Settings): Record<string, string> {
  const { BASE_URL, S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_PUBLIC_URL } = settings;
  const hosts = [BASE_URL, S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_PUBLIC_URL]
    .filter((url) => url !== undefined).map((url) => new URL(url).origin);
  const pictures = [...new Set(["'self'", "data:", "https:", ...hosts])].join(" ");
  return {
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self'; ` +
      `font-src 'self'; connect-src 'self'; img-src ${pictures}; form-action 'self'; ` +
      `frame-ancestors 'none'; base-uri 'none'`,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
}

/** How long a browser shows a picture without asking whether it is still the same, seconds. */
const KEPT = 600;
const KEPT_FOR_GOOD = 31_536_000;

/**
 * A picture for this person alone; nothing but a tag if the browser has the same one.
 * @param isFixed whether nothing else is ever found at its address
 */
export async function keptPicture(
  request: Request,
  bytes: Uint8Array,
  isFixed: boolean,
): Promise<Response> {
  const body = new Uint8Array(bytes);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const etag = `"${hash.toHex().slice(0, 32)}"`;
  const kept = isFixed ? `${KEPT_FOR_GOOD}, immutable` : KEPT;
  const headers = {
    "cache-control": `private, max-age=${kept}`,
    etag,
    "x-content-type-options": "nosniff",
  };
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((one) => one.trim());
  if (known.includes(etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": "image/jpeg" } });
}
