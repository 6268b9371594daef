/** A post's readings as they were reported, with a reason for each number that is missing. */
import { z } from "zod";
import { HOUR } from "../foundation/calendar.ts";
import { type PostDetail, PostMetrics, REPORTED } from "../posts/shape.ts";

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
  return known.map((reading, place) => {
    const nulls: ExplainedReading["nulls"] = {};
    for (const field of NULLABLE) {
      if (reading[field] === null) nulls[field] = reasonFor(post, field, place, circumstances);
    }
    return { ...reading, nulls };
  });
}

function reasonFor(
  post: PostDetail,
  field: Nullable,
  place: number,
  { at, isConnected }: Circumstances,
): NullReason {
  const { snapshots } = post;
  if (field === "clicks" && !hasLink(post)) return "noLink";
  if (!isReported(post, field)) return "notReported";
  const has = (reading: PostMetrics) => reading[field] !== null;
  if (snapshots.slice(place).some(has)) return "notYetRead";
  if (snapshots.slice(0, place).some(has)) return "retired";
  if (!isConnected) return "noPermission";
  return at - Date.parse(post.publishedAt) < DELAY ? "notYetRead" : "notReported";
}

function isReported({ platform, format }: PostDetail, field: Nullable): boolean {
  const reported = REPORTED[platform][field];
  return typeof reported === "boolean" ? reported : reported.includes(format);
}

/** Whether the post has a link. A number of clicks in any reading tells it, too. */
function hasLink({ caption, title, snapshots }: PostDetail): boolean {
  return LINK.test(`${title ?? ""} ${caption}`) || snapshots.some(({ clicks }) => clicks !== null);
}
