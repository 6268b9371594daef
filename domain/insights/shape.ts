/** The shapes of insights: what is asked, and what is answered. */
import { z } from "zod";
import { dayOf } from "../foundation/calendar.ts";
import { DAY } from "../foundation/calendar.ts";
import { Platform } from "../posts/shape.ts";
import { METRICS } from "./history.ts";

/** The longest period. */
const MOST_DAYS = 1_096;

const day = z.iso.date("must be a date that exists, as yyyy-mm-dd");
const ofPlatform = Platform.optional().describe("Only posts of this platform.");

const period = {
  from: day.describe("First UTC day, yyyy-mm-dd."),
  to: day.describe(`Last UTC day, included. At most ${MOST_DAYS} days in all.`),
};

interface Days {
  from: string;
  to: string;
}

const inOrder = ({ from, to }: Days) => from <= to;
const isShort = ({ from, to }: Days) => Date.parse(to) - Date.parse(from) < MOST_DAYS * DAY;
const order = { path: ["from"], message: "must not be after `to`" };
const length = { path: ["to"], message: `must be at most ${MOST_DAYS} days after \`from\`` };

export const SummaryQuery = z.object({ ...period, platform: ofPlatform })
  .refine(inOrder, order).refine(isShort, length);
export type SummaryQuery = z.output<typeof SummaryQuery>;

export const TimelineMetric = z.enum([...METRICS, "engagement", "engagementRate"]);
export type TimelineMetric = z.output<typeof TimelineMetric>;

export const TimelineQuery = z.object({ metric: TimelineMetric, ...period, platform: ofPlatform })
  .refine(inOrder, order).refine(isShort, length);
export type TimelineQuery = z.output<typeof TimelineQuery>;

export const WhenQuery = z.object({ platform: ofPlatform });
export type WhenQuery = z.output<typeof WhenQuery>;

export const CompareBy = z.enum([
  "format",
  "hashtag",
  "hour",
  "weekday",
  "platform",
  "series",
  "template",
]);
export type CompareBy = z.output<typeof CompareBy>;

export const CompareQuery = z.object({
  by: CompareBy.describe("hour and weekday (1 is Monday) are in the brand's time zone."),
  platform: ofPlatform,
});
export type CompareQuery = z.output<typeof CompareQuery>;

const gain = z.int().describe("Gained inside the period.");
const gainOrNull = z.int().nullable().describe("Gained inside the period; null: not reported.");

const PeriodNumbers = z.object({
  posts: z.int().min(0).describe("Posts published in the period."),
  views: gain,
  impressions: gain,
  reach: gainOrNull,
  likes: gain,
  comments: gain,
  shares: gain,
  saves: gainOrNull,
  clicks: gainOrNull,
  engagement: z.int().describe("Likes, comments, shares and saves gained."),
  engagementRate: z.number().describe("Engagement divided by impressions; 0 without impressions."),
}).meta({ id: "PeriodNumbers" });
export type PeriodNumbers = z.output<typeof PeriodNumbers>;

const Band = z.object({ low: z.number(), mid: z.number(), high: z.number() });
export type Band = z.output<typeof Band>;

export const Summary = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  ...PeriodNumbers.shape,
  previous: PeriodNumbers.describe("The same of the days before, as many."),
  usual: z.object({
    engagement: Band.describe("Quartiles of up to 12 earlier periods of that length."),
  }).nullable().describe("Null with fewer than 3 earlier periods."),
}).meta({ id: "InsightsSummary" });
export type Summary = z.output<typeof Summary>;

export const Timeline = z.object({
  metric: TimelineMetric,
  data: z.array(z.object({
    date: z.iso.date(),
    value: z.number().nullable().describe("Gained on that UTC day; null: nothing was reported."),
  })),
}).meta({ id: "InsightsTimeline" });
export type Timeline = z.output<typeof Timeline>;

const Effect = Band.meta({ id: "Effect" }).describe(
  "Engagement as a ratio to the brand's usual (1.2 is 20 % more), with the 95 % interval.",
);
export type Effect = z.output<typeof Effect>;

const Verdict = z.enum(["better", "worse", "cantTell"]);
export type Verdict = z.output<typeof Verdict>;

const posts = z.int().min(0).describe("Posts whose engagement after 48 hours is known.");
const effect = Effect.nullable().describe("Null: too few posts, or nothing to compare with.");

export const When = z.object({
  timeZone: z.string().describe("IANA name."),
  cells: z.array(z.object({
    weekday: z.int().min(1).max(7).describe("1 is Monday."),
    hour: z.int().min(0).max(23),
    posts,
    effect,
  })).describe("Hours at which nothing was published are left out."),
}).meta({ id: "InsightsWhen" });
export type When = z.output<typeof When>;

export const Comparison = z.object({
  by: CompareBy,
  age: z.literal("48h").describe("The age at which posts are compared."),
  groups: z.array(z.object({
    value: z.string(),
    posts,
    effect,
    verdict: Verdict.describe("Holds among all groups of the answer with 95 % certainty."),
  })).describe("At most 100, those with the most posts."),
}).meta({ id: "InsightsComparison" });
export type Comparison = z.output<typeof Comparison>;

const ageHours = z.number().describe("Hours since publication.");
const engagement = z.number().describe("Likes, comments, shares and saves by then.");

export const Standing = z.object({
  postId: z.string(),
  ageHours: ageHours.describe(
    "The age at which the post is compared: that of its newest reading, or an earlier one at " +
      "which enough like posts are known.",
  ),
  percentile: z.number().min(0).max(100).nullable().describe(
    "Share of like posts with less engagement at the same age; null with fewer than 5.",
  ),
  among: z.int().min(0).describe(
    "Other posts of the brand on that platform and of that format, known at that age.",
  ),
  own: z.array(z.object({ ageHours, engagement })),
  usual: z.array(z.object({ ageHours, ...Band.shape })).describe(
    "Quartiles of the brand's posts of that platform and format, by age.",
  ),
  projection: z.object({ ageHours: z.literal(168), ...Band.shape }).nullable().describe(
    "What it will have after 7 days, with the 95 % interval; null after 7 days, or with fewer than " +
      "8 like posts to go by.",
  ),
}).meta({ id: "PostStanding" });
export type Standing = z.output<typeof Standing>;

/** yyyy-mm-dd of a day since the epoch. */
export const dateOf = (number: number): string => dayOf(number * DAY);
export const dayNumber = (date: string): number => Date.parse(date) / DAY;
