/** The sandbox's accounts: a handle is opened once, with a seeded history, and keeps its number. */
import { invalid } from "../errors.ts";
import { type Commit, transact } from "../kv.ts";
import type { Now } from "../clock.ts";
import type { Platform } from "../posts/shape.ts";
import { hashOf } from "../random.ts";
import { sampleChannel } from "./sample.ts";

export interface SandboxAccount {
  platform: Platform;
  handle: string;
  /** Ten digits from which the platform's own ids are made. */
  number: number;
  /** Instant, ms; the seeded history lies before it. */
  createdAt: number;
  /** How many posts the seeded history has. */
  seeded: number;
  /** Of a channel in the real sample; null for a made-up history. */
  sampleChannelId: string | null;
}

/** Posts of a new handle's history (DECISIONS "Sandbox"). */
export const SEEDED_POSTS = 40;
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
  /** For benchmarks: another length of the history. */
  seeded?: number;
}

/** The account of `handle`, opened with a history that ends now when it is new. */
export async function openAccount(
  kv: Deno.Kv,
  now: Now,
  platform: Platform,
  handle: string,
  { seeded = SEEDED_POSTS }: NewHandle = {},
): Promise<SandboxAccount> {
  const name = checkedHandle(handle);
  const sample = platform === "youtube" ? await sampleChannel(name) : null;
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

/** Accounts never change, so each store's are remembered. */
const remembered = new WeakMap<Deno.Kv, Map<string, SandboxAccount>>();

export async function accountByNumber(
  kv: Deno.Kv,
  platform: Platform,
  number: number,
): Promise<SandboxAccount | null> {
  const known = remembered.get(kv) ?? new Map<string, SandboxAccount>();
  remembered.set(kv, known);
  const name = `${platform} ${number}`;
  const cached = known.get(name);
  if (cached !== undefined) return cached;
  const handle = (await kv.get<string>(numberKey(platform, number))).value;
  const account = handle === null ? null : await findAccount(kv, platform, handle);
  if (account !== null) known.set(name, account);
  return account;
}

/** LinkedIn handles are organizations, `member-...` are people. */
export function isMember({ platform, handle }: SandboxAccount): boolean {
  return platform === "linkedin" && handle.toLowerCase().startsWith("member-");
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
