/** Dashboard sessions: a random token in a cookie, its hash in the store. */
import { createHash } from "node:crypto";
import { DAY, SECOND } from "./calendar.ts";
import { transact } from "./kv.ts";
import type { Service } from "./service.ts";

export interface Session {
  /** The token's hash: names the session without opening it; OAuth states are bound to it. */
  id: string;
  accountId: string;
  /** Instant, ms. */
  expiresAt: number;
}

type Doors = Pick<Service, "kv" | "now" | "settings">;

const COOKIE = "marquee_session";
const LIVES_MS = 14 * DAY;

const sessionKey = (id: string): Deno.KvKey => ["session", id];
const idOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** Opens a session; `cookie` is the value of the answer's `Set-Cookie`. */
export async function openSession(
  { kv, now, settings }: Doors,
  accountId: string,
): Promise<{ session: Session; cookie: string }> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const token = bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  const session: Session = { id: idOf(token), accountId, expiresAt: now() + LIVES_MS };
  await transact(kv, (commit) => {
    commit.set(sessionKey(session.id), session, { expireIn: LIVES_MS });
  });
  return { session, cookie: cookie(token, LIVES_MS / SECOND, settings.BASE_URL) };
}

/** The live session that the request's cookie names, or null. */
export async function readSession({ kv, now }: Doors, request: Request): Promise<Session | null> {
  const token = tokenOf(request);
  if (token === null) return null;
  const session = (await kv.get<Session>(sessionKey(idOf(token)))).value;
  return session !== null && session.expiresAt > now() ? session : null;
}

/** Ends the request's session; answers the `Set-Cookie` that forgets it. */
export async function closeSession({ kv, settings }: Doors, request: Request): Promise<string> {
  const token = tokenOf(request);
  if (token !== null) await transact(kv, (commit) => commit.delete(sessionKey(idOf(token))));
  return cookie("", 0, settings.BASE_URL);
}

function tokenOf(request: Request): string | null {
  const match = new RegExp(`(?:^|; *)${COOKIE}=([A-Za-z0-9_-]{43})(?:;|$)`)
    .exec(request.headers.get("cookie") ?? "");
  return match?.[1] ?? null;
}

function cookie(token: string, seconds: number, baseUrl: string): string {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  return `${COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
