/** The link with which the owner of a service without any account makes the first one, once. */
import { HOUR } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { newToken, sha256 } from "../foundation/secrets.ts";
import { type Acting, audit } from "../kv/audit.ts";
import { type Reader, reader, transact } from "../kv/transact.ts";
import { type Account, addAccount } from "./accounts.ts";
import { addBrand, type Brand } from "./brands.ts";
import type { Passwords } from "./passwords.ts";

interface Link {
  /** Instant, ms. */
  expiresAt: number;
}

/** How long a link works. */
const LIVES_MS = HOUR;

const linkKey = (hash: string): Deno.KvKey => ["setUpLink", hash];
/** Written by each set-up: of two with different links at the same time, one is tried again. */
const SET_UP_KEY: Deno.KvKey = ["setUp"];

type Clocked = Pick<Acting, "kv" | "now">;

/** Makes a link and returns its token. */
export async function makeSetUpLink({ kv, now }: Clocked): Promise<string> {
  const token = newToken();
  const key = linkKey(await sha256(token));
  const link: Link = { expiresAt: now() + LIVES_MS };
  await transact(kv, (commit) => commit.set(key, link, { expireIn: LIVES_MS }));
  return token;
}

/** Whether somebody can sign in. */
export async function hasOwner({ kv }: Pick<Acting, "kv">): Promise<boolean> {
  const first = await kv.list({ prefix: ["accountByEmail"] }, { limit: 1 }).next();
  return first.done !== true;
}

/** Whether the link still opens the set-up. */
export async function opensSetUp({ kv, now }: Clocked, token: string): Promise<boolean> {
  return await readLink(reader(kv), linkKey(await sha256(token)), now()) !== null;
}

export interface FirstOwner {
  email: string;
  password: string;
  brandName: string;
}

/**
 * Makes the first account and its brand, and ends the link.
 * @throws ServiceError `forbidden` for a link that works no more
 */
export async function setUp(
  acting: Acting & { passwords: Passwords },
  token: string,
  { email, password, brandName }: FirstOwner,
): Promise<{ account: Account; brand: Brand }> {
  const { kv, now, passwords } = acting;
  const key = linkKey(await sha256(token));
  const hashed = await passwords.hash(password);
  return await transact(kv, async (commit) => {
    await commit.get(SET_UP_KEY);
    const link = await readLink(commit, key, now());
    if (link === null || await hasOwner(acting)) throw linkIsOver();
    commit.delete(key);
    commit.set(SET_UP_KEY, now());
    const account = addAccount(commit, now(), email, hashed);
    const brand = addBrand(commit, now(), {
      name: brandName,
      plan: "free",
      accountId: account.id,
    });
    const by = { kind: "account", id: account.id, email } as const;
    const owner = { ...acting, by: { ...acting.by, actor: by } };
    audit(commit, owner, { action: "account.created", of: account.id, subject: account.id });
    audit(commit, owner, { action: "brand.created", of: brand.id, subject: brand.id });
    return { account, brand };
  });
}

export function linkIsOver(): ServiceError {
  return new ServiceError("forbidden", "This link has been used already, or it has expired.");
}

async function readLink(from: Reader, key: Deno.KvKey, at: number): Promise<Link | null> {
  const link = await from.get<Link>(key);
  return link !== null && link.expiresAt > at ? link : null;
}
