/** API keys, stored under the hash of their secret. The secret is shown once and never stored. */
import { z } from "zod";
import { type Brand, requireBrand } from "./brands.ts";
import type { BudgetedKey, Budgets } from "./budgets.ts";
import { noSuch, ServiceError } from "../foundation/errors.ts";
import { isId, newId } from "../foundation/ids.ts";
import { type Acting, audit } from "../kv/audit.ts";
import { emit } from "../kv/outbox.ts";
import { type Commit, getEach, type Reader, transact } from "../kv/transact.ts";
import { touchCount } from "./meter/touch.ts";
import { PLANS } from "./plans.ts";
import { sha256 } from "../foundation/secrets.ts";

export const Scope = z.enum([
  "postsRead",
  "createRead",
  "createWrite",
  "publishWrite",
  "brandsWrite",
]);
export type Scope = z.output<typeof Scope>;

/** A key as stored under the hash of its secret. */
export interface ApiKey extends BudgetedKey {
  id: string;
  brandId: string;
  name: string;
  scopes: Scope[];
  /** The secret's first 8 characters, by which people recognize the key. */
  prefix: string;
  createdAt: string;
  revokedAt: string | null;
  /** The app that a person let in (`apps/`): its access tokens are the key's secrets. */
  app?: { clientId: string } | null;
}

/** A key as shown to its owner. `lastUsedAt` is a UTC day, yyyy-mm-dd. */
export type ShownKey = ApiKey & { lastUsedAt: string | null };

export const apiKeyKey = (hash: string): Deno.KvKey => ["apiKey", hash];
const keyHashKey = (id: string) => ["apiKeyHash", id];
const brandKeyKey = (brandId: string, id: string) => ["brandApiKey", brandId, id];
const keyCountKey = (brandId: string) => ["apiKeyCount", brandId];
const lastUsedKey = (id: string) => ["apiKeyLastUsed", id];

