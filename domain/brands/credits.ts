/** Image credits: a monthly allowance, debited in the same commit as the images that they pay for. */
import { z } from "zod";
import type { Brand } from "./brands.ts";
import { dayOf, monthOf, startOfNextMonth } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { countUp } from "../foundation/telemetry.ts";
import { type Acting, audit } from "../kv/audit.ts";
import { type Commit, transact } from "../kv/transact.ts";
import { PLANS } from "./plans.ts";

export const Credits = z.object({
  allowance: z.int().describe("Image credits for the current month."),
  used: z.int(),
  remaining: z.int().describe("Never below 0, also after a change to a smaller plan."),
}).meta({ id: "Credits" });
export type Credits = z.output<typeof Credits>;

/** A brand's month. The plan's allowance is added when it is read, because plans change at any time. */
interface Month {
  used: number;
  granted: number;
}

/** The brand's credits of the month of `at`. */
export const creditsKey = (brandId: string, at: number): Deno.KvKey => [
  "credits",
  brandId,
  monthOf(at),
];
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
  const month = (await kv.get<Month>(creditsKey(brand.id, at))).value ?? UNTOUCHED;
  return creditsOf(brand, month);
}

/** The brand's credits before and after a debit. */
export interface Debit {
  before: Credits;
  after: Credits;
}

/**
 * Takes `count` credits in `commit`, all or none. With `seriesId`, they count as the series' spending.
 * @throws ServiceError `creditsExhausted`
 */
export async function debitCredits(
  commit: Commit,
  brand: Brand,
  at: number,
  count: number,
  seriesId: string | null = null,
): Promise<Debit> {
  const key = creditsKey(brand.id, at);
  const month = await commit.get<Month>(key) ?? UNTOUCHED;
  const before = creditsOf(brand, month);
  if (count > before.remaining) throw exhausted(before, at, count);
  const debited: Month = { ...month, used: month.used + count };
  if (count > 0) {
    commit.set(key, debited);
    commit.after(() => countUp("marquee.credits", {}, count));
  }
  if (seriesId !== null) {
    const spent = seriesSpentKey(brand.id, seriesId, monthOf(at));
    commit.set(spent, (await commit.get<number>(spent) ?? 0) + count);
  }
  return { before, after: creditsOf(brand, debited) };
}

/** Percentages of the month's allowance at which the brand is alerted. */
const ALERT_AT = [100, 80] as const;

/** The highest of these percentages that this debit has reached, or null. */
export function reachedShare({ before, after }: Debit): typeof ALERT_AT[number] | null {
  const reached = ({ used, allowance }: Credits, share: number) => used * 100 >= allowance * share;
  return ALERT_AT.find((share) => !reached(before, share) && reached(after, share)) ?? null;
}

/** Adds `amount` to the current month's allowance. */
export function grantCredits(acting: Acting, brand: Brand, amount: number): Promise<Credits> {
  const { kv, now } = acting;
  const { id } = brand;
  return transact(kv, async (commit) => {
    const key = creditsKey(id, now());
    const month = await commit.get<Month>(key) ?? UNTOUCHED;
    const granted: Month = { ...month, granted: month.granted + amount };
    commit.set(key, granted);
    audit(commit, acting, { action: "credits.granted", of: id, subject: id, details: { amount } });
    return creditsOf(brand, granted);
  });
}

function exhausted({ allowance, remaining }: Credits, at: number, count: number): ServiceError {
  const need = count === 1 ? "" : `, but ${count} are needed`;
  return new ServiceError(
    "creditsExhausted",
    `${remaining} of this month's ${allowance} image credits are left${need}. Wait for new ` +
      `credits on ${dayOf(startOfNextMonth(at))}, or change to a larger plan.`,
  );
}
