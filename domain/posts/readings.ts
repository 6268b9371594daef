/** Readings of a post's metrics: normalized, merged by UTC day, with the engagement rate. */
import { dayOf } from "../foundation/calendar.ts";
import {
  type Platform,
  type PostMetrics,
  type Reading,
  READING_NUMBERS,
  REPORTED,
} from "./shape.ts";

/** Likes, comments, shares and saves. Those that the platform does not report count as 0. */
export function engagementOf(
  { likes, comments, shares, saves }: Pick<Reading, "likes" | "comments" | "shares" | "saves">,
): number {
  return likes + comments + shares + (saves ?? 0);
}

/** Engagement divided by impressions, with four decimals; 0 without impressions. */
export function engagementRate(reading: Reading): number {
  const { impressions } = reading;
  return impressions === 0 ? 0 : Math.round(engagementOf(reading) * 10_000 / impressions) / 10_000;
}

/** A reading as the API shows it. */
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

/** A reading as stored: in UTC, with null for numbers that the platform does not have (spec 2.1). */
export function normalizeReading(reading: Reading, platform: Platform): Reading {
  return {
    views: reading.views,
    impressions: reading.impressions,
    reach: REPORTED[platform].reach ? reading.reach : null,
    likes: reading.likes,
    comments: reading.comments,
    shares: reading.shares,
    saves: REPORTED[platform].saves ? reading.saves : null,
    clicks: reading.clicks,
    capturedAt: utc(reading.capturedAt),
  };
}

/** Converts an instant with any offset to UTC. */
export function utc(instant: string): string {
  return new Date(instant).toISOString();
}

/** UTC day of a reading, yyyy-mm-dd. */
export function readingDay(reading: Reading): string {
  return dayOf(Date.parse(reading.capturedAt));
}

/** The later of two readings. The second, if both have the same instant. */
export function laterReading(first: Reading | null, second: Reading): Reading {
  if (first === null) return second;
  return Date.parse(second.capturedAt) >= Date.parse(first.capturedAt) ? second : first;
}

/** The last reading of each UTC day. */
export function byDay(readings: readonly Reading[]): Map<string, Reading> {
  const days = new Map<string, Reading>();
  for (const reading of readings) {
    const day = readingDay(reading);
    days.set(day, laterReading(days.get(day) ?? null, reading));
  }
  return days;
}

export function sameReading(a: Reading, b: Reading): boolean {
  return a.capturedAt === b.capturedAt &&
    READING_NUMBERS.every((number) => a[number] === b[number]);
}
