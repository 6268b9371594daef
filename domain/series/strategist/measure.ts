/** What a post had earned at the age at which posts are compared. */
import { HOUR } from "../../foundation/calendar.ts";
import { engagementOf } from "../../posts/readings.ts";
import type { Platform, PostDetail, PostFormat, PostMetrics } from "../../posts/shape.ts";
import type { Earned } from "./objective.ts";

/** Posts are compared by what they had earned at this age, because by then they have earned most. */
export const EQUAL_AGE = 48 * HOUR;
/** The same for stories, which are gone after a day and read for the last time shortly before. */
const STORY_AGE = 20 * HOUR;
/** Two readings further apart say nothing about an instant between them. */
const WIDEST_GAP = 72 * HOUR;

/** A post with what it earned at equal age. */
export interface Measured extends Earned {
  postId: string;
  platform: Platform;
  format: PostFormat;
  /** Instant, ms. */
  publishedAt: number;
}

/** The post with its numbers at equal age, or null when its readings don't tell them. */
export function measure(post: PostDetail): Measured | null {
  const publishedAt = Date.parse(post.publishedAt);
  const age = post.format === "story" ? STORY_AGE : EQUAL_AGE;
  const earned = (of: (reading: PostMetrics) => number | null) =>
    earnedAt(post.snapshots, publishedAt, age, of);
  const engagement = earned(engagementOf);
  if (engagement === null) return null;
  return {
    postId: post.id,
    platform: post.platform,
    format: post.format,
    publishedAt,
    engagement,
    reach: earned(({ reach }) => reach),
    views: earned(({ views }) => views),
    clicks: earned(({ clicks }) => clicks),
  };
}

/** Engagement `age` ms after publication, interpolated between the readings before and after it. */
export function engagementAt(
  readings: readonly PostMetrics[],
  publishedAt: number,
  age: number,
): number | null {
  return earnedAt(readings, publishedAt, age, engagementOf);
}

function earnedAt(
  readings: readonly PostMetrics[],
  publishedAt: number,
  age: number,
  of: (reading: PostMetrics) => number | null,
): number | null {
  let before = { age: 0, earned: 0 };
  for (const reading of readings) {
    const earned = of(reading);
    if (earned === null) continue;
    const after = { age: Date.parse(reading.capturedAt) - publishedAt, earned };
    if (after.age < age) {
      if (after.age > before.age) before = after;
      continue;
    }
    const gap = after.age - before.age;
    if (gap > WIDEST_GAP) return null;
    return before.earned + (age - before.age) / gap * (after.earned - before.earned);
  }
  return null;
}
