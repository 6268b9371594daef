/** A post's engagement at an age, so that posts of different ages can be compared at the same one. */
import { HOUR } from "../foundation/calendar.ts";
import type { PostFormat } from "../posts/shape.ts";
import { engagementIn, type History } from "./history.ts";

/** At this age posts are compared: most of them have earned most by then. */
export const EQUAL_AGE = 48;
/** At this age a young post's end is told. */
export const WEEK_AGE = 168;
/** Ages at which the engagement of every post is kept, hours. */
export const AGES: readonly number[] = [
  ...[1, 2, 3, 4, 6, 8, 12, 18, 24, 36, EQUAL_AGE, 72, 96, 120, 144, WEEK_AGE],
  ...[240, 336, 504, 720],
];

/** Two readings further apart say nothing about an age between them. */
const WIDEST_GAP = 72 * HOUR;
/** A first reading up to this age tells how the first day went. */
const FIRST_DAY = 30 * HOUR;
const DAY_AGE = 24 * HOUR;
/** A story is gone after a day, and what it has after this age is about all that it will get. */
const STORY_END = 20 * HOUR;

/**
 * Likes, comments, shares and saves at an age (ms), or NaN if the readings don't tell it.
 *
 * Between two readings at most 72 hours apart it grows evenly. Before the first reading it grows with
 * the square root of the age, because posts earn fastest at first; a first reading after more than 30
 * hours tells nothing about the first 24, and later ages evenly. A story's last reading holds for all
 * later ages.
 */
export function valueAtAge(
  history: History,
  published: number,
  age: number,
  format: PostFormat,
): number {
  let before = { age: 0, value: 0 };
  for (const [reading, at] of history.at.entries()) {
    const after = { age: at - published, value: engagementIn(history, reading) };
    if (after.age < age || after.age <= 0) {
      if (after.age > before.age) before = after;
      continue;
    }
    const gap = after.age - before.age;
    if (gap > WIDEST_GAP) return NaN;
    if (before.age === 0) {
      if (after.age <= FIRST_DAY) return after.value * Math.sqrt(age / after.age);
      if (age < DAY_AGE) return NaN;
    }
    return before.value + (after.value - before.value) * (age - before.age) / gap;
  }
  const isOver = format === "story" && before.age >= STORY_END && age >= DAY_AGE;
  return isOver ? before.value : NaN;
}
