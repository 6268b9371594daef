/** What the brand's posts outside the series say: of formats, hours, and how much like posts differ. */
import { HOUR } from "../../foundation/calendar.ts";
import type { PostFormat } from "../../posts/shape.ts";
import type { Measured } from "./measure.ts";
import { type Estimate, modelOf } from "./model.ts";
import { beliefIn } from "./posterior.ts";
import type { Measure } from "./objective.ts";

/** A platform needs this many posts for a mean. */
export const FEWEST_BASELINE = 5;

/** What the series' own posts may be expected to earn before there are any. */
export interface History {
  posts: number;
  /** Standard deviation of the log between like posts. */
  noise: number;
  /** Log of what each format and hour adds, with its error; only those with enough posts. */
  formats: Record<string, Estimate>;
  hours: Record<string, Estimate>;
}

export const SERIES_FORMAT: Record<PostFormat, string> = {
  image: "post",
  carousel: "carousel",
  story: "story",
  reel: "reel",
  video: "video",
};

/** What holds for other posts may not hold for the series', so it counts only within this error (log). */
const TRANSFER = 0.1;

/** Null when no platform has enough posts. */
export function historyOf(posts: readonly Measured[], measure: Measure): History | null {
  const observed = Object.values(Object.groupBy(posts, ({ platform }) => platform))
    .filter((alike) => alike.length >= FEWEST_BASELINE)
    .flatMap((alike) => {
      const usual = meanLog(alike, measure);
      return alike.map((post) => ({
        at: post.publishedAt,
        arms: {
          direction: null,
          format: SERIES_FORMAT[post.format],
          hour: String(Math.floor(post.publishedAt / HOUR) % 24),
          template: null,
        },
        y: logOf(post, measure) - usual,
      }));
    });
  if (observed.length === 0) return null;
  const none = { direction: [], format: [], hour: [], template: [] };
  const { columns, posterior } = modelOf(observed, none);
  const estimates = (dimension: "format" | "hour") =>
    Object.fromEntries(columns.flatMap(({ arm, dimension: own }, at): [string, Estimate][] => {
      const count = observed.filter(({ arms }) => arms[dimension] === arm).length;
      if (own !== dimension || count < FEWEST_BASELINE) return [];
      const contrast = new Float64Array(columns.length);
      contrast[at] = 1;
      const { centre, error } = beliefIn(posterior, contrast);
      return [[arm, { effect: centre, error: Math.hypot(error, TRANSFER) }]];
    }));
  return {
    posts: observed.length,
    noise: posterior.noise,
    formats: estimates("format"),
    hours: estimates("hour"),
  };
}

export function logOf(post: Partial<Record<Measure, number | null>>, measure: Measure): number {
  return Math.log((post[measure] ?? 0) + 1);
}

export function meanLog(
  posts: readonly Partial<Record<Measure, number | null>>[],
  measure: Measure,
): number {
  return posts.reduce((sum, post) => sum + logOf(post, measure), 0) / posts.length;
}
