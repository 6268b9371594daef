/** Readings: what a platform reports, how they merge by UTC day, and what we compute from them. */
import { dayOf } from "../calendar.ts";
import type { Platform, PostMetrics, Reading } from "./shape.ts";

/** Likes, comments, shares and saves; what a platform does not report counts as none. */
export function engagementOf(
  { likes, comments, shares, saves }: Pick<Reading, "likes" | "comments" | "shares" | "saves">,
): number {
  return likes + comments + shares + (saves ?? 0);
}

/** Engagement over impressions with four decimals; 0 without impressions. */
export function engagementRate(reading: Reading): number {
  const { impressions } = reading;
  return impressions === 0 ? 0 : Math.round(engagementOf(reading) * 10_000 / impressions) / 10_000;
}

/** A reading as the wire shows it. */
export function toMetrics(reading: Reading): PostMetrics {
  return {
    views: reading.views,
    impressions: reading.impressions,
    reach: reading.reach,
    likes: reading.likes,
    comments: reading.comments,
    shares: reading.shares,
    saves: reading.saves,
    clicks: reading.clicks,
    engagementRate: engagementRate(reading),
    capturedAt: reading.capturedAt,
  };
}

/** A reading as stored: UTC, and null where the platform has no such number (spec 2.1). */
export function normalizeReading(reading: Reading, platform: Platform): Reading {
  return {
    views: reading.views,
    impressions: reading.impressions,
    reach: platform === "youtube" ? null : reading.reach,
    likes: reading.likes,
    comments: reading.comments,
    shares: reading.shares,
    saves: platform === "instagram" ? reading.saves : null,
    clicks: reading.clicks,
    capturedAt: utc(reading.capturedAt),
  };
}

/** An instant with any offset, in UTC. */
export function utc(instant: string): string {
  return new Date(instant).toISOString();
}

/** UTC day of a reading, yyyy-mm-dd. */
export function readingDay(reading: Reading): string {
  return dayOf(Date.parse(reading.capturedAt));
}

/** The later of two readings; of two at the same instant, the second. */
export function laterReading(first: Reading | null, second: Reading): Reading {
  if (first === null) return second;
  return Date.parse(second.capturedAt) >= Date.parse(first.capturedAt) ? second : first;
}

/** One reading a UTC day, the day's last. */
export function byDay(readings: readonly Reading[]): Map<string, Reading> {
  const days = new Map<string, Reading>();
  for (const reading of readings) {
    const day = readingDay(reading);
    days.set(day, laterReading(days.get(day) ?? null, reading));
  }
  return days;
}

const FIELDS = [
  "views",
  "impressions",
  "reach",
  "likes",
  "comments",
  "shares",
  "saves",
  "clicks",
  "capturedAt",
] as const satisfies (keyof Reading)[];

export function sameReading(a: Reading, b: Reading): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}
