/** A post's readings as they were reported, with a reason for each number that is missing. */
import { z } from "zod";
import { HOUR } from "../foundation/calendar.ts";
import { type Post, type PostDetail, PostMetrics, REPORTED } from "../posts/shape.ts";

export const NullReason = z.enum([
  "notReported",
  "notYetRead",
  "retired",
  "noPermission",
  "noLink",
]);
export type NullReason = z.output<typeof NullReason>;

const NULLABLE = ["reach", "saves", "clicks"] as const satisfies (keyof PostMetrics)[];
type Nullable = typeof NULLABLE[number];

const reason = NullReason.optional();
const Nulls = z.object({ reach: reason, saves: reason, clicks: reason }).describe(
  "Why each null is null. notReported: the platform has no such number for this post; notYetRead: " +
    "it came with a later reading, or is expected to; retired: the platform stopped reporting it; " +
    "noPermission: the account must be connected again first; noLink: the post has no link.",
);

export const ExplainedReading = PostMetrics.extend({ nulls: Nulls }).meta({
  id: "ExplainedReading",
});
export type ExplainedReading = z.output<typeof ExplainedReading>;

/** Platforms report some numbers up to so long after publication. */
const DELAY = 48 * HOUR;
const LINK = /\bhttps?:\/\/|\bwww\.\w/i;

export interface Circumstances {
  /** Instant, ms. */
  at: number;
  /** Whether the brand's accounts on that platform can be read at present. */
  isConnected: boolean;
}

/**
 * Readings oldest first.
 * @param asOf only what was known at the end of that UTC day, yyyy-mm-dd
 */
export function explainedReadings(
  post: PostDetail,
  circumstances: Circumstances,
  asOf?: string,
): ExplainedReading[] {
  const { snapshots } = post;
  const known = asOf === undefined
    ? snapshots
    : snapshots.filter(({ capturedAt }) => capturedAt.slice(0, 10) <= asOf);
  const has = (field: Nullable) => (reading: PostMetrics) => reading[field] !== null;
  return known.map((reading, place) => ({
    ...reading,
    nulls: nullsOf(post, reading, circumstances, (field) => ({
      before: snapshots.slice(0, place).some(has(field)),
      after: snapshots.slice(place).some(has(field)),
    })),
  }));
}

/**
 * The newest reading of a post.
 * @param hadEver whether any of its readings has the number
 */
export function explainedNewest(
  post: Post,
  circumstances: Circumstances,
  hadEver: (field: Nullable) => boolean,
): ExplainedReading {
  const { metrics } = post;
  const others = (field: Nullable): Others => ({ before: hadEver(field), after: false });
  return { ...metrics, nulls: nullsOf(post, metrics, circumstances, others) };
}

/** Whether the readings before and after one have a number that it lacks. */
interface Others {
  before: boolean;
  after: boolean;
}

function nullsOf(
  post: Post,
  reading: PostMetrics,
  circumstances: Circumstances,
  othersOf: (field: Nullable) => Others,
): ExplainedReading["nulls"] {
  const nulls: ExplainedReading["nulls"] = {};
  for (const field of NULLABLE) {
    if (reading[field] !== null) continue;
    nulls[field] = reasonFor(post, field, othersOf(field), circumstances);
  }
  return nulls;
}

function reasonFor(
  post: Post,
  field: Nullable,
  { before, after }: Others,
  { at, isConnected }: Circumstances,
): NullReason {
  // A number of clicks in any reading tells that the post has a link, too.
  if (field === "clicks" && !hasLink(post) && !before && !after) return "noLink";
  if (!isReported(post, field)) return "notReported";
  if (after) return "notYetRead";
  if (before) return "retired";
  if (!isConnected) return "noPermission";
  return at - Date.parse(post.publishedAt) < DELAY ? "notYetRead" : "notReported";
}

function isReported({ platform, format }: Post, field: Nullable): boolean {
  const reported = REPORTED[platform][field];
  return typeof reported === "boolean" ? reported : reported.includes(format);
}

const hasLink = ({ caption, title }: Post): boolean => LINK.test(`${title ?? ""} ${caption}`);
