/** Tokens and codes of the sandbox, stored by their hash: who they speak for, and until when. */
import { createHash } from "node:crypto";
import { DAY, HOUR, MINUTE, SECOND } from "../calendar.ts";
import type { Now } from "../clock.ts";
import { transact } from "../kv.ts";
import type { Platform } from "../posts/shape.ts";
import type { SandboxAccount } from "./accounts.ts";

/** `short` is Instagram's hour-long token before it is exchanged. */
export type TokenKind = "code" | "short" | "access" | "refresh";

export interface SandboxToken {
  kind: TokenKind;
  /** The account it speaks for. */
  number: number;
  scopes: string[];
  /** Instants, ms. */
  issuedAt: number;
  expiresAt: number;
  /** Of a code: where it was sent, and to which app. */
  redirectUri?: string;
  clientId?: string;
}

/** Lives in ms (PLATFORMS A.2, B.2, C.1). Google's refresh token dies when unused for six months. */
const LIVES: Record<Platform, Partial<Record<TokenKind, number>>> = {
  instagram: { code: HOUR, short: HOUR, access: 5_183_944 * SECOND },
  linkedin: { code: 30 * MINUTE, access: 60 * DAY, refresh: 365 * DAY },
  youtube: { code: 10 * MINUTE, access: 3_599 * SECOND, refresh: 182 * DAY },
};

const PREFIXES: Record<Platform, Record<TokenKind, string>> = {
  instagram: { code: "AQB", short: "IGAAS", access: "IGAAL", refresh: "IGAAR" },
  linkedin: { code: "AQT", short: "AQS", access: "AQX", refresh: "AQV" },
  youtube: { code: "4/0A", short: "ya29.s", access: "ya29.a0", refresh: "1//0" },
};

export const tokenKey = (platform: Platform, token: string): Deno.KvKey => [
  "sandbox",
  platform,
  "token",
  createHash("sha256").update(token).digest("hex"),
];

export type NewToken = Pick<SandboxToken, "kind" | "scopes" | "redirectUri" | "clientId">;

/** Makes a token for `account`; only the caller ever sees it. */
export async function issueToken(
  kv: Deno.Kv,
  now: Now,
  account: SandboxAccount,
  token: NewToken,
): Promise<{ token: string; expiresIn: number }> {
  const life = LIVES[account.platform][token.kind] ?? HOUR;
  const random = crypto.getRandomValues(new Uint8Array(48));
  const secret = PREFIXES[account.platform][token.kind] +
    random.toBase64({ alphabet: "base64url", omitPadding: true });
  const record: SandboxToken = {
    ...token,
    number: account.number,
    issuedAt: now(),
    expiresAt: now() + life,
  };
  await transact(kv, (commit) => commit.set(tokenKey(account.platform, secret), record));
  return { token: secret, expiresIn: Math.floor(life / SECOND) };
}

/** The token's record, also an expired one, or null for one that was never issued. */
export async function readToken(
  kv: Deno.Kv,
  platform: Platform,
  token: string,
): Promise<SandboxToken | null> {
  return (await kv.get<SandboxToken>(tokenKey(platform, token))).value;
}

/** Takes a single-use code; null when it is unknown, used or too old. */
export function spendCode(
  kv: Deno.Kv,
  now: Now,
  platform: Platform,
  code: string,
): Promise<SandboxToken | null> {
  const key = tokenKey(platform, code);
  return transact(kv, async (commit) => {
    const record = await commit.get<SandboxToken>(key);
    if (record === null || record.kind !== "code") return null;
    commit.delete(key);
    return record.expiresAt > now() ? record : null;
  });
}

/** Google's refresh token lives on by being used. */
export function prolongToken(
  kv: Deno.Kv,
  now: Now,
  platform: Platform,
  token: string,
): Promise<void> {
  const key = tokenKey(platform, token);
  return transact(kv, async (commit) => {
    const record = await commit.get<SandboxToken>(key);
    if (record === null) return;
    commit.set(key, { ...record, expiresAt: now() + (LIVES[platform][record.kind] ?? HOUR) });
  });
}
