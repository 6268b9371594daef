/** A period's numbers, against the one before and against the brand's usual; a metric day by day. */
import { DAY } from "../foundation/calendar.ts";
import { Platform } from "../posts/shape.ts";
import type { Metric } from "./history.ts";
import { quartiles } from "./quartiles.ts";
import {
  dateOf,
  dayNumber,
  type PeriodNumbers,
  type Summary,
  type SummaryQuery,
  type Timeline,
  type TimelineMetric,
  type TimelineQuery,
} from "./shape.ts";
import { type InsightTable, platformOf } from "./table.ts";

/** The usual is taken from so many earlier periods of the same length. */
const MOST_PERIODS = 12;
const FEWEST_PERIODS = 3;
const ENGAGEMENT = ["likes", "comments", "shares", "saves"] as const satisfies Metric[];

/** Days since the epoch; the last one is not included. */
interface Days {
  start: number;
  end: number;
}

/** A platform's number; null: all platforms. */
type Chosen = number | null;

export function chosen(platform: Platform | undefined): Chosen {
  return platform === undefined ? null : Platform.options.indexOf(platform);
}

export function summarize(table: InsightTable, query: SummaryQuery): Summary {
  const platform = chosen(query.platform);
  const days = daysOf(query);
  return {
    from: query.from,
    to: query.to,
    ...numbersOf(table, platform, days),
    previous: numbersOf(table, platform, earlier(days, 1)),
    usual: usualOf(table, platform, days),
  };
}

function daysOf({ from, to }: { from: string; to: string }): Days {
  return { start: dayNumber(from), end: dayNumber(to) + 1 };
}

/** The days `periods` times as long before. */
function earlier({ start, end }: Days, periods: number): Days {
  const by = periods * (end - start);
  return { start: start - by, end: end - by };
}

function numbersOf(table: InsightTable, platform: Chosen, days: Days): PeriodNumbers {
  const sum = (metric: Metric) => rounded(sumOf(table, platform, days, metric));
  const [likes, comments, shares, saves] = ENGAGEMENT.map(sum);
  const impressions = sum("impressions") ?? 0;
  const engagement = (likes ?? 0) + (comments ?? 0) + (shares ?? 0) + (saves ?? 0);
  return {
    posts: postsIn(table, platform, days),
    views: sum("views") ?? 0,
    impressions,
    reach: sum("reach"),
    likes: likes ?? 0,
    comments: comments ?? 0,
    shares: shares ?? 0,
    saves: saves ?? null,
    clicks: sum("clicks"),
    engagement,
    engagementRate: rate(engagement, impressions) ?? 0,
  };
}

function postsIn(table: InsightTable, platform: Chosen, { start, end }: Days): number {
  let posts = 0;
  for (let row = 0; row < table.size; row++) {
    const day = table.published.at(row) / DAY;
    const isMeant = platform === null || platformOf(table.kinds.at(row)) === platform;
    if (isMeant && day >= start && day < end) posts++;
  }
  return posts;
}

function sumOf(
  { gains }: InsightTable,
  platform: Chosen,
  { start, end }: Days,
  metric: Metric,
): number | null {
  let sum: number | null = null;
  for (let day = start; day < end; day++) {
    const gain = gains.on(day, metric, platform);
    if (gain !== null) sum = (sum ?? 0) + gain;
  }
  return sum;
}

function usualOf(table: InsightTable, platform: Chosen, days: Days): Summary["usual"] {
  const first = table.gains.firstDay(platform);
  const engagements: number[] = [];
  for (let nth = 1; nth <= MOST_PERIODS; nth++) {
    const before = earlier(days, nth);
    // A period that begins before the first reading would count as a bad one.
    if (before.start < first) break;
    let sum = 0;
    for (const metric of ENGAGEMENT) sum += sumOf(table, platform, before, metric) ?? 0;
    engagements.push(Math.round(sum));
  }
  if (engagements.length < FEWEST_PERIODS) return null;
  return { engagement: quartiles(Float64Array.from(engagements)) };
}

export function timelineOf(table: InsightTable, query: TimelineQuery): Timeline {
  const platform = chosen(query.platform);
  const { start, end } = daysOf(query);
  const valueOn = dailyValues(table, platform, query.metric);
  const data = [];
  for (let day = start; day < end; day++) data.push({ date: dateOf(day), value: valueOn(day) });
  return { metric: query.metric, data };
}

/** Returns the value of each day, asked for in their order. */
function dailyValues(
  { gains }: InsightTable,
  platform: Chosen,
  metric: TimelineMetric,
): (day: number) => number | null {
  const engagementOn = (day: number) => {
    const parts = ENGAGEMENT.map((each) => gains.on(day, each, platform));
    return parts.every((part) => part === null)
      ? null
      : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  };
  if (metric === "engagement") return wholeNumbers(engagementOn);
  if (metric !== "engagementRate") return wholeNumbers((day) => gains.on(day, metric, platform));
  return (day) => {
    const impressions = gains.on(day, "impressions", platform);
    return impressions === null ? null : rate(engagementOn(day) ?? 0, impressions);
  };
}

/** Rounds the running sum and not each value, so that the days add up to the whole. */
function wholeNumbers(valueOn: (day: number) => number | null): (day: number) => number | null {
  let sum = 0;
  return (day) => {
    const value = valueOn(day);
    if (value === null) return null;
    const before = Math.round(sum);
    sum += value;
    return Math.round(sum) - before;
  };
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value) + 0; // never -0
}

/** With four decimals; null without impressions. */
function rate(engagement: number, impressions: number): number | null {
  if (Math.round(impressions) <= 0) return null;
  return Math.round(engagement * 10_000 / impressions) / 10_000;
}
