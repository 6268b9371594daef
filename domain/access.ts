/** API keys: secret → hash → brand and scopes. The secret is shown once and never stored. */
import { z } from "zod";
import { requireBrand } from "./brands.ts";
import type { Now } from "./clock.ts";
import { noSuch, ServiceError } from "./errors.ts";
import { isId, newId } from "./ids.ts";
import { getEach, transact } from "./kv.ts";
import { touchCount } from "./meter/count.ts";
import { PLANS } from "./plans.ts";
import { sha256 } from "./secrets.ts";

export const Scope = z.enum([
  "postsRead",
  "createRead",
  "createWrite",
  "publishWrite",
  "brandsWrite",
]);
export type Scope = z.output<typeof Scope>;

/** A key as stored under the hash of its secret. */
export interface ApiKey {
  id: string;
  brandId: string;
  name: string;
  scopes: Scope[];
  /** The secret's first 8 characters, for recognition. */
  prefix: string;
  createdAt: string;
  revokedAt: string | null;
}

/** A key as shown to its owner. `lastUsedAt` is a UTC day, yyyy-mm-dd. */
export type ShownKey = ApiKey & { lastUsedAt: string | null };

export const apiKeyKey = (hash: string): Deno.KvKey => ["apiKey", hash];
const keyHashKey = (id: string) => ["apiKeyHash", id];
const brandKeyKey = (brandId: string, id: string) => ["brandApiKey", brandId, id];
const keyCountKey = (brandId: string) => ["apiKeyCount", brandId];
const lastUsedKey = (id: string) => ["apiKeyLastUsed", id];

// Format: mq_ + 256 random bits in base62 + CRC-32 in base62, so that secret scanners recognise it
// and a typo never reaches the store.
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
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

export function newSecret(): string {
  const random = crypto.getRandomValues(new Uint8Array(32));
  let digits = "";
  for (let rest = BigInt(`0x${random.toHex()}`); digits.length < RANDOM_LENGTH; rest /= 62n) {
    digits = BASE62[Number(rest % 62n)] + digits;
  }
  return `mq_${digits}${checkOf(digits)}`;
}

/** The hash under which the secret's key is stored, or null when it can't be one of ours. */
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
}

/** @throws ServiceError `conflict` when the plan's number of active keys is reached */
export function createApiKey(
  kv: Deno.Kv,
  now: Now,
  input: NewApiKey,
): Promise<{ key: ApiKey; secret: string }> {
  return transact(kv, async (commit) => {
    const brand = await requireBrand(commit, input.brandId);
    const active = await commit.get<number>(keyCountKey(brand.id)) ?? 0;
    const limit = PLANS[brand.plan].activeKeys;
    if (active >= limit) {
      throw new ServiceError(
        "conflict",
        `The ${brand.plan} plan allows ${limit} active ${limit === 1 ? "key" : "keys"}; ` +
          "revoke one first.",
      );
    }
    const secret = newSecret();
    const hash = (await hashSecret(secret))!;
    const key: ApiKey = {
      id: newId("key", now()),
      brandId: brand.id,
      name: input.name,
      scopes: [...new Set(input.scopes)],
      prefix: secret.slice(0, 8),
      createdAt: new Date(now()).toISOString(),
      revokedAt: null,
    };
    commit.set(apiKeyKey(hash), key);
    commit.set(keyHashKey(key.id), hash);
    commit.set(brandKeyKey(brand.id, key.id), hash);
    commit.set(keyCountKey(brand.id), active + 1);
    return { key, secret };
  });
}

/** Takes effect in the very next request, in every process; revoking again changes nothing. */
export function revokeApiKey(kv: Deno.Kv, now: Now, id: string): Promise<ApiKey> {
  return transact(kv, async (commit) => {
    const hash = isId("key", id) ? await commit.get<string>(keyHashKey(id)) : null;
    const key = hash === null ? null : await commit.get<ApiKey>(apiKeyKey(hash));
    if (hash === null || key === null) throw noSuch("key");
    if (key.revokedAt !== null) return key;
    const revoked = { ...key, revokedAt: new Date(now()).toISOString() };
    const active = await commit.get<number>(keyCountKey(key.brandId)) ?? 0;
    commit.set(apiKeyKey(hash), revoked);
    await touchCount(commit, key.brandId);
    commit.set(keyCountKey(key.brandId), Math.max(0, active - 1));
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
  return keys.map((key, at) => ({ ...key, lastUsedAt: used[at] ?? null }));
}

/** Notes the day of use beside the key, so that the key's own record stays unchanged. */
export async function noteKeyUse(kv: Deno.Kv, keyId: string, day: string): Promise<void> {
  await transact(kv, (commit) => commit.set(lastUsedKey(keyId), day));
}
