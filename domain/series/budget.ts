/** What a series was debited, by UTC month: kept in the commit of every debit. */
import { monthOf } from "../calendar.ts";
import type { Commit } from "../kv.ts";
import type { StoredSeries } from "./records.ts";

type Id = Pick<StoredSeries, "brandId" | "id">;

const spentKey = ({ brandId, id }: Id, month: string): Deno.KvKey => [
  "seriesSpent",
  brandId,
  id,
  month,
];

/** Credits debited in each of the months of `instants` (ms). */
export async function readSpent(
  kv: Deno.Kv,
  series: Id,
  instants: number[],
): Promise<Map<string, number>> {
  const months = [...new Set(instants.map(monthOf))];
  const entries = await Promise.all(
    months.map((month) => kv.get<number>(spentKey(series, month))),
  );
  return new Map(months.map((month, at) => [month, entries[at]!.value ?? 0]));
}

/** Whether the month of `at` can pay for `credits` more, as a read of `commit`. */
export async function hasBudget(
  commit: Commit,
  series: StoredSeries,
  at: number,
  credits: number,
): Promise<boolean> {
  if (series.creditBudgetMonthly === null) return true;
  const spent = await commit.get<number>(spentKey(series, monthOf(at))) ?? 0;
  return spent + credits <= series.creditBudgetMonthly;
}

/** Notes a debit in the commit that makes it. */
export async function noteSpent(
  commit: Commit,
  series: Id,
  at: number,
  credits: number,
): Promise<void> {
  const key = spentKey(series, monthOf(at));
  commit.set(key, (await commit.get<number>(key) ?? 0) + credits);
}