// Format: mq_, 256 random bits in base62, CRC-32 in base62. Secret scanners can recognize it, and a
// mistyped key is refused without reading the store.
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 43;
const CHECK_LENGTH = 6;
const SECRET = new RegExp(`^mq_[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

function checkOf(random: string): string {
  let digits = "";
  for (let rest = crc32(random); digits.length < CHECK_LENGTH; rest = Math.floor(rest / 62)) {
    digits = BASE62[rest % 62] + digits;
  }
  return digits;
}

/** CRC-32 of an ASCII text. */
export function crc32(text: string): number {
  let crc = -1;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A new secret, without anything stored. */
export function newSecret(): string {
  const random = crypto.getRandomValues(new Uint8Array(32));
  let digits = "";
  for (let rest = BigInt(`0x${random.toHex()}`); digits.length < RANDOM_LENGTH; rest /= 62n) {
    digits = BASE62[Number(rest % 62n)] + digits;
  }
  return `mq_${digits}${checkOf(digits)}`;
}

/** The hash under which the secret's key is stored, or null if it does not have a secret's format. */
export async function hashSecret(secret: string): Promise<string | null> {
  if (!SECRET.test(secret)) return null;
  const random = secret.slice(3, 3 + RANDOM_LENGTH);
  if (checkOf(random) !== secret.slice(3 + RANDOM_LENGTH)) return null;
  return await sha256(secret);
}

export interface NewApiKey {
  brandId: string;
  scopes: Scope[];
  name: string;
  budgets?: Budgets | null;
  /** ISO 8601. */
  expiresAt?: string | null;
  /** The app whose access token the secret is, and until when it works, ISO 8601. */
  app?: { clientId: string };
  accessUntil?: string;
}

/** A key with its secret, which is stored nowhere. */
export interface KeyWithSecret {
  key: ApiKey;
  secret: string;
}

/** @throws ServiceError `conflict` if the brand has as many active keys as its plan allows */
export function createApiKey(acting: Acting, input: NewApiKey): Promise<KeyWithSecret> {
  return transact(acting.kv, (commit) => addApiKey(commit, acting, input));
}

/** Adds a key to `commit`. @throws ServiceError like `createApiKey` */
export async function addApiKey(
  commit: Commit,
  acting: Pick<Acting, "now" | "by">,
  input: NewApiKey,
): Promise<KeyWithSecret> {
  const at = acting.now();
  const brand = await requireBrand(commit, input.brandId);
  const active = await requireRoomForKey(commit, brand);
  const secret = newSecret();
  const hash = await sha256(secret);
  const { app, accessUntil } = input;
  const key: ApiKey = {
    id: newId("key", at),
    brandId: brand.id,
    name: input.name,
    scopes: [...new Set(input.scopes)],
    prefix: prefixOf(secret),
    createdAt: new Date(at).toISOString(),
    revokedAt: null,
    budgets: input.budgets ?? null,
    expiresAt: input.expiresAt ?? null,
    ...app === undefined || accessUntil === undefined ? {} : { app, accessUntil },
  };
  commit.set(apiKeyKey(hash), key);
  commit.set(keyHashKey(key.id), hash);
  commit.set(brandKeyKey(brand.id, key.id), hash);
  commit.set(keyCountKey(brand.id), active + 1);
  const details = {
    ...{ name: key.name, scopes: key.scopes.join(",") },
    ...app === undefined ? {} : { app: app.clientId },
  };
  audit(commit, acting, { action: "key.created", of: brand.id, subject: key.id, details });
  const data = { keyId: key.id, name: key.name, scopes: key.scopes };
  emit(commit, { brandId: brand.id, type: "key.created", at, data });
  return { key, secret };
}

const prefixOf = (secret: string): string => secret.slice(0, 8);

/** The number of the brand's active keys. @throws ServiceError `conflict` if the plan allows no more */
export async function requireRoomForKey(
  from: Reader,
  { id, plan }: Pick<Brand, "id" | "plan">,
): Promise<number> {
  const active = await from.get<number>(keyCountKey(id)) ?? 0;
  const limit = PLANS[plan].activeKeys;
  if (active < limit) return active;
  throw new ServiceError(
    "conflict",
    `The ${plan} plan allows ${limit} active ${limit === 1 ? "key" : "keys"}. Revoke one first.`,
  );
}

/** The key with that id and the hash of its secret, or null. */
export async function keyOfId(
  from: Reader,
  id: string,
): Promise<{ key: ApiKey; hash: string } | null> {
  const hash = isId("key", id) ? await from.get<string>(keyHashKey(id)) : null;
  const key = hash === null ? null : await from.get<ApiKey>(apiKeyKey(hash));
  return hash === null || key === null ? null : { key, hash };
}

/** Gives an app's key another secret. The one before it ends at once, in every process. */
export async function renewSecret(
  commit: Commit,
  { key, hash: before }: { key: ApiKey; hash: string },
  accessUntil: string,
): Promise<KeyWithSecret> {
  const secret = newSecret();
  const hash = await sha256(secret);
  const renewed: ApiKey = { ...key, prefix: prefixOf(secret), accessUntil };
  commit.delete(apiKeyKey(before));
  commit.set(apiKeyKey(hash), renewed);
  commit.set(keyHashKey(key.id), hash);
  commit.set(brandKeyKey(key.brandId, key.id), hash);
  await touchCount(commit, key.brandId);
  return { key: renewed, secret };
}

/**
 * Revokes a key for the very next request, in every process. Revoking it again changes nothing.
 * @param why goes into the audit trail, where nobody asked for it by name
 */
export function revokeApiKey(acting: Acting, id: string, why?: string): Promise<ApiKey> {
  const { kv, now } = acting;
  return transact(kv, async (commit) => {
    const found = await keyOfId(commit, id);
    if (found === null) throw noSuch("key");
    const { key, hash } = found;
    if (key.revokedAt !== null) return key;
    const revoked = { ...key, revokedAt: new Date(now()).toISOString() };
    const active = await commit.get<number>(keyCountKey(key.brandId)) ?? 0;
    commit.set(apiKeyKey(hash), revoked);
    await touchCount(commit, key.brandId);
    commit.set(keyCountKey(key.brandId), Math.max(0, active - 1));
    const details = { name: key.name, ...why === undefined ? {} : { why } };
    audit(commit, acting, { action: "key.revoked", of: key.brandId, subject: id, details });
    const { brandId, name } = key;
    emit(commit, { brandId, type: "key.revoked", at: now(), data: { keyId: id, name } });
    return revoked;
  });
}

/** The brand's keys, oldest first, revoked ones included. */
export async function listApiKeys(kv: Deno.Kv, brandId: string): Promise<ShownKey[]> {
  const hashes: string[] = [];
  for await (const entry of kv.list<string>({ prefix: ["brandApiKey", brandId] })) {
    hashes.push(entry.value);
  }
  const keys = (await getEach<ApiKey>(kv, hashes.map(apiKeyKey))).filter((key) => key !== null);
  const used = await getEach<string>(kv, keys.map((key) => lastUsedKey(key.id)));
  return keys.map((key, index) => ({ ...key, lastUsedAt: used[index] ?? null }));
}

/**
 * The names of the brand's active keys that may manage brands. A key that is made meanwhile makes the
 * commit run again.
 */
export async function keysThatManage(
  commit: Commit,
  kv: Deno.Kv,
  brandId: string,
): Promise<string[]> {
  await commit.get(keyCountKey(brandId));
  return (await listApiKeys(kv, brandId))
    .filter(({ revokedAt, scopes }) => revokedAt === null && scopes.includes("brandsWrite"))
    .map(({ name }) => name);
}

/** Where the store has rows of the brand's keys that are found by their own id or hash. */
export async function apiKeyRows(kv: Deno.Kv, brandId: string): Promise<Deno.KvKey[]> {
  const rows: Deno.KvKey[] = [];
  for await (const { key, value } of kv.list<string>({ prefix: ["brandApiKey", brandId] })) {
    const id = String(key[2]);
    rows.push(apiKeyKey(value), keyHashKey(id), lastUsedKey(id));
  }
  return rows;
}

/** Notes the day of use under a key of its own, so that the API key's record stays unchanged. */
export async function noteKeyUse(kv: Deno.Kv, keyId: string, day: string): Promise<void> {
  await transact(kv, (commit) => commit.set(lastUsedKey(keyId), day));
}
