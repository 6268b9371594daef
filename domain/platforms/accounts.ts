/** A brand's connected accounts: their records, states and encrypted tokens. */
import { z } from "zod";
import { DAY, iso } from "../foundation/calendar.ts";
import { isId, newId } from "../foundation/ids.ts";
import { audit } from "../kv/audit.ts";
import { type Commit, listValues, transact } from "../kv/transact.ts";
import { Platform } from "../posts/shape.ts";
import type { Secrets } from "../foundation/secrets.ts";
import type { Service } from "../service/service.ts";
import { type AccountKind, TRAITS } from "./contract/traits.ts";
import { unreachable } from "./reachable.ts";
import { emitStatus } from "./status_events.ts";

export const SocialStatus = z.enum(["connected", "expiring", "reconnect"]);
export type SocialStatus = z.output<typeof SocialStatus>;

/** A connected account without its tokens, which have a record of their own. */
export interface SocialAccount {
  id: string;
  brandId: string;
  platform: Platform;
  kind: AccountKind;
  handle: string;
  /** The platform's id: user id, organization or person URN, channel id. */
  externalId: string;
  status: SocialStatus;
  /** The last error with its cure; null when the last call succeeded. */
  error: string | null;
  /** Which numbers the platform refuses to report; null or absent when it reports all. */
  missing?: string | null;
  /** The platform wants no call, or no publication, before these instants. */
  pausedUntil?: string | null;
  publishPausedUntil?: string | null;
  connectedAt: string;
  /** When a person must sign in again; null when Marquee renews the tokens itself. */
  tokenExpiresAt: string | null;
  /** When its numbers were last read; absent: not since it was connected. */
  lastReadAt?: string;
}

/** What can happen to a connected account. */
export type SocialEvent = "connect" | "nearExpiry" | "renew" | "tokenDead";

/**
 * Event → status before → status after. An absent entry leaves the status as it is and is no error,
 * because platforms report the same event more than once.
 */
export const SOCIAL_MOVES: Record<SocialEvent, Partial<Record<SocialStatus, SocialStatus>>> = {
  connect: { connected: "connected", expiring: "connected", reconnect: "connected" },
  nearExpiry: { connected: "expiring" },
  renew: { expiring: "connected" },
  tokenDead: { connected: "reconnect", expiring: "reconnect" },
};

/** An account is `expiring` this long before a person must sign in again (DECISIONS "Values"). */
const EXPIRING_WITHIN = 7 * DAY;

export function moveAccount(account: SocialAccount, event: SocialEvent): SocialAccount {
  return { ...account, status: SOCIAL_MOVES[event][account.status] ?? account.status };
}

/** Credentials as a platform issued them. Instants in ms; null where the platform names no end. */
export interface Tokens {
  access: string;
  issuedAt: number;
  accessExpiresAt: number | null;
  refresh: string | null;
  refreshExpiresAt: number | null;
}

export const SOCIAL_ACCOUNTS = "social";
const accountKey = (brandId: string, id: string): Deno.KvKey => [SOCIAL_ACCOUNTS, brandId, id];
const externalKey = (brandId: string, platform: Platform, externalId: string): Deno.KvKey => [
  "socialByExternalId",
  brandId,
  platform,
  externalId,
];
const tokensKey = (brandId: string, id: string): Deno.KvKey => ["socialTokens", brandId, id];

/** Returns the account, or null when the brand has none with that id. */
export async function readSocialAccount(
  kv: Deno.Kv,
  brandId: string,
  id: string,
): Promise<SocialAccount | null> {
  if (!isId("social", id)) return null;
  return (await kv.get<SocialAccount>(accountKey(brandId, id))).value;
}

/** Like `readSocialAccount`, but read through `commit`. */
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
  return listValues<SocialAccount>(
    kv,
    brandId === null ? [SOCIAL_ACCOUNTS] : [SOCIAL_ACCOUNTS, brandId],
  );
}

/** How many accounts have each status, for `/healthz`. */
export async function countAccounts(kv: Deno.Kv): Promise<Record<SocialStatus, number>> {
  const counts: Record<SocialStatus, number> = { connected: 0, expiring: 0, reconnect: 0 };
  const all = kv.list<SocialAccount>({ prefix: [SOCIAL_ACCOUNTS] }, { batchSize: 500 });
  for await (const { value } of all) counts[value.status]++;
  return counts;
}

