/** Dashboard sessions: a random token for the browser, its hash in the store. */
import { createHash } from "node:crypto";
import { DAY } from "./calendar.ts";
import { transact } from "./kv.ts";
import type { Service } from "./service.ts";

export interface Session {
  /** The token's hash: names the session without opening it; OAuth states are bound to it. */
  id: string;
  accountId: string;
  /** Instant, ms. */
  expiresAt: number;
}

type Doors = Pick<Service, "kv" | "now">;

/** How long a session lives, ms. */
export const SESSION_MS = 14 * DAY;
const TOKEN_BYTES = 32;

const sessionKey = (id: string): Deno.KvKey => ["session", id];
const idOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** Opens a session; answers the token that the browser keeps. */
export async function openSession({ kv, now }: Doors, accountId: string): Promise<string> {
  const token = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))
    .toBase64({ alphabet: "base64url", omitPadding: true });
  const session: Session = { id: idOf(token), accountId, expiresAt: now() + SESSION_MS };
  await transact(kv, (commit) => {
    commit.set(sessionKey(session.id), session, { expireIn: SESSION_MS });
  });
  return token;
}

/** The live session that the token opens, or null. */
export async function readSession({ kv, now }: Doors, token: string): Promise<Session | null> {
  const session = (await kv.get<Session>(sessionKey(idOf(token)))).value;
  return session !== null && session.expiresAt > now() ? session : null;
}

export async function closeSession({ kv }: Doors, token: string): Promise<void> {
  await transact(kv, (commit) => commit.delete(sessionKey(idOf(token))));
}
