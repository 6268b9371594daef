/** How many slots a week: the series' own wish, or a step at a time by what is known. */
import type { Situation } from "./arms.ts";
import type { Allocation, Figure, Playbook } from "./shape.ts";

const MOST = 21;
/** Enough to learn from within weeks, few enough for a small team. */
const START = 5;
/** Without a cap of its own a series is not pushed further than daily. */
const DAILY = 7;
const WEEKS_A_MONTH = 365.25 / 12 / 7;

/**
 * `postsPerWeek` stands. Else: start with 5; one more a week once a direction has proven itself, up to
 * `maxPerWeek` (daily without one); never more than the credit budget pays for.
 */
export function cadenceFor(
  { postsPerWeek, maxPerWeek, creditBudgetMonthly, carouselImages }: Situation,
  { formats }: Allocation,
  figures: readonly Figure[],
  previous: Playbook | null,
): number {
  if (postsPerWeek !== null) return postsPerWeek;
  const proven = figures.some(({ dimension, action }) =>
    dimension === "direction" && action === "push"
  );
  const last = previous?.cadencePerWeek ?? START;
  const wished = Math.min(proven ? last + 1 : last, Math.max(last, DAILY));
  const credits = formats.reduce(
    (sum, { arm, share }) => sum + share * (arm === "carousel" ? carouselImages : 1),
    0,
  );
  const paid = creditBudgetMonthly === null
    ? MOST
    : Math.floor(creditBudgetMonthly / WEEKS_A_MONTH / credits);
  return Math.max(1, Math.min(wished, maxPerWeek ?? MOST, paid, MOST));
}
