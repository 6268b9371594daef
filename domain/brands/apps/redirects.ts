/** Where an app may be answered: which redirect URIs it can have, and which one it may ask for. */

/** Characters. */
const LONGEST = 500;
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;
/** Schemes that run, show or open something by themselves, so no program on a computer owns them. */
const FOREIGN = new Set([
  ...["javascript", "data", "vbscript", "file", "blob", "filesystem", "about", "view-source"],
  ...["ws", "wss", "ftp", "mailto", "tel", "sms", "intent", "chrome", "jar", "content"],
]);

/** Why an app can't have that redirect URI, or null. */
export function redirectProblem(uri: string): string | null {
  if (uri.length > LONGEST) return `must be at most ${LONGEST} characters`;
  const url = /^[\x21-\x7e]+$/.test(uri) ? URL.parse(uri) : null;
  if (url === null) return "must be an address";
  if (uri.includes("#")) return "must not have a fragment";
  // A browser takes `https:host` of an https page's answer for a path of that page's own host.
  if (/^https?:(?!\/\/)/i.test(uri)) return "must have // after the scheme";
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  if (url.protocol === "http:") {
    return isLoopback(uri) ? null : "must use https, or http on 127.0.0.1, [::1] or localhost";
  }
  return FOREIGN.has(url.protocol.slice(0, -1)) ? "must not use that scheme" : null;
}

/** An address on the person's own computer: any program there may listen at it. */
export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri);

/**
 * Whether one of the app's redirect URIs is the one asked for: exactly, but for the port on loopback,
 * which programs get anew each time they start (RFC 8252, 7.3).
 */
export function mayRedirect(registered: readonly string[], asked: string): boolean {
  if (redirectProblem(asked) !== null) return false;
  return registered.some((uri) => withoutPort(uri) === withoutPort(asked));
}

const withoutPort = (uri: string): string => uri.replace(LOOPBACK, "$1");

/** The redirect URI with the answer in its query. */
export function answerAt(uri: string, answer: Record<string, string>): string {
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(answer)}`;
}
