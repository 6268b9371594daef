/** Figures from evidence: for each direction, format, hour and template what its posts earned. */
import type { Scored } from "./evidence.ts";
import { beliefIn, type Posterior, posteriorOf, type Prior } from "./posterior.ts";
import type { Dimension, Figure } from "./shape.ts";
import { actionFor } from "./verdicts.ts";

export const DIMENSIONS = ["direction", "format", "hour", "template"] as const;

/** What may be planned next, of each dimension. */
export type Arms = Record<Dimension, string[]>;

/** An arm's place among the model's effects. */
export interface Column {
  dimension: Dimension;
  arm: string;
}

export interface Model {
  columns: Column[];
  posterior: Posterior;
}

/** An effect is worth this many average posts before there are any: large effects are rare. */
const EFFECT_PRECISION = 3;
/** The series as a whole against the brand's baseline. */
const LEVEL_PRECISION = 1;
/** Variance of log engagement between like posts: about 0.4 squared, known as well as from 4 posts. */
const VARIANCE_SHAPE = 2;
const VARIANCE_SCALE = 0.16 * (VARIANCE_SHAPE - 1);

/**
 * @param formatPrior log of what each format earned the brand so far against its platform's baseline
 */
export function modelOf(
  scored: readonly Scored[],
  arms: Arms,
  formatPrior: Readonly<Record<string, number>> = {},
): Model {
  const columns = DIMENSIONS.flatMap((dimension) =>
    [...new Set([...arms[dimension], ...scored.map((post) => armOf(post, dimension))])]
      .map((arm) => ({ dimension, arm }))
  );
  const place = new Map(columns.map(({ dimension, arm }, at) => [`${dimension} ${arm}`, at + 1]));
  const rows = scored.map((post) => ({
    columns: [0, ...DIMENSIONS.map((each) => place.get(`${each} ${armOf(post, each)}`)!)],
    y: Math.log(post.engagement + 1) - post.platformBaseline,
  }));
  return { columns, posterior: posteriorOf(rows, priorOf(columns, formatPrior)) };
}

function priorOf(columns: Column[], formatPrior: Readonly<Record<string, number>>): Prior {
  return {
    mean: [
      0,
      ...columns.map(({ dimension, arm }) => dimension === "format" ? formatPrior[arm] ?? 0 : 0),
    ],
    precision: [LEVEL_PRECISION, ...columns.map(() => EFFECT_PRECISION)],
    shape: VARIANCE_SHAPE,
    scale: VARIANCE_SCALE,
  };
}

/** One figure an arm, the arms that may be planned and those that were. */
export function figuresOf(scored: readonly Scored[], { columns, posterior }: Model): Figure[] {
  return columns.map(({ dimension, arm }, at) => {
    const posts = scored.filter((post) => armOf(post, dimension) === arm);
    const rivals = columns.flatMap((other, place) =>
      other.dimension === dimension && place !== at &&
        scored.some((post) => armOf(post, dimension) === other.arm)
        ? [place]
        : []
    );
    const contrast = [0, ...columns.map((_, place) => place === at ? 1 : 0)];
    for (const place of rivals) contrast[place + 1]! -= 1 / rivals.length;
    const { centre, low, high, positive } = beliefIn(posterior, contrast);
    const standing = {
      posts: rivals.length > 0 ? posts.length : 0,
      lift: Math.expm1(centre),
      better: positive,
      worse: 1 - positive,
    };
    return {
      dimension,
      arm,
      ...standing,
      posts: posts.length,
      rivals: rivals.length,
      ratio: ratioOf(posts, dimension),
      low: Math.expm1(low),
      high: Math.expm1(high),
      action: actionFor(standing),
    };
  });
}

/**
 * Geometric mean of engagement over the brand's baseline for that platform and format. A format
 * itself is compared with the platform's baseline: against its own every format would be average.
 */
function ratioOf(posts: readonly Scored[], dimension: Dimension): number | null {
  if (posts.length === 0) return null;
  const logs = posts.map((post) =>
    Math.log(post.engagement + 1) -
    (dimension === "format" ? post.platformBaseline : post.baseline)
  );
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

export function armOf(post: Scored, dimension: Dimension): string {
  return dimension === "hour" ? String(post.hour) : post[dimension];
}
