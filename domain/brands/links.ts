/** Links that sign a person in once, without the password. The store keeps a hash of the link's token. */
import { MINUTE, type Now } from "../foundation/calendar.ts";
import { newToken, sha256 } from "../foundation/secrets.ts";
import type { Settings } from "../foundation/settings.ts";
import { type Commit, reader, transact } from "../kv/transact.ts";
import { type Account, readAccount } from "./accounts.ts";

interface Link {
  accountId: string;
  /** Instant, ms. */
  expiresAt: number;
  /** The account's `signOuts` when the link was made: a sign-out everywhere ends open links, too. */
  signOuts: number;
}

/** How long a link works, ms. */
export const LINK_MS = 30 * MINUTE;
/** Where a link leads, below the service's address. The token is in the query, which is never logged. */
export const LINK_PATH = "/dashboard/link";

const linkKey = (hash: string): Deno.KvKey => ["signInLink", hash];

/** Makes a link that signs in to the account: once, within `LINK_MS`. */
export async function signInLink(
  { kv, now, settings }: { kv: Deno.Kv; now: Now; settings: Pick<Settings, "BASE_URL"> },
  account: Pick<Account, "id" | "signOuts">,
): Promise<string> {
  const token = newToken();
  const link: Link = {
    accountId: account.id,
    expiresAt: now() + LINK_MS,
    signOuts: account.signOuts ?? 0,
  };
  const key = linkKey(await sha256(token));
  await transact(kv, (commit) => commit.set(key, link, { expireIn: LINK_MS }));
  return `${settings.BASE_URL}${LINK_PATH}?token=${token}`;
}

/** Uses a link up and returns its account; null when it was used, has expired or never existed. */
export async function followLink(
  { kv, now }: { kv: Deno.Kv; now: Now },
  token: string,
): Promise<Account | null> {
  const key = linkKey(await sha256(token));
  const link = await transact(kv, (commit) => take(commit, key));
  if (link === null || link.expiresAt <= now()) return null;
  const account = await readAccount(reader(kv), link.accountId);
  return (account?.signOuts ?? 0) === link.signOuts ? account : null;
}

async function take(commit: Commit, key: Deno.KvKey): Promise<Link | null> {
  const link = await commit.get<Link>(key);
  if (link !== null) commit.delete(key);
  return link;
}
