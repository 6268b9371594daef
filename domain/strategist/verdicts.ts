/** From figures to actions: the stated thresholds of push, test, hold and drop. */
import type { PlaybookAction } from "./shape.ts";

/** Fewer posts say nothing: the arm is still tested. */
export const FEWEST_POSTS = 4;
/** With as many posts and no verdict the arm is average: held. */
export const ENOUGH_POSTS = 8;
/**
 * Probability of being better (worse) than the rivals' average that a push (drop) needs. It is looked
 * at weekly and for every arm, so it is far stricter than a single look's 0.95.
 */
export const SURE = 0.997;
/** And how much it must at least make: less is not worth a change of course. */
export const WORTH = 0.05;

export interface Standing {
  posts: number;
  /** What the arm adds over its rivals' average: 0.3 is 30 % more. */
  lift: number;
  better: number;
  worse: number;
}

export function actionFor({ posts, lift, better, worse }: Standing): PlaybookAction {
  if (posts < FEWEST_POSTS) return "test";
  if (better >= SURE && lift >= WORTH) return "push";
  if (worse >= SURE && lift <= -WORTH) return "drop";
  return posts >= ENOUGH_POSTS ? "hold" : "test";
}
