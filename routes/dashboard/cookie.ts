/** The dashboard's cookies: a session's token, and the mark of a browser that has signed in before. */
import { DAY, SECOND } from "../../domain/foundation/calendar.ts";
import { REMEMBERED_DAYS } from "../../domain/brands/browsers.ts";
import { readSession, SESSION_MS, type SignedIn } from "../../domain/brands/sessions.ts";
import type { Settings } from "../../domain/foundation/settings.ts";
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";

/** Cookie → how long the browser keeps it, ms. */
const COOKIES = {
  marquee_session: SESSION_MS,
  marquee_browser: REMEMBERED_DAYS * DAY,
};
type Cookie = keyof typeof COOKIES;

const isSecure = ({ BASE_URL }: Settings) => BASE_URL.startsWith("https:");

/**
 * With https, browsers hold a prefix's promise: no other host, and no page without TLS, can set the
 * cookie. `__Host-` needs the path `/`, so a service below a path has `__Secure-`.
 */
function nameOf(settings: Settings, cookie: Cookie): string {
  if (!isSecure(settings)) return cookie;
  return `${basePath(settings) === "" ? "__Host-" : "__Secure-"}${cookie}`;
}

/** The cookie's value, or null. */
export function readCookie(settings: Settings, request: Request, cookie: Cookie): string | null {
  const start = `${nameOf(settings, cookie)}=`;
  const sent = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return sent.find((pair) => pair.startsWith(start))?.slice(start.length) || null;
}

/** The session of the request's cookie, or null. */
export async function sessionOf(service: Service, request: Request): Promise<SignedIn | null> {
  const token = readCookie(service.settings, request, "marquee_session");
  return token === null ? null : await readSession(service, token);
}

/** The `Set-Cookie` header that stores `value`; null deletes the cookie. */
export function setCookie(settings: Settings, cookie: Cookie, value: string | null): string {
  const seconds = value === null ? 0 : COOKIES[cookie] / SECOND;
  const secure = isSecure(settings) ? "; Secure" : "";
  return `${nameOf(settings, cookie)}=${value ?? ""}; Path=${basePath(settings)}/; ` +
    `Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
