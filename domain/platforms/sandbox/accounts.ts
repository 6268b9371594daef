/** The sandbox's accounts. A handle is opened once, with a made-up history, and keeps its number. */
import { invalid } from "../../foundation/errors.ts";
import { type Commit, transact } from "../../kv/transact.ts";
import type { Now } from "../../foundation/calendar.ts";
import type { Platform } from "../../posts/shape.ts";
import { hashOf } from "../../foundation/chance.ts";
import { sampleChannel } from "./sample.ts";
import { SANDBOX_TRAITS } from "./traits.ts";

export interface SandboxAccount {
  platform: Platform;
  handle: string;
  /** Ten digits, part of every id that the platform issues for the account. */
  number: number;
  /** Instant, ms. The made-up history ends here. */
  createdAt: number;
  /** How many posts the made-up history has. */
  seeded: number;
  /** The id of a channel in the real sample; null for a made-up history. */
  sampleChannelId: string | null;
}

/** Posts in a new handle's history (DECISIONS "Sandbox"). */
const SEEDED_POSTS = 40;
const LOWEST_NUMBER = 1_000_000_000;
const MAX_HANDLE = 80;

const handleKey = (platform: Platform, handle: string): Deno.KvKey => [
  "sandbox",
  platform,
  "handle",
  handle.toLowerCase(),
];
const numberKey = (platform: Platform, number: number): Deno.KvKey => [
  "sandbox",
  platform,
  "number",
  number,
];

export interface NewHandle {
  /** Another length of the history, for benchmarks. */
  seeded?: number;
}

/** Returns the account of `handle`. A new handle is opened with a history that ends now. */
export async function openAccount(
  kv: Deno.Kv,
  now: Now,
  platform: Platform,
  handle: string,
  { seeded = SEEDED_POSTS }: NewHandle = {},
): Promise<SandboxAccount> {
  const name = checkedHandle(handle);
  const sample = SANDBOX_TRAITS[platform].hasSample ? await sampleChannel(name) : null;
  return await transact(kv, async (commit) => {
    const known = await commit.get<SandboxAccount>(handleKey(platform, name));
    if (known !== null) return known;
    const number = await freeNumber(commit, platform, name);
    const account: SandboxAccount = {
      platform,
      handle: sample?.channel ?? name,
      number,
      createdAt: now(),
      seeded: sample?.videos.length ?? seeded,
      sampleChannelId: sample?.channelId ?? null,
    };
    commit.set(handleKey(platform, name), account);
    commit.set(numberKey(platform, number), name);
    return account;
  });
}

export async function findAccount(
  kv: Deno.Kv,
  platform: Platform,
  handle: string,
): Promise<SandboxAccount | null> {
  if (handle === "" || handle.length > MAX_HANDLE) return null;
  return (await kv.get<SandboxAccount>(handleKey(platform, handle))).value;
}

/** An account never changes, so each store's accounts are kept in memory. */
const caches = new WeakMap<Deno.Kv, Map<string, SandboxAccount>>();

export async function accountByNumber(
  kv: Deno.Kv,
  platform: Platform,
  number: number,
): Promise<SandboxAccount | null> {
  const cache = caches.get(kv) ?? new Map<string, SandboxAccount>();
  caches.set(kv, cache);
  const name = `${platform} ${number}`;
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  const handle = (await kv.get<string>(numberKey(platform, number))).value;
  const account = handle === null ? null : await findAccount(kv, platform, handle);
  if (account !== null) cache.set(name, account);
  return account;
}

/** Like `accountByNumber`, for a number that a token or a code holds: accounts are never deleted. */
export async function requireAccount(
  kv: Deno.Kv,
  platform: Platform,
  number: number,
): Promise<SandboxAccount> {
  const account = await accountByNumber(kv, platform, number);
  if (account === null) throw new Error(`The sandbox has no ${platform} account ${number}.`);
  return account;
}

/** Whether the account is a person's: on LinkedIn `member-...`, while other handles are organizations. */
export function isMember({ platform, handle }: SandboxAccount): boolean {
  return SANDBOX_TRAITS[platform].hasMembers && handle.toLowerCase().startsWith("member-");
}

async function freeNumber(commit: Commit, platform: Platform, handle: string): Promise<number> {
  let number = LOWEST_NUMBER + hashOf(`${platform}/${handle.toLowerCase()}`);
  while (await commit.get(numberKey(platform, number)) !== null) number++;
  return number;
}

function checkedHandle(handle: string): string {
  const name = handle.replace(/^@/, "");
  if (name.trim() === "" || name.length > MAX_HANDLE || /[\p{Cc}/?#]/u.test(name)) {
    throw invalid("handle", `must be 1 to ${MAX_HANDLE} characters without /, ? or #`);
  }
  return name;
}