/** Warns once, at the start, when platforms of connected accounts can't fetch the images of posts. */
export async function warnUnreachable(
  { kv, settings, log }: Pick<Service, "kv" | "settings" | "log">,
): Promise<void> {
  const [message] = Platform.options.map((platform) => unreachable(settings, { platform }))
    .filter((words) => words !== null);
  if (message === undefined) return;
  const accounts = (await listSocialAccounts(kv, null))
    .filter((account) => unreachable(settings, account) !== null);
  if (accounts.length > 0) log.warn("platform.unreachable", { accounts: accounts.length, message });
}

/** An account as the platform names it. */
export interface Identity {
  platform: Platform;
  kind: AccountKind;
  handle: string;
  externalId: string;
}

/** Connects an account. One that is connected already keeps its id and takes the new tokens. */
export async function connectAccount(
  service: Pick<Service, "kv" | "now" | "secrets" | "settings" | "by">,
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
      error: unreachable(service.settings, identity),
      // A new sign-in doesn't end what the platform asked for.
      pausedUntil: before?.pausedUntil ?? null,
      publishPausedUntil: before?.publishPausedUntil ?? null,
      connectedAt: iso(now()),
      tokenExpiresAt: signInDeadline(identity.platform, tokens),
    }, "connect");
    const account = withExpiry(connected, now());
    commit.set(pointer, id);
    commit.set(accountKey(brandId, id), account);
    commit.set(tokensKey(brandId, id), await seal(secrets, id, tokens));
    const { platform, handle } = account;
    const details = { platform, handle };
    audit(commit, service, { action: "social.connected", of: brandId, subject: id, details });
    return account;
  });
}

/**
 * Deletes the account and its tokens in `commit`. Its id stays reserved, so series and posts that name
 * it find it again when the same account is connected again.
 */
export function forgetAccount(commit: Commit, { brandId, id }: SocialAccount): void {
  commit.delete(accountKey(brandId, id));
  commit.delete(tokensKey(brandId, id));
}

/** Returns the account's decrypted tokens, null when there are none or no known secret opens them. */
export async function readTokens(
  { kv, secrets }: Pick<Service, "kv" | "secrets">,
  account: SocialAccount,
): Promise<Tokens | null> {
  const sealed = (await kv.get<string>(tokensKey(account.brandId, account.id))).value;
  if (sealed === null) return null;
  return await unseal(secrets, account.id, sealed).catch(() => null);
}

/** An account's tokens as stored. */
export interface SealedTokens {
  accountId: string;
  sealed: string;
  /** Seals them with the current secret. @throws when no known secret opens them */
  reseal(): Promise<void>;
}

/** The tokens of all brands' accounts. */
export async function* sealedTokens(
  { kv, secrets }: Pick<Service, "kv" | "secrets">,
): AsyncGenerator<SealedTokens> {
  for await (const { key, value } of kv.list<string>({ prefix: ["socialTokens"] })) {
    const accountId = String(key.at(-1));
    const reseal = () =>
      transact(kv, async (commit) => {
        const sealed = await commit.get<string>(key);
        if (sealed === null || secrets.isCurrent(sealed)) return;
        commit.set(key, await secrets.seal(await secrets.open(sealed, accountId), accountId));
      });
    yield { accountId, sealed: value, reseal };
  }
}

/**
 * Replaces the tokens `before` by their renewal `fresh`, and returns the tokens that are valid now.
 * An empty token never replaces a good one. If other tokens were stored in the meantime (the account
 * was connected again, or another process renewed them), those stay.
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
    const next = withExpiry(
      { ...stored, tokenExpiresAt: signInDeadline(account.platform, fresh) },
      now(),
    );
    commit.set(tokensKey(brandId, id), sealed);
    if (changed(stored, next)) commit.set(accountKey(brandId, id), next);
    emitStatus(commit, stored, next, now());
    return fresh;
  });
}

/** Applies `change` to the stored account in `commit`; writes only what differs. */
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

/** Moves the account to `expiring` when a person must sign in soon, and back once that is done. */
export function withExpiry(account: SocialAccount, at: number): SocialAccount {
  const near = account.tokenExpiresAt !== null &&
    Date.parse(account.tokenExpiresAt) - at <= EXPIRING_WITHIN;
  return moveAccount(account, near ? "nearExpiry" : "renew");
}

/**
 * When a person must sign in again. Without a refresh token that is when the access token expires.
 * Marquee renews Instagram's access tokens early, so their end comes near only if renewals fail.
 */
function signInDeadline(platform: Platform, tokens: Tokens): string | null {
  if (tokens.refresh !== null && !TRAITS[platform].signInEnds) return null;
  const at = tokens.refresh !== null ? tokens.refreshExpiresAt : tokens.accessExpiresAt;
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
