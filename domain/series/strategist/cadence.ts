/** How many slots a week: as the series says, else by what is known and what the budget pays. */
import type { Situation } from "./arms.ts";
import type { Allocation, Figure } from "../playbook.ts";

const MOST = 21;
/** Enough posts to learn from within weeks, and few enough for a small team. */
const UNPROVEN = 5;
/** After a direction has proven itself. */
const PROVEN = 7;
const WEEKS_A_MONTH = 365.25 / 12 / 7;

/**
 * `postsPerWeek` if it is set. Otherwise 5 a week, or 7 once a direction has proven itself, but never more
 * than `maxPerWeek` or than the credit budget pays for.
 */
export function cadenceFor(
  { postsPerWeek, maxPerWeek, creditBudgetMonthly, carouselImages }: Situation,
  { formats }: Allocation,
  figures: readonly Figure[],
): number {
  if (postsPerWeek !== null) return postsPerWeek;
  const proven = figures.some(({ dimension, action }) =>
    dimension === "direction" && action === "push"
  );
  const credits = formats.reduce(
    (sum, { arm, share }) => sum + share * (arm === "carousel" ? carouselImages : 1),
    0,
  );
  const paid = creditBudgetMonthly === null
    ? MOST
    : Math.floor(creditBudgetMonthly / WEEKS_A_MONTH / credits);
  return Math.max(1, Math.min(proven ? PROVEN : UNPROVEN, maxPerWeek ?? MOST, paid));
}
