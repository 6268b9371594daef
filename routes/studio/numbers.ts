/** Numbers as people read them: counts, shares, changes, and why one is missing. */
import type { Effect, Summary, TimelineMetric } from "../../domain/insights/shape.ts";
import type { NullReason } from "../../domain/insights/readings.ts";
import { TRAITS } from "../../domain/platforms/contract/traits.ts";
import type { Platform, PostFormat } from "../../domain/posts/shape.ts";

export const METRIC_WORDS: Record<TimelineMetric, string> = {
  views: "Views",
  impressions: "Impressions",
  reach: "Reach",
  engagement: "Interactions",
  engagementRate: "Interaction rate",
  likes: "Likes",
  comments: "Comments",
  shares: "Shares",
  saves: "Saves",
  clicks: "Clicks",
};

/** One and many posts of a format. */
export const POST_FORMATS: Record<PostFormat, { one: string; many: string }> = {
  carousel: { one: "carousel", many: "carousels" },
  image: { one: "picture", many: "pictures" },
  reel: { one: "reel", many: "reels" },
  story: { one: "story", many: "stories" },
  video: { one: "video", many: "videos" },
};

/** "Instagram carousels" */
export const likePostsWords = (platform: Platform, format: PostFormat): string =>
  `${TRAITS[platform].name} ${POST_FORMATS[format].many}`;

/** Made once: `toLocaleString` prepares one each time, which took most of the time of Insights. */
const wholeFormat = new Intl.NumberFormat("en-US");
/** "12,345" */
export const whole = (value: number): string => wholeFormat.format(Math.round(value));

/** "12.3K" */
const compactFormat = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumFractionDigits: 1,
});
export const compact = (value: number): string => compactFormat.format(value);

/** "4.21%" of a fraction */
export const share = (fraction: number): string => `${(fraction * 100).toFixed(2)}%`;

/** A value of a metric in full. */
export const valueWords = (metric: TimelineMetric, value: number): string =>
  metric === "engagementRate" ? share(value) : whole(value);

/** A value of a metric where there is little room. */
export const shortWords = (metric: TimelineMetric, value: number): string =>
  metric === "engagementRate" ? share(value) : compact(value);

export interface Change {
  words: string;
  direction: "up" | "down" | "even";
}

/** "12% more than before", or null where nothing can be said. */
export function changeOf(now: number | null, before: number | null): Change | null {
  if (now === null || before === null || before < 0) return null;
  if (before === 0) return now > 0 ? { words: "from none", direction: "up" } : null;
  const percent = Math.round((now / before - 1) * 100);
  if (percent === 0) return { words: "as before", direction: "even" };
  const words = `${percent > 0 ? "+" : "−"}${whole(Math.abs(percent))}%`;
  return { words, direction: percent > 0 ? "up" : "down" };
}

/** How the interactions of a period compare with what such a period usually brings; null: not known. */
export function usualWords({ engagement, usual }: Summary): {
  interactions: string;
  where: string;
  range: string;
} | null {
  if (usual === null) return null;
  const { low, high } = usual.engagement;
  return {
    interactions: `${whole(engagement)} interaction${engagement === 1 ? "" : "s"}`,
    where: engagement < low
      ? "fewer than usual"
      : engagement > high
      ? "more than usual"
      : "as usual",
    range: `${whole(low)} to ${whole(high)}`,
  };
}

/** A ratio to the usual as "+20%". */
export function ratioWords(ratio: number): string {
  const percent = Math.round((ratio - 1) * 100);
  return percent === 0 ? "±0%" : `${percent > 0 ? "+" : "−"}${Math.abs(percent)}%`;
}

/** "+20% (+4% to +38%)" */
export const effectWords = ({ low, mid, high }: Effect): string =>
  `${ratioWords(mid)} (${ratioWords(low)} to ${ratioWords(high)})`;

/** What stands in place of a number that is missing, and why. */
export function missingWords(
  reason: NullReason,
  platform: Platform,
): { word: string; why: string } {
  const { name } = TRAITS[platform];
  switch (reason) {
    case "notReported":
      return { word: "not reported", why: `${name} has no such number for this post.` };
    case "notYetRead":
      return { word: "not read yet", why: `${name} reports it later than the other numbers.` };
    case "retired":
      return { word: "not reported", why: `${name} no longer reports it for this post.` };
    case "noPermission":
      return { word: "not readable", why: `Connect the ${name} account again to read it.` };
    case "noLink":
      return { word: "no link", why: "The post has no link that could be clicked." };
  }
}

/** "3 hours", "2 days" */
export function ageWords(hours: number): string {
  const [count, noun] = hours < 48
    ? [Math.max(1, Math.round(hours)), "hour"]
    : [Math.round(hours / 24), "day"];
  return `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Where a scale ends: the next of 1, 2, 2.5 and 5 times a power of ten. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 2.5, 5].find((step) => step * power >= value) ?? 10);
}
