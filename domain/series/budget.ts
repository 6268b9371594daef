/** A series' monthly budget against what was debited for it; `credits.ts` counts the debits. */
import { monthOf } from "../foundation/calendar.ts";
import { seriesSpentKey } from "../brands/credits.ts";
import type { Commit } from "../kv/transact.ts";
import type { StoredSeries } from "./records.ts";

/** Credits debited in each of the months of `instants` (ms). */
export async function readSpent(
  kv: Deno.Kv,
  { brandId, id }: StoredSeries,
  instants: number[],
): Promise<Map<string, number>> {
  const months = [...new Set(instants.map(monthOf))];
  const entries = await Promise.all(
    months.map((month) => kv.get<number>(seriesSpentKey(brandId, id, month))),
  );
  return new Map(months.map((month, index) => [month, entries[index]?.value ?? 0]));
}

/** Whether the budget of the month of `at` covers `credits` more. Reads through `commit`. */
export async function hasBudget(
  commit: Commit,
  { brandId, id, creditBudgetMonthly }: StoredSeries,
  at: number,
  credits: number,
): Promise<boolean> {
  if (creditBudgetMonthly === null) return true;
  const spent = await commit.get<number>(seriesSpentKey(brandId, id, monthOf(at))) ?? 0;
  return spent + credits <= creditBudgetMonthly;
}
