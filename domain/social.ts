/** Social accounts: a brand's connections to the platforms, their states, and their sealed tokens. */
import { z } from "zod";
import { DAY, iso } from "./calendar.ts";
import { isId, newId } from "./ids.ts";
import { type Commit, listValues, transact } from "./kv.ts";
import { Platform } from "./posts/shape.ts";
import type { Secrets } from "./secrets.ts";
import type { Service } from "./service.ts";

export const SocialStatus = z.enum(["connected", "expiring", "reconnect"]);
export type SocialStatus = z.output<typeof SocialStatus>;

export const AccountKind = z.enum(["professional", "organization", "member", "channel"]);
export type AccountKind = z.output<typeof AccountKind>;

/** A connection as anyone may see it: its tokens lie in a record of their own. */
export interface SocialAccount {
  id: string;
  brandId: string;
  platform: Platform;
  kind: AccountKind;
  handle: string;
  /** The platform's id: user id, organization or person URN, channel id. */
  externalId: string;
  status: SocialStatus;
  /** What went wrong last, with the cure; null when the last call went well. */
  error: string | null;
  connectedAt: string;
  /** When credentials that a human must renew run out; null when they renew themselves. */
  tokenExpiresAt: string | null;
}

/** What happens to a connection. */
export type SocialEvent = "connect" | "nearExpiry" | "renew" | "tokenDead";

/**
 * The one table of moves: event → status before → status after. What is absent stays as it is: these
 * events are facts that platforms tell, some of them twice, and no requests that could be refused.
 */
export const SOCIAL_MOVES: Record<SocialEvent, Partial<Record<SocialStatus, SocialStatus>>> = {
  connect: { connected: "connected", expiring: "connected", reconnect: "connected" },
  nearExpiry: { connected: "expiring" },
  renew: { expiring: "connected" },
  tokenDead: { connected: "reconnect", expiring: "reconnect" },
};

/** `expiring`: this near to the day on which a human must renew (DECISIONS "Values"). */
export const EXPIRING_WITHIN = 7 * DAY;

export function moveAccount(account: SocialAccount, event: SocialEvent): SocialAccount {
  return { ...account, status: SOCIAL_MOVES[event][account.status] ?? account.status };
}

/** Credentials as a platform issued them; instants in ms, null where it names no end. */
export interface Tokens {
  access: string;
  issuedAt: number;
  accessExpiresAt: number | null;
  refresh: string | null;
  refreshExpiresAt: number | null;
}

const accountKey = (brandId: string, id: string): Deno.KvKey => ["social", brandId, id];
const externalKey = (brandId: string, platform: Platform, externalId: string): Deno.KvKey => [
  "socialByExternalId",
  brandId,
  platform,
  externalId,
];
const tokensKey = (brandId: string, id: string): Deno.KvKey => ["socialTokens", brandId, id];

/** The account, or null when the brand has none with that id. */
export async function readSocialAccount(
  kv: Deno.Kv,
  brandId: string,
  id: string,
): Promise<SocialAccount | null> {
  if (!isId("social", id)) return null;
  return (await kv.get<SocialAccount>(accountKey(brandId, id))).value;
}

/** Like `readSocialAccount`, as a read of `commit`. */
export function getSocialAccount(
  commit: Commit,
  brandId: string,
  id: string,
): Promise<SocialAccount | null> {
  return isId("social", id) ? commit.get(accountKey(brandId, id)) : Promise.resolve(null);
}

/** The brand's accounts, oldest first; every brand's when `brandId` is null. */
export function listSocialAccounts(
  kv: Deno.Kv,
  brandId: string | null,
): Promise<SocialAccount[]> {
  return listValues<SocialAccount>(kv, brandId === null ? ["social"] : ["social", brandId]);
}

/** How many accounts stand where: for `/healthz`. */
export async function countAccounts(kv: Deno.Kv): Promise<Record<SocialStatus, number>> {
  const counts: Record<SocialStatus, number> = { connected: 0, expiring: 0, reconnect: 0 };
  for (const account of await listSocialAccounts(kv, null)) counts[account.status]++;
  return counts;
}

/** Who is connected, as the platform names it. */
export interface Identity {
  platform: Platform;
  kind: AccountKind;
  handle: string;
  externalId: string;
}

