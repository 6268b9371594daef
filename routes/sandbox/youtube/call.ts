/** A call to Google: token, scope, and the project's daily quota. */
import { DAY, HOUR } from "../../../domain/foundation/calendar.ts";
import { retryWhileLocked } from "../../../domain/kv/transact.ts";
import {
  accountByNumber,
  type SandboxAccount,
} from "../../../domain/platforms/sandbox/accounts.ts";
import { readToken } from "../../../domain/platforms/sandbox/tokens.ts";
import type { Service } from "../../../domain/service/service.ts";
import { insufficientScopes, invalidCredentials, quotaExceeded } from "./errors.ts";

/** Units a day for all calls but search and uploads. A list call costs 1, even an invalid one. */
const DAILY_UNITS = 10_000n;
/** Pacific standard time, behind UTC. */
const PACIFIC_MS = 8 * HOUR;

export interface GoogleCall {
  request: Request;
  query: URLSearchParams;
  account: SandboxAccount;
}

/** @throws Refusal for a token that is missing, unknown, expired or without `scope` */
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

/** Spends one unit of the day's quota. @throws Refusal when none is left */
export async function spendUnit({ kv, now }: Service): Promise<void> {
  const key = quotaKey(now());
  const used = (await kv.get<Deno.KvU64>(key)).value?.value ?? 0n;
  if (used >= DAILY_UNITS) throw quotaExceeded();
  await retryWhileLocked(() => kv.atomic().sum(key, 1n).commit());
}

/** The key of the units spent on the Pacific day of `at`. */
export const quotaKey = (at: number): Deno.KvKey => [
  "sandbox",
  "youtube",
  "units",
  Math.floor((at - PACIFIC_MS) / DAY),
];
