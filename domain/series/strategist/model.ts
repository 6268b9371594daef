/**
 * The model of a series: what a post earns is the series' level at that time, times what its direction,
 * format, hour and template add. The level has a trend and a step for each fortnight, because otherwise
 * growth would pass for the merit of whatever was posted last.
 */
import { WEEK } from "../../foundation/calendar.ts";
import type { Dimension } from "../playbook.ts";
import { mixtureOf, type Posterior, posteriorOf, type Row, type Scales } from "./posterior.ts";
import { winsorized } from "./winsorize.ts";

export const DIMENSIONS = ["direction", "format", "hour", "template"] as const;

/** What may be planned next, by dimension. */
export type Arms = Record<Dimension, string[]>;

/** The arm whose effect has this place among the effects, counted from `FIRST_ARM`. */
export interface Column {
  dimension: Dimension;
  arm: string;
}

/** A post for the model: when it went out, its arms, and log(earned / baseline). */
export interface Observed {
  /** Instant, ms. */
  at: number;
  arms: Record<Dimension, string | null>;
  y: number;
}

/** What is known of an effect before the series' posts. */
export interface Estimate {
  effect: number;
  error: number;
}

export interface Model {
  columns: Column[];
  /** All posts alike, for figures and verdicts. */
  posterior: Posterior;
  /** For shares: what holds now, because which arm is best may have changed at some time. */
  current: () => Posterior;
}

/** Places of the effects: level, trend, one a fortnight, and last the arms. */
const LEVEL = 0;
const TREND = 1;
const FIRST_FORTNIGHT = 2;
/** A direction that earns 19 % more (or less) is one standard deviation from the usual one. */
export const EFFECT_WIDTH = 0.17;
const LEVEL_WIDTH = 1;
/** Log a week: growth of 5 % a week is one standard deviation. */
const TREND_WIDTH = 0.05;
const FORTNIGHT = 2 * WEEK;
/** Noise between like posts. In 74,510 videos its median was 0.37, and 0.20 to 0.85 the outer tenths. */
const USUAL_NOISE: Guess = { log: Math.log(0.4), width: 0.6 };
/** How far (log) the series' noise may differ from that of the brand's other posts. */
const OTHER_NOISE = 0.3;
const NOISES = [0.14, 0.2, 0.27, 0.36, 0.48, 0.64, 0.85, 1.15];
/** The swing between fortnights, as a multiple of the noise; a quarter of the variance is 0.58. */
const SWINGS = [0.1, 0.35, 0.7];
/**
 * That the directions' worth changed at some time is as probable as this before any post. Nearly certain,
 * because tastes move; where nothing changed, the posts soon say so.
 */
const CHANGE = 0.97;
const CHANGE_WIDTH = 0.25;
/** Only the likeliest scales are tried with a change, because trying all takes long and shows no more. */
const CHANGE_PARTS = 4;

/** What is known before the posts: of each effect, and of the noise between like posts. */
interface Known {
  known?: (column: Column) => Estimate | null;
  noise?: { noise: number; posts: number } | null;
}

export function modelOf(
  observed: readonly Observed[],
  arms: Arms,
  { known = () => null, noise = null }: Known = {},
): Model {
  const columns = DIMENSIONS.flatMap((dimension) =>
    [...new Set([...arms[dimension], ...armsIn(observed, dimension)])]
      .map((arm) => ({ dimension, arm }))
  );
  const estimates = columns.map((column) => known(column) ?? { effect: 0, error: EFFECT_WIDTH });
  const { rows: raw, fortnights } = designOf(observed, columns);
  const others = FIRST_FORTNIGHT + fortnights;
  const means = Float64Array.from([
    ...new Array<number>(others).fill(0),
    ...estimates.map(({ effect }) => effect),
  ]);
  const widthsAt = (swing: number) =>
    Float64Array.from([
      LEVEL_WIDTH,
      TREND_WIDTH,
      ...new Array<number>(fortnights).fill(swing),
      ...estimates.map(({ error }) => error),
    ]);
  const grid = gridOf(widthsAt, noiseAfter(noise));
  const rows = winsorized(raw, means, grid);
  const posterior = posteriorOf(rows, means, columns.length, grid);
  return {
    columns,
    posterior,
    current: () => currentOf({ observed, rows, columns, means, others, posterior }),
  };
}

