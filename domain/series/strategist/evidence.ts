/** Evidence: what published slots earned at equal age, against the brand's own baseline. */
import type { SeriesFormat } from "../../platforms/contract/format.ts";
import type { Platform } from "../../posts/shape.ts";
import { FEWEST_BASELINE, type History, historyOf, meanLog } from "./history.ts";
import type { Measured } from "./measure.ts";
import {
  type Earned,
  type Measure,
  measureOfFormats,
  type Objective,
  reports,
} from "./objective.ts";

export { engagementAt, EQUAL_AGE, measure, type Measured } from "./measure.ts";

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

/** A published slot whose post could be compared. */
export interface Scored extends Omit<PublishedSlot, "externalPostId" | "platform">, Earned {
  postId: string;
  /** Instant, ms. */
  publishedAt: number;
  /** Mean log(earned + 1) of the brand's posts of that platform and format, by the objective. */
  baseline: number;
  /** The same over all formats of the platform. */
  platformBaseline: number;
  /** The same by the measure of formats; absent where that is the objective. */
  formatBaseline?: number;
}

export interface Evidence {
  scored: Scored[];
  /** Published slots whose posts are too young, or have no readings near the equal age. */
  waiting: number;
  /** By format, the log of what the brand's posts outside this series earned against their platform's mean. */
  formatPrior: Record<string, number>;
  /** Hours (UTC) at which those posts earned most against the same mean, best first. */
  goodHours: number[];
  /** What the posts are judged by; engagement where it is left out. */
  objective?: Measure;
  /** What the goal asks for, where the posts don't report it. */
  missed?: Objective | null;
  /** By what formats are compared; null: they can't be. The objective where it is left out. */
  formatMeasure?: Measure | null;
  history?: History | null;
}

/**
 * Joins slots with their posts.
 * @param posts measured posts of those slots, by `platform externalId`
 * @param others the brand's measured posts outside this series
 * @param wanted what the goal asks for: `objectiveOf(goal)`
 */
export function weigh(
  slots: readonly PublishedSlot[],
  posts: ReadonlyMap<string, Measured>,
  others: readonly Measured[],
  wanted: Objective = "engagement",
): Evidence {
  const joined = slots.flatMap((slot) => {
    const post = posts.get(`${slot.platform} ${slot.externalPostId}`);
    return post === undefined ? [] : [{ slot, post }];
  });
  const own = joined.map(({ post }) => post);
  const objective = reports(own.length > 0 ? own : others, wanted) ? wanted : "engagement";
  const all = [...others, ...own].filter((post) => typeof post[objective] === "number");
  const formatMeasure = measureOfFormats(own.length > 0 ? own : others, objective);
  const baselines = baselinesOf(all, objective);
  const formatBaselines = formatMeasure === null || formatMeasure === objective
    ? null
    : baselinesOf(all, formatMeasure);
  const scored = joined.filter(({ post }) => typeof post[objective] === "number")
    .map(({ slot: { externalPostId: _, platform: _on, ...slot }, post }) => {
      const { postId, publishedAt, engagement, reach, views, clicks } = post;
      const earned = {
        engagement,
        reach: reach ?? null,
        views: views ?? null,
        clicks: clicks ?? null,
      };
      return {
        ...slot,
        postId,
        publishedAt,
        ...earned,
        ...baselines(post),
        ...(formatBaselines === null
          ? {}
          : { formatBaseline: formatBaselines(post).platformBaseline }),
      };
    });
  const history = historyOf(comparable(others, formatMeasure), formatMeasure ?? objective);
  return {
    scored,
    waiting: slots.length - scored.length,
    formatPrior: effectsOf(history?.formats ?? {}),
    goodHours: Object.entries(effectsOf(history?.hours ?? {}))
      .sort(([a, most], [b, other]) => other - most || Number(a) - Number(b))
      .map(([hour]) => Number(hour)),
    objective,
    missed: objective === wanted ? null : wanted,
    formatMeasure,
    history,
  };
}

/** Where stories can't be compared with other posts, only those others say something of formats. */
function comparable(posts: readonly Measured[], formatMeasure: Measure | null): Measured[] {
  return posts.filter((post) =>
    formatMeasure === null ? post.format !== "story" : typeof post[formatMeasure] === "number"
  );
}

function effectsOf(estimates: History["formats"]): Record<string, number> {
  return Object.fromEntries(Object.entries(estimates).map(([arm, { effect }]) => [arm, effect]));
}

/** The means of a post's platform, and of its format there if that has enough posts. */
function baselinesOf(all: readonly Measured[], measure: Measure) {
  const means = new Map<string, number>();
  const meanOf = (name: string, alike: () => Measured[]) => {
    const known = means.get(name);
    if (known !== undefined) return known;
    const posts = alike();
    const mean = posts.length < FEWEST_BASELINE && name.includes(" ")
      ? NaN
      : meanLog(posts, measure);
    means.set(name, mean);
    return mean;
  };
  return ({ platform, format }: Measured) => {
    const onPlatform = () => all.filter((each) => each.platform === platform);
    const platformBaseline = meanOf(platform, onPlatform);
    const own = meanOf(
      `${platform} ${format}`,
      () => onPlatform().filter((each) => each.format === format),
    );
    return { baseline: Number.isNaN(own) ? platformBaseline : own, platformBaseline };
  };
}
