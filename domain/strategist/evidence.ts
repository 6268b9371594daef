/** Evidence: what published slots earned at equal age, against the brand's own baseline. */
import { HOUR } from "../calendar.ts";
import type { SeriesFormat } from "../series/format.ts";
import { engagementOf } from "../posts/readings.ts";
import type { Platform, PostDetail, PostFormat, PostMetrics } from "../posts/shape.ts";

/** Posts are compared by what they had earned at this age: most of what a post earns, it earns by then. */
export const EQUAL_AGE = 48 * HOUR;
/** A story is gone after a day, and read for the last time shortly before. */
export const STORY_AGE = 20 * HOUR;
/** Readings further apart than this say nothing about an instant between them. */
const WIDEST_GAP = 72 * HOUR;
/** A baseline of fewer posts is none. */
export const FEWEST_BASELINE = 5;

/** What a slot was planned to be. */
export interface PublishedSlot {
  slotId: string;
  externalPostId: string;
  platform: Platform;
  format: SeriesFormat;
  direction: string;
  /** Hour of day (UTC). */
  hour: number;
  template: string;
}

/** A post with its engagement at equal age. */
export interface Measured {
  postId: string;
  platform: Platform;
  format: PostFormat;
  /** Instant, ms. */
  publishedAt: number;
  /** Likes, comments, shares and saves at equal age, interpolated between readings. */
  engagement: number;
}

/** A published slot whose post could be compared. */
export interface Scored extends Omit<PublishedSlot, "externalPostId" | "platform"> {
  postId: string;
  engagement: number;
  /** Mean log(engagement + 1) of the brand's posts of that platform and format. */
  baseline: number;
  /** The same over all formats of the platform. */
  platformBaseline: number;
}

export interface Evidence {
  scored: Scored[];
  /** Published slots whose posts are too young, or were not read near the equal age. */
  waiting: number;
  /** Log of what a format earned the brand outside this series, each post against its platform's mean. */
  formatPrior: Record<string, number>;
  /** Hours (UTC) at which the brand's other posts earned most, against the same mean, best first. */
  goodHours: number[];
}

const SERIES_FORMAT: Record<PostFormat, string> = {
  image: "post",
  carousel: "carousel",
  story: "story",
  reel: "reel",
  video: "video",
};

/** The post with its engagement at equal age, or null when its readings don't reach it. */
export function measure(post: PostDetail): Measured | null {
  const publishedAt = Date.parse(post.publishedAt);
  const age = post.format === "story" ? STORY_AGE : EQUAL_AGE;
  const engagement = engagementAt(post.snapshots, publishedAt, age);
  if (engagement === null) return null;
  return {
    postId: post.id,
    platform: post.platform,
    format: post.format,
    publishedAt,
    engagement,
  };
}

/** Cumulative engagement `age` ms after publication, on a straight line between two readings. */
export function engagementAt(
  readings: readonly PostMetrics[],
  publishedAt: number,
  age: number,
): number | null {
  let before = { age: 0, engagement: 0 };
  for (const reading of readings) {
    const readAt = Date.parse(reading.capturedAt);
    const after = { age: readAt - publishedAt, engagement: engagementOf(reading) };
    if (after.age < age) {
      if (after.age > before.age) before = after;
      continue;
    }
    const gap = after.age - before.age;
    if (gap > WIDEST_GAP) return null;
    const share = (age - before.age) / gap;
    return before.engagement + share * (after.engagement - before.engagement);
  }
  return null;
}

/**
 * Joins slots with their posts.
 * @param posts measured posts of those slots, by `platform externalId`
 * @param others the brand's measured posts outside this series
 */
export function weigh(
  slots: readonly PublishedSlot[],
  posts: ReadonlyMap<string, Measured>,
  others: readonly Measured[],
): Evidence {
  const joined = slots.flatMap((slot) => {
    const post = posts.get(`${slot.platform} ${slot.externalPostId}`);
    return post === undefined ? [] : [{ slot, post }];
  });
  const all = [...others, ...joined.map(({ post }) => post)];
  const scored = joined.map(({ slot: { externalPostId: _, platform, ...slot }, post }) => {
    const onPlatform = all.filter((each) => each.platform === platform);
    const alike = onPlatform.filter((each) => each.format === post.format);
    const platformBaseline = meanLog(onPlatform);
    return {
      ...slot,
      postId: post.postId,
      engagement: post.engagement,
      baseline: alike.length >= FEWEST_BASELINE ? meanLog(alike) : platformBaseline,
      platformBaseline,
    };
  });
  const relative = againstPlatform(others);
  return {
    scored,
    waiting: slots.length - scored.length,
    formatPrior: Object.fromEntries(meansBy(relative, ({ format }) => SERIES_FORMAT[format])),
    goodHours: goodHoursOf(relative),
  };
}

/** A post and the log of what it earned against its platform's mean. */
interface Relative {
  post: Measured;
  log: number;
}

/** The posts of platforms that have enough of them to tell a mean. */
function againstPlatform(posts: readonly Measured[]): Relative[] {
  return Object.values(Object.groupBy(posts, ({ platform }) => platform))
    .filter((alike) => alike.length >= FEWEST_BASELINE)
    .flatMap((alike) => {
      const usual = meanLog(alike);
      return alike.map((post) => ({ post, log: logOf(post) - usual }));
    });
}

/** Mean of each group of posts that is large enough. */
function meansBy(relative: Relative[], group: (post: Measured) => string): [string, number][] {
  return Object.entries(Object.groupBy(relative, ({ post }) => group(post)))
    .filter(([, alike]) => alike!.length >= FEWEST_BASELINE)
    .map(([name, alike]) => [name, mean(alike!.map(({ log }) => log))]);
}

function goodHoursOf(relative: Relative[]): number[] {
  const hourOf = ({ publishedAt }: Measured) => String(Math.floor(publishedAt / HOUR) % 24);
  return meansBy(relative, hourOf)
    .map(([hour, log]) => ({ hour: Number(hour), log }))
    .sort((a, b) => b.log - a.log || a.hour - b.hour)
    .map(({ hour }) => hour);
}

function logOf({ engagement }: Measured): number {
  return Math.log(engagement + 1);
}

function meanLog(posts: readonly Measured[]): number {
  return mean(posts.map(logOf));
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