/** Connects an account, or connects it again under the id it has in this brand. */
export async function connectAccount(
  service: Pick<Service, "kv" | "now" | "secrets">,
  brandId: string,
  identity: Identity,
  tokens: Tokens,
): Promise<SocialAccount> {
  const { kv, now, secrets } = service;
  const pointer = externalKey(brandId, identity.platform, identity.externalId);
  return await transact(kv, async (commit) => {
    const id = await commit.get<string>(pointer) ?? newId("social", now());
    const before = await commit.get<SocialAccount>(accountKey(brandId, id));
    const connected = moveAccount({
      id,
      brandId,
      ...identity,
      status: before?.status ?? "connected",
      error: null,
      connectedAt: iso(now()),
      tokenExpiresAt: humanDeadline(identity.platform, tokens),
    }, "connect");
    const account = judged(connected, now());
    commit.set(pointer, id);
    commit.set(accountKey(brandId, id), account);
    commit.set(tokensKey(brandId, id), await seal(secrets, id, tokens));
    return account;
  });
}

/** The account's tokens, opened. Never log them. */
export async function readTokens(
  { kv, secrets }: Pick<Service, "kv" | "secrets">,
  account: SocialAccount,
): Promise<Tokens | null> {
  const sealed = (await kv.get<string>(tokensKey(account.brandId, account.id))).value;
  if (sealed === null) return null;
  return await unseal(secrets, account.id, sealed);
}

/**
 * Keeps renewed tokens in place of those they were renewed from, and answers what holds from now on:
 * an empty token never overwrites a good one, and a renewal never what came meanwhile (the account
 * connected again, another renewal).
 */
export async function keepTokens(
  service: Pick<Service, "kv" | "now" | "secrets">,
  account: SocialAccount,
  before: Tokens,
  fresh: Tokens,
): Promise<Tokens> {
  if (fresh.access === "") return before;
  const { kv, now, secrets } = service;
  const { brandId, id } = account;
  const sealed = await seal(secrets, id, fresh);
  return await transact(kv, async (commit) => {
    const stored = await commit.get<SocialAccount>(accountKey(brandId, id));
    const held = await commit.get<string>(tokensKey(brandId, id));
    if (stored === null || held === null) return fresh;
    const current = await unseal(secrets, id, held);
    if (current.access !== before.access) return current;
    const next = judged(
      { ...stored, tokenExpiresAt: humanDeadline(account.platform, fresh) },
      now(),
    );
    commit.set(tokensKey(brandId, id), sealed);
    if (changed(stored, next)) commit.set(accountKey(brandId, id), next);
    return fresh;
  });
}

/** Changes the account by `change` in `commit`; writes only when something differs. */
export async function updateAccount(
  commit: Commit,
  account: SocialAccount,
  change: (stored: SocialAccount) => SocialAccount,
): Promise<SocialAccount | null> {
  const key = accountKey(account.brandId, account.id);
  const stored = await commit.get<SocialAccount>(key);
  if (stored === null) return null;
  const next = change(stored);
  if (changed(stored, next)) commit.set(key, next);
  return next;
}

/** Moves the account to `expiring` when a human should renew it soon, and back when it was renewed. */
export function judged(account: SocialAccount, at: number): SocialAccount {
  const near = account.tokenExpiresAt !== null &&
    Date.parse(account.tokenExpiresAt) - at <= EXPIRING_WITHIN;
  return moveAccount(account, near ? "nearExpiry" : "renew");
}

/**
 * When a human must sign in again. An Instagram token renews itself while it lives, so its end is
 * near only when renewals fail; LinkedIn's without a refresh token ends with the access token.
 */
function humanDeadline(platform: Platform, tokens: Tokens): string | null {
  const at = tokens.refresh !== null ? tokens.refreshExpiresAt : tokens.accessExpiresAt;
  if (platform === "youtube" && tokens.refresh !== null) return null;
  return at === null ? null : iso(at);
}

function changed(before: SocialAccount, after: SocialAccount): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

function seal(secrets: Secrets, id: string, tokens: Tokens): Promise<string> {
  return secrets.seal(JSON.stringify(tokens), id);
}

async function unseal(secrets: Secrets, id: string, sealed: string): Promise<Tokens> {
  return JSON.parse(await secrets.open(sealed, id)) as Tokens;
}
