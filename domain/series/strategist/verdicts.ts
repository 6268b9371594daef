/** From figures to actions: the thresholds of push, test, hold and drop. */
import type { PlaybookAction } from "../playbook.ts";

/** An arm with fewer posts is tested, because they say nothing yet. */
export const FEWEST_POSTS = 4;
/**
 * A push (drop) needs this probability of being better (worse) than the rivals' average. Some 14 arms
 * are judged every week, so the bar is far higher than the usual 0.95 of a single look: in simulated
 * worlds without differences, at most 1 in 20 sees any verdict within 16 weeks.
 */
export const SURE = 0.9995;
/** A push or drop needs at least this difference, because less is not worth a change of course. */
export const WORTH = 0.05;
/** An arm is called average when its whole interval is within this; wider, nobody can tell yet. */
export const ALIKE = 0.15;
/** The difference for which a review says how many posts it takes to see it. */
export const TELLING = 0.3;
/** The value that a standard normal number stays below with the probability `SURE`. */
export const SURE_ERRORS = 3.29;

/** An arm against its rivals. */
interface Comparison {
  posts: number;
  /** What the arm adds over its rivals' average: 0.3 is 30 % more. With its 95 % interval. */
  lift: number;
  low: number;
  high: number;
  better: number;
  worse: number;
}

export function actionFor({ posts, lift, low, high, better, worse }: Comparison): PlaybookAction {
  if (posts < FEWEST_POSTS) return "test";
  if (better >= SURE && lift >= WORTH) return "push";
  if (worse >= SURE && lift <= -WORTH) return "drop";
  return low >= -ALIKE && high <= ALIKE ? "hold" : "test";
}
