/** Dashboard sessions: the browser keeps a random token, the store keeps its hash. */
import { DAY, type Now } from "../foundation/calendar.ts";
import { newToken, sha256 } from "../foundation/secrets.ts";
import { type Acting, audit } from "../kv/audit.ts";
import { type Commit, reader, transact } from "../kv/transact.ts";
import { type Account, readAccount } from "./accounts.ts";

export interface Session {
  /** The token's hash. It identifies the session, to OAuth states for example, but does not open it. */
  id: string;
  accountId: string;
  /** Instant, ms. */
  expiresAt: number;
  /** The account's `signOuts` when it signed in; absent: none. */
  signOuts?: number;
}

/** An open session with what is shown of its account. */
export interface SignedIn extends Session {
  email: string | null;
}

/** How long a session lives, ms. */
export const SESSION_MS = 14 * DAY;

const sessionKey = (id: string): Deno.KvKey => ["session", id];

/**
 * Opens a session and returns its token.
 * @param account as it was when its password was checked: a sign-out everywhere since then counts
 * @param also what else belongs into the commit
 */
export async function openSession(
  { kv, now }: { kv: Deno.Kv; now: Now },
  account: Pick<Account, "id" | "signOuts">,
  also: (commit: Commit) => void = () => {},
): Promise<string> {
  const token = newToken();
  const session: Session = {
    id: await sha256(token),
    accountId: account.id,
    expiresAt: now() + SESSION_MS,
    signOuts: account.signOuts ?? 0,
  };
  await transact(kv, (commit) => {
    commit.set(sessionKey(session.id), session, { expireIn: SESSION_MS });
    also(commit);
  });
  return token;
}

/** The session of a token, or null if there is none, or it has expired or was signed out. */
export async function readSession(
  { kv, now }: { kv: Deno.Kv; now: Now },
  token: string,
): Promise<SignedIn | null> {
  const session = (await kv.get<Session>(sessionKey(await sha256(token)))).value;
  if (session === null || session.expiresAt <= now()) return null;
  const account = await readAccount(reader(kv), session.accountId);
  if (account === null || (account.signOuts ?? 0) !== (session.signOuts ?? 0)) return null;
  return { ...session, email: account.email };
}

/** Closes the session of a token, if it is open. */
export async function closeSession(acting: Acting, token: string): Promise<void> {
  const key = sessionKey(await sha256(token));
  await transact(acting.kv, async (commit) => {
    const session = await commit.get<Session>(key);
    if (session === null) return;
    const { accountId } = session;
    commit.delete(key);
    audit(commit, acting, { action: "account.signedOut", of: accountId, subject: accountId });
  });
}