function armsIn(observed: readonly Observed[], dimension: Dimension): string[] {
  return observed.flatMap(({ arms }) => arms[dimension] ?? []);
}

/** A guess (log) with its standard deviation. */
interface Guess {
  log: number;
  width: number;
}

/** The brand's own noise, as far as its other posts tell it; else what is usual. */
function noiseAfter(history: Known["noise"]): Guess {
  if (history === null || history === undefined) return USUAL_NOISE;
  const error = Math.hypot(1 / Math.sqrt(2 * history.posts), OTHER_NOISE);
  const [own, usual] = [error ** -2, USUAL_NOISE.width ** -2];
  return {
    log: (own * Math.log(history.noise) + usual * USUAL_NOISE.log) / (own + usual),
    width: 1 / Math.sqrt(own + usual),
  };
}

function gridOf(widthsAt: (swing: number) => Float64Array, usual: Guess): Scales[] {
  return NOISES.flatMap((noise) =>
    SWINGS.map((swing) => ({
      noise,
      weight: -(((Math.log(noise) - usual.log) / usual.width) ** 2) / 2,
      widths: widthsAt(noise * swing),
    }))
  );
}

function designOf(
  observed: readonly Observed[],
  columns: Column[],
): { rows: Row[]; fortnights: number } {
  if (observed.length === 0) return { rows: [], fortnights: 0 };
  const newest = Math.max(...observed.map(({ at }) => at));
  const oldest = Math.min(...observed.map(({ at }) => at));
  const fortnightOf = (at: number) => Math.floor((at - oldest) / FORTNIGHT);
  const fortnights = fortnightOf(newest) + 1;
  const place = new Map(columns.map(({ dimension, arm }, i) => [`${dimension} ${arm}`, i]));
  const rows = observed.map(({ at, arms, y }) => {
    const own = DIMENSIONS.flatMap((dimension) => {
      const i = place.get(`${dimension} ${arms[dimension]}`);
      return i === undefined ? [] : [FIRST_FORTNIGHT + fortnights + i];
    });
    const columns = [LEVEL, TREND, FIRST_FORTNIGHT + fortnightOf(at), ...own];
    const values = columns.map((column) => column === TREND ? (at - newest) / WEEK : 1);
    return { columns, values, y };
  });
  return { rows, fortnights };
}

interface Fitted {
  observed: readonly Observed[];
  rows: Row[];
  columns: Column[];
  means: Float64Array;
  /** How many effects stand before the arms. */
  others: number;
  posterior: Posterior;
}

/**
 * The posterior in which the directions' worth may have changed at the start of any fortnight. A change
 * gives each direction a second effect, which counts only before it.
 */
function currentOf({ observed, rows, columns, means, others, posterior }: Fitted): Posterior {
  const oldest = Math.min(...observed.map(({ at }) => at));
  const newest = Math.max(...observed.map(({ at }) => at));
  const changes = observed.length === 0 ? 0 : Math.floor((newest - oldest) / FORTNIGHT);
  if (changes === 0) return posterior;
  // Directions are the first arms.
  const directions = columns.filter(({ dimension }) => dimension === "direction").length;
  const widened = (values: Float64Array, value: number) =>
    Float64Array.from([
      ...values.subarray(0, others),
      ...new Array<number>(directions).fill(value),
      ...values.subarray(others),
    ]);
  const likely = posterior.parts.toSorted((a, b) => b.weight - a.weight).slice(0, CHANGE_PARTS);
  const grid = likely.map(({ scales }) => ({
    ...scales,
    widths: widened(scales.widths, CHANGE_WIDTH),
  }));
  const wide = widened(means, 0);
  const changed = Array.from({ length: changes }, (_, n) => {
    const at = oldest + (n + 1) * FORTNIGHT;
    const split = rows.map(({ columns, values, y }, i) => {
      const before = (observed[i]?.at ?? at) < at;
      const moved = columns.map((column) => column < others ? column : column + directions);
      const own = columns.filter((column) =>
        before && column >= others && column < others + directions
      );
      return { columns: [...moved, ...own], values: [...values, ...own.map(() => 1)], y };
    });
    return posteriorOf(split, wide, columns.length, grid);
  });
  const same = posteriorOf(rows, means, columns.length, likely.map(({ scales }) => scales));
  return mixtureOf([same, ...changed], [1 - CHANGE, ...changed.map(() => CHANGE / changes)]);
}
