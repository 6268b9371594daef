/** Image credits: an allowance a UTC month, debited in the commit of what they pay for. */
import { z } from "zod";
import type { Brand } from "./brands.ts";
import { dayOf, monthOf, startOfNextMonth } from "./calendar.ts";
import { ServiceError } from "./errors.ts";
import { type Commit, transact } from "./kv.ts";
import { operation } from "./operation.ts";
import { PLANS } from "./plans.ts";

export const Credits = z.object({
  allowance: z.int().describe("Image credits for the current month."),
  used: z.int(),
  remaining: z.int().describe("Never below 0, also after a change to a smaller plan."),
}).meta({ id: "Credits" });
export type Credits = z.output<typeof Credits>;

/** A month's account. The plan's share is not in it: plans change at once and keep what was used. */
interface Month {
  used: number;
  granted: number;
}

const monthKey = (brandId: string, at: number): Deno.KvKey => ["credits", brandId, monthOf(at)];
const UNTOUCHED: Month = { used: 0, granted: 0 };

/** Credits that were debited for a series' images in a month, yyyy-mm. */
export const seriesSpentKey = (brandId: string, seriesId: string, month: string): Deno.KvKey => [
  "seriesSpent",
  brandId,
  seriesId,
  month,
];

function creditsOf({ plan }: Brand, { used, granted }: Month): Credits {
  const allowance = PLANS[plan].creditsPerMonth + granted;
  return { allowance, used, remaining: Math.max(0, allowance - used) };
}

export async function readCredits(kv: Deno.Kv, brand: Brand, at: number): Promise<Credits> {
  const month = (await kv.get<Month>(monthKey(brand.id, at))).value ?? UNTOUCHED;
  return creditsOf(brand, month);
}

/** What the brand's month was before and after a debit. */
export interface Debit {
  before: Credits;
  after: Credits;
}

/**
 * Takes `count` credits in `commit`, all or none; what a series' images cost counts as its spending.
 * @throws ServiceError `creditsExhausted`
 */
export async function debitCredits(
  commit: Commit,
  brand: Brand,
  at: number,
  count: number,
  seriesId: string | null = null,
): Promise<Debit> {
  const key = monthKey(brand.id, at);
  const month = await commit.get<Month>(key) ?? UNTOUCHED;
  const before = creditsOf(brand, month);
  if (count > before.remaining) throw exhausted(before, at, count);
  const debited: Month = { ...month, used: month.used + count };
  if (count > 0) commit.set(key, debited);
  if (seriesId !== null) {
    const spent = seriesSpentKey(brand.id, seriesId, monthOf(at));
    commit.set(spent, (await commit.get<number>(spent) ?? 0) + count);
  }
  return { before, after: creditsOf(brand, debited) };
}

/** Shares of the month's allowance at which the brand is alerted, in percent. */
const ALERT_AT = [100, 80] as const;

/** The highest share that this debit has reached, or null when it reached none. */
export function reachedShare({ before, after }: Debit): typeof ALERT_AT[number] | null {
  const reached = ({ used, allowance }: Credits, share: number) => used * 100 >= allowance * share;
  return ALERT_AT.find((share) => !reached(before, share) && reached(after, share)) ?? null;
}

/** Adds `amount` to the current month's allowance. */
export function grantCredits(
  kv: Deno.Kv,
  brand: Brand,
  at: number,
  amount: number,
): Promise<Credits> {
  return transact(kv, async (commit) => {
    const key = monthKey(brand.id, at);
    const month = await commit.get<Month>(key) ?? UNTOUCHED;
    const granted: Month = { ...month, granted: month.granted + amount };
    commit.set(key, granted);
    return creditsOf(brand, granted);
  });
}

export const getCredits = operation({
  id: "getCredits",
  group: "Credits",
  summary: "Read the month's image credits.",
  description: "Months are those of the UTC calendar.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: Credits,
  run: ({ kv, brand, now }) => readCredits(kv, brand, now()),
});

function exhausted({ allowance, remaining }: Credits, at: number, count: number): ServiceError {
  const need = count === 1 ? "" : ` and ${count} are needed`;
  return new ServiceError(
    "creditsExhausted",
    `${remaining} of this month's ${allowance} image credits are left${need}. ` +
      `New ones come on ${dayOf(startOfNextMonth(at))}, or at once with a larger plan.`,
  );
}
