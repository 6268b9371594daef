/** The sandbox's tokens and codes, stored under their hashes, with their account and their end. */
import { createHash } from "node:crypto";
import { DAY, HOUR, MINUTE, type Now, SECOND } from "../../foundation/calendar.ts";
import { base64url } from "../../foundation/secrets.ts";
import { transact } from "../../kv/transact.ts";
import type { Platform } from "../../posts/shape.ts";
import type { SandboxAccount } from "./accounts.ts";

/** `short`: Instagram's token for one hour, which is exchanged for an `access` token. */
type TokenKind = "code" | "short" | "access" | "refresh";

export interface SandboxToken {
  kind: TokenKind;
  /** The account's number. */
  number: number;
  scopes: string[];
  /** Instants, ms. */
  issuedAt: number;
  expiresAt: number;
  /** A code's redirect address and app. */
  redirectUri?: string;
  clientId?: string;
  /** A code's PKCE challenge, S256; absent when the app sent none. */
  challenge?: string;
}

/** Lifetimes in ms (PLATFORMS A.2, B.2, C.1). Google's refresh token expires after 6 months unused. */
const LIFETIMES: Record<Platform, Partial<Record<TokenKind, number>>> = {
  instagram: { code: HOUR, short: HOUR, access: 5_183_944 * SECOND },
  linkedin: { code: 30 * MINUTE, access: 60 * DAY, refresh: 365 * DAY },
  youtube: { code: 10 * MINUTE, access: 3_599 * SECOND, refresh: 182 * DAY },
};

const PREFIXES: Record<Platform, Record<TokenKind, string>> = {
  instagram: { code: "AQB", short: "IGAAS", access: "IGAAL", refresh: "IGAAR" },
  linkedin: { code: "AQT", short: "AQS", access: "AQX", refresh: "AQV" },
  youtube: { code: "4/0A", short: "ya29.s", access: "ya29.a0", refresh: "1//0" },
};

const tokenKey = (platform: Platform, token: string): Deno.KvKey => [
  "sandbox",
  platform,
  "token",
  createHash("sha256").update(token).digest("hex"),
];

type NewToken = Pick<SandboxToken, "kind" | "scopes" | "redirectUri" | "clientId" | "challenge">;

/** Issues a token for `account`. It is stored only as a hash. */
export async function issueToken(
  kv: Deno.Kv,
  now: Now,
  account: SandboxAccount,
  token: NewToken,
): Promise<{ token: string; expiresIn: number }> {
  const life = LIFETIMES[account.platform][token.kind] ?? HOUR;
  const random = crypto.getRandomValues(new Uint8Array(48));
  const secret = PREFIXES[account.platform][token.kind] + base64url(random);
  const record: SandboxToken = {
    ...token,
    number: account.number,
    issuedAt: now(),
    expiresAt: now() + life,
  };
  await transact(kv, (commit) => commit.set(tokenKey(account.platform, secret), record));
  return { token: secret, expiresIn: Math.floor(life / SECOND) };
}

/** The token's record, even if it has expired; null for a token that was never issued. */
export async function readToken(
  kv: Deno.Kv,
  platform: Platform,
  token: string,
): Promise<SandboxToken | null> {
  return (await kv.get<SandboxToken>(tokenKey(platform, token))).value;
}

/** Forgets every token of the account. */
export async function revokeTokens(kv: Deno.Kv, account: SandboxAccount): Promise<void> {
  const tokens = kv.list<SandboxToken>({ prefix: ["sandbox", account.platform, "token"] });
  for await (const { key, value } of tokens) {
    if (value.number === account.number) await transact(kv, (commit) => commit.delete(key));
  }
}

/** Redeems a single-use code; null when it is unknown, used or expired. */
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

/** Extends the life of a token: each use extends Google's refresh token. */
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
    commit.set(key, { ...record, expiresAt: now() + (LIFETIMES[platform][record.kind] ?? HOUR) });
  });
}
