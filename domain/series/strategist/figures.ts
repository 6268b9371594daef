/** Figures from evidence: what the posts of each direction, format, hour and template earned. */
import type { Evidence, Scored } from "./evidence.ts";
import { logOf } from "./history.ts";
import {
  type Arms,
  type Column,
  DIMENSIONS,
  EFFECT_WIDTH,
  type Estimate,
  type Model,
  modelOf,
} from "./model.ts";
import type { Measure } from "./objective.ts";
import { beliefIn } from "./posterior.ts";
import type { Dimension, Figure } from "../playbook.ts";
import { actionFor } from "./verdicts.ts";
import { postsNeeded } from "./outlook.ts";

/** One value for each dimension. */
export function byDimension<T>(value: (dimension: Dimension) => T): Record<Dimension, T> {
  return {
    direction: value("direction"),
    format: value("format"),
    hour: value("hour"),
    template: value("template"),
  };
}

/** A series' model by its objective, and the one by which its formats are compared. */
export interface SeriesModel extends Model {
  formats: Model;
  /** Whether two arms of a dimension may be compared at all. */
  comparable: (dimension: Dimension, arm: string, other: string) => boolean;
}

/** How much a story's numbers may differ from other posts' for no merit of its own: not known at all. */
const ANY_DIFFERENCE = 3;

/** Models by the evidence they were fitted to, because one review asks for the same model up to 3 times. */
const fitted = new WeakMap<Evidence, Map<string, SeriesModel>>();

/** The model fitted to the evidence. */
export function modelFor(evidence: Evidence, arms: Arms): SeriesModel {
  const known = fitted.get(evidence) ?? new Map<string, SeriesModel>();
  fitted.set(evidence, known);
  const name = JSON.stringify(arms);
  const model = known.get(name) ?? fitTo(evidence, arms);
  known.set(name, model);
  return model;
}

function fitTo(evidence: Evidence, arms: Arms): SeriesModel {
  const { scored, history, objective = "engagement", formatMeasure = objective } = evidence;
  const fit = (measure: Measure, known: (column: Column) => Estimate | null) =>
    modelOf(
      scored.map((post) => ({
        at: post.publishedAt,
        arms: byDimension((dimension) => armOf(post, dimension)),
        y: logOf(post, measure) -
          (measure === objective ? post.platformBaseline : post.formatBaseline ?? 0),
      })),
      arms,
      { known, noise: history ?? null },
    );
  const isApart = formatMeasure !== objective;
  const own = fit(
    objective,
    (column) =>
      isApart && column.dimension === "format" && column.arm === "story"
        ? { effect: 0, error: ANY_DIFFERENCE }
        : known(evidence, column),
  );
  const formats = isApart && formatMeasure !== null
    ? fit(formatMeasure, (column) => known(evidence, column))
    : own;
  const isStory = (arm: string) => arm === "story";
  return {
    ...own,
    formats,
    comparable: (dimension, arm, other) =>
      formatMeasure !== null || dimension !== "format" || isStory(arm) === isStory(other),
  };
}

function known({ history, formatPrior }: Evidence, { dimension, arm }: Column): Estimate | null {
  if (dimension === "hour") return history?.hours[arm] ?? null;
  if (dimension !== "format") return null;
  const effect = formatPrior[arm];
  return history?.formats[arm] ?? (effect === undefined ? null : { effect, error: EFFECT_WIDTH });
}

/** One figure for each arm, both those that may be planned and those that were. */
export function figuresOf(evidence: Evidence, model: SeriesModel): Figure[] {
  return DIMENSIONS.flatMap((dimension) => {
    const { columns, posterior } = dimension === "format" ? model.formats : model;
    const places = columns.flatMap((column, at) => column.dimension === dimension ? [at] : []);
    const postsOf = (arm: string) =>
      evidence.scored.filter((post) => armOf(post, dimension) === arm);
    return places.map((place) => {
      const arm = columns[place]?.arm ?? "";
      const posts = postsOf(arm);
      const rivals = places.filter((other) => {
        const name = columns[other]?.arm ?? "";
        return other !== place && postsOf(name).length > 0 &&
          model.comparable(dimension, arm, name);
      });
      const contrast = new Float64Array(columns.length);
      contrast[place] = 1;
      for (const rival of rivals) contrast[rival] = -1 / rivals.length;
      const { centre, error, low, high, positive } = beliefIn(posterior, contrast);
      const comparison = {
        posts: rivals.length > 0 ? posts.length : 0,
        lift: Math.expm1(centre),
        low: Math.expm1(low),
        high: Math.expm1(high),
        better: rivals.length > 0 ? positive : 0.5,
        worse: rivals.length > 0 ? 1 - positive : 0.5,
      };
      return {
        dimension,
        arm,
        ...comparison,
        posts: posts.length,
        rivals: rivals.length,
        ratio: ratioOf(posts, dimension, evidence),
        action: actionFor(comparison),
        needs: rivals.length > 0
          ? postsNeeded({ noise: posterior.noise, arms: rivals.length + 1 }, error)
          : null,
      };
    });
  });
}

/**
 * Geometric mean of what the posts earned over the brand's baseline for that platform and format.
 * Formats are compared with the platform's baseline, because against its own every format is average.
 */
function ratioOf(
  posts: readonly Scored[],
  dimension: Dimension,
  { objective = "engagement", formatMeasure = objective }: Evidence,
): number | null {
  if (posts.length === 0) return null;
  const logs = posts.map((post) =>
    dimension !== "format"
      ? logOf(post, objective) - post.baseline
      : formatMeasure === null
      ? logOf(post, objective) - post.baseline
      : logOf(post, formatMeasure) - (post.formatBaseline ?? post.platformBaseline)
  );
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

export function armOf(post: Scored, dimension: Dimension): string {
  return dimension === "hour" ? String(post.hour) : post[dimension];
}
