/** A Google call: token, scope, and the day's quota of the project. */
import { DAY, HOUR } from "../../../domain/calendar.ts";
import { patiently } from "../../../domain/kv.ts";
import { accountByNumber, type SandboxAccount } from "../../../domain/sandbox/accounts.ts";
import { readToken } from "../../../domain/sandbox/tokens.ts";
import type { Service } from "../../../domain/service.ts";
import { insufficientScopes, invalidCredentials, quotaExceeded } from "./errors.ts";

/** Units a day for everything but search and uploads; a list call costs 1, invalid ones too. */
export const DAILY_UNITS = 10_000n;
/** Midnight Pacific as standard time has it. */
const PACIFIC_MS = 8 * HOUR;

export interface GoogleCall {
  request: Request;
  query: URLSearchParams;
  account: SandboxAccount;
}

/** @throws Refusal for a token that is missing, unknown, too old or lacks `scope` */
export async function googleCall(
  { kv, now }: Service,
  request: Request,
  scope: "youtube.readonly" | "yt-analytics.readonly",
): Promise<GoogleCall> {
  const query = new URL(request.url).searchParams;
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const token = bearer ?? query.get("access_token");
  const record = token === null ? null : await readToken(kv, "youtube", token);
  if (record?.kind !== "access" || record.expiresAt <= now()) throw invalidCredentials();
  const account = await accountByNumber(kv, "youtube", record.number);
  if (account === null) throw invalidCredentials();
  if (!record.scopes.some((name) => name.endsWith(`/${scope}`))) throw insufficientScopes();
  return { request, query, account };
}

/** Spends a unit of the project's day. @throws Refusal when none is left */
export async function spendUnit({ kv, now }: Service): Promise<void> {
  const key = quotaKey(now());
  const used = (await kv.get<Deno.KvU64>(key)).value?.value ?? 0n;
  if (used >= DAILY_UNITS) throw quotaExceeded();
  await patiently(() => kv.atomic().sum(key, 1n).commit());
}

/** Units of the Pacific day that holds `at`. */
export const quotaKey = (at: number): Deno.KvKey => [
  "sandbox",
  "youtube",
  "units",
  Math.floor((at - PACIFIC_MS) / DAY),
];
