/** What an API key may do and spend, beyond its scopes. A key without budgets is bound by scopes only. */
import { z } from "zod";
import { DAY, dayOf, HOUR, iso, startOfDay } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import type { Commit, Reader } from "../kv/transact.ts";

const amount = z.int().min(0).max(100_000).nullable().default(null);
const ids = z.array(z.string().min(1).max(60)).max(200).nullable().default(null);

export const Budgets = z.strictObject({
  publishesPerDay: amount.describe("Posts that it publishes in a UTC day."),
  creditsPerDay: amount.describe("Image credits that it spends in a UTC day."),
  seriesIds: ids.describe("The only series whose posts it may change; then no one-off posts."),
  accountIds: ids.describe("The only accounts for which it may change or publish posts."),
  hoursUtc: z.tuple([z.int().min(0).max(23), z.int().min(0).max(24)]).nullable().default(null)
    .describe("From this hour (UTC) to before that one; [22, 6] passes midnight."),
});
export type Budgets = z.output<typeof Budgets>;

/** The part of a key that this file reads. */
export interface BudgetedKey {
  id: string;
  brandId: string;
  /** Absent in keys of earlier versions: none. */
  budgets?: Budgets | null;
  /** The key no longer works from this instant on. Absent or null: it works until it is revoked. */
  expiresAt?: string | null;
  /** Of an app that signed in: its current access token works until then. Absent or null: no app. */
  accessUntil?: string | null;
}

/** Whether the key's secret works no more; an app may have a newer one after `accessUntil`. */
export function isExpired(key: BudgetedKey, at: number): boolean {
  return isOver(key, at) || isBefore(key.accessUntil, at);
}

/** Whether the key itself works no more. */
export function isOver({ expiresAt }: BudgetedKey, at: number): boolean {
  return isBefore(expiresAt, at);
}

const isBefore = (instant: string | null | undefined, at: number): boolean =>
  typeof instant === "string" && Date.parse(instant) <= at;

/** @throws ServiceError `forbidden` outside the key's hours */
export function requireHours({ budgets }: BudgetedKey, at: number): void {
  if (!budgets?.hoursUtc) return;
  const [from, to] = budgets.hoursUtc;
  const hour = Math.floor((at - startOfDay(at)) / HOUR);
  if (from < to ? hour >= from && hour < to : hour >= from || hour < to) return;
  const today = startOfDay(at) + from * HOUR;
  throw refusal(
    `This key works from ${from}:00 to ${to}:00 UTC only.`,
    today > at ? today : today + DAY,
  );
}

/** What an operation is about to change. */
interface Touched {
  /** Null: a post of no series. Absent: nothing of a series. */
  seriesId?: string | null;
  /** Null or absent: no account. */
  accountId?: string | null;
}

/** @throws ServiceError `forbidden` for a series or account that the key may not touch */
export function requireMayTouch({ budgets }: BudgetedKey, { seriesId, accountId }: Touched): void {
  const { seriesIds = null, accountIds = null } = budgets ?? {};
  if (seriesIds !== null && seriesId !== undefined && !seriesIds.includes(seriesId ?? "")) {
    throw new ServiceError(
      "forbidden",
      `This key may only change posts of the series ${named(seriesIds)}.`,
    );
  }
  if (accountIds !== null && accountId && !accountIds.includes(accountId)) {
    throw new ServiceError("forbidden", `This key may only use the accounts ${named(accountIds)}.`);
  }
}

const named = (ids: string[]) => ids.length === 0 ? "(none)" : ids.join(", ");

interface Spent {
  publishes: number;
  credits: number;
}

const NOTHING: Spent = { publishes: 0, credits: 0 };
const KEEP_MS = 2 * DAY;

const spentKey = ({ brandId, id }: BudgetedKey, at: number): Deno.KvKey => [
  "keySpent",
  brandId,
  id,
  dayOf(at),
];

/**
 * Counts what the key spends, in the commit that spends it.
 * @throws ServiceError `forbidden` when the day's budget does not cover it
 */
export async function spend(
  commit: Commit,
  key: BudgetedKey,
  at: number,
  what: keyof Spent,
  count: number,
): Promise<void> {
  const most = mostOf(key)[what];
  if (most === null || count === 0) return;
  const spent = await commit.get<Spent>(spentKey(key, at)) ?? NOTHING;
  const left = Math.max(0, most - spent[what]);
  if (count > left) {
    const need = count === 1 ? "" : `, and this needs ${count}`;
    throw refusal(
      `This key may ${VERBS[what].replace("N", String(most))} a UTC day. ${left} of them are ` +
        `left${need}.`,
      startOfDay(at) + DAY,
    );
  }
  // The store expires entries late, but each day has a key of its own.
  commit.set(spentKey(key, at), { ...spent, [what]: spent[what] + count }, { expireIn: KEEP_MS });
}

const VERBS = { publishes: "publish N posts", credits: "spend N image credits" } as const;

function mostOf({ budgets }: BudgetedKey): Record<keyof Spent, number | null> {
  return { publishes: budgets?.publishesPerDay ?? null, credits: budgets?.creditsPerDay ?? null };
}

/** What is left of the day's budgets; null where there is none. */
export async function readLeft(
  from: Reader,
  key: BudgetedKey,
  at: number,
): Promise<Record<keyof Spent, number | null>> {
  const spent = await from.get<Spent>(spentKey(key, at)) ?? NOTHING;
  const most = mostOf(key);
  const left = (what: keyof Spent) => {
    const limit = most[what];
    return limit === null ? null : Math.max(0, limit - spent[what]);
  };
  return { publishes: left("publishes"), credits: left("credits") };
}

function refusal(words: string, again: number): ServiceError {
  return new ServiceError("forbidden", `${words} It may again from ${iso(again)} on.`);
}
