/** The cookie in which a browser keeps its session's token. */
import { SECOND } from "../../domain/calendar.ts";
import type { Service } from "../../domain/service.ts";
import { readSession, type Session, SESSION_MS } from "../../domain/sessions.ts";
import type { Settings } from "../../domain/settings.ts";
import { basePath } from "../base_path.ts";

const NAME = "marquee_session";
const TOKEN = new RegExp(`(?:^|; *)${NAME}=([A-Za-z0-9_-]{43})(?:;|$)`);

/** The token that the request's cookie bears, or null. */
export function readToken(request: Request): string | null {
  return TOKEN.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;
}

/** The live session that the request's cookie opens, or null. */
export async function sessionOf(service: Service, request: Request): Promise<Session | null> {
  const token = readToken(request);
  return token === null ? null : await readSession(service, token);
}

/** The `Set-Cookie` that keeps `token`, or that forgets it when it is null. */
export function setCookie(settings: Settings, token: string | null): string {
  const seconds = token === null ? 0 : SESSION_MS / SECOND;
  const secure = settings.BASE_URL.startsWith("https:") ? "; Secure" : "";
  return `${NAME}=${token ?? ""}; Path=${basePath(settings)}/; Max-Age=${seconds}; HttpOnly; ` +
    `SameSite=Lax${secure}`;
}
