/**
 * What the posts say of each arm, all else equal: a linear model of the logarithm of what a post
 * earned, with normal priors. Its scales (the noise between like posts, the swing between fortnights)
 * are not known, so the posterior is a mixture over a grid of them, weighted by how well each explains
 * the posts (Gelman et al., Bayesian Data Analysis, chapters 5 and 14).
 */
import { normal } from "../../foundation/chance.ts";
import { cholesky, solveDown, solveUp } from "./cholesky.ts";

/** One post: the columns that are not 0 for it, their values, and log(earned / baseline). */
export interface Row {
  columns: number[];
  values: number[];
  y: number;
}

/** Scales of the model, in log units, and how probable they are before any post. */
export interface Scales {
  /** Standard deviation between like posts. */
  noise: number;
  /** Log of the prior weight. */
  weight: number;
  /** Prior standard deviation of each effect. */
  widths: Float64Array;
}

interface Part {
  weight: number;
  /** Its place in the grid. */
  scales: Scales;
  /** Of all effects. */
  centres: Float64Array;
  /** Of the arms alone, which are the last effects. */
  mean: Float64Array;
  /** Lower triangle L of the arms' marginal posterior precision L Lᵀ, row after row. */
  root: Float64Array;
}

export interface Posterior {
  parts: Part[];
  /** Expected noise between like posts. */
  noise: number;
  /** Log probability of the posts under the model, for comparing models of the same posts. */
  evidence: number;
}

/** A statement about a sum of effects: its centre, 95 % interval and the probability that it is positive. */
export interface Belief {
  centre: number;
  error: number;
  low: number;
  high: number;
  positive: number;
}

/** Parts with a smaller weight change no figure that is shown. */
const LEAST_WEIGHT = 0.004;

/**
 * @param means prior mean of each effect
 * @param arms how many of the last effects the posterior is to be about; the others are averaged over
 */
export function posteriorOf(
  rows: readonly Row[],
  means: Float64Array,
  arms: number,
  grid: readonly Scales[],
): Posterior {
  const size = means.length;
  const square = new Float64Array(size * size);
  const right = new Float64Array(size);
  let squares = 0;
  for (const { columns, values, y } of rows) {
    let left = y;
    for (let at = 0; at < columns.length; at++) left -= values[at]! * means[columns[at]!]!;
    squares += left ** 2;
    for (let at = 0; at < columns.length; at++) {
      const from = columns[at]! * size;
      right[columns[at]!]! += values[at]! * left;
      for (let other = 0; other < columns.length; other++) {
        square[from + columns[other]!]! += values[at]! * values[other]!;
      }
    }
  }
  const fits = grid.map((scales) =>
    fit({ square, right, squares, posts: rows.length }, means, arms, scales)
  );
  const highest = Math.max(...fits.map(({ weight }) => weight));
  const total = fits.reduce((sum, { weight }) => sum + Math.exp(weight - highest), 0);
  const parts = fits.map((each) => ({ ...each, weight: Math.exp(each.weight - highest) / total }))
    .filter(({ weight }) => weight >= LEAST_WEIGHT);
  const kept = parts.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = parts.map((part) => ({ ...part, weight: part.weight / kept }));
  return {
    parts: weighted,
    noise: weighted.reduce((sum, { weight, scales }) => sum + weight * scales.noise, 0),
    evidence: highest + Math.log(total),
  };
}

/** Sums over the posts, all that the posterior depends on. */
interface Sums {
  square: Float64Array;
  right: Float64Array;
  squares: number;
  posts: number;
}

function fit(
  { square, right, squares, posts }: Sums,
  means: Float64Array,
  arms: number,
  scales: Scales,
): Part {
  const { noise, weight, widths } = scales;
  const size = means.length;
  const precision = new Float64Array(size * size);
  const inverse = 1 / noise ** 2;
  for (let i = 0; i < precision.length; i++) precision[i] = square[i]! * inverse;
  let logs = 0;
  for (let i = 0; i < size; i++) {
    precision[i * size + i]! += widths[i]! ** -2;
    logs -= 2 * Math.log(widths[i]!);
  }
  const root = cholesky(precision, size);
  const half = solveDown(root, right.map((value) => value / noise ** 2));
  let explained = 0;
  for (let i = 0; i < size; i++) {
    explained += half[i]! ** 2;
    logs -= 2 * Math.log(root[i * size + i]!);
  }
  const shift = solveUp(root, half);
  const centres = means.map((mean, i) => mean + shift[i]!);
  return {
    weight: weight - posts * Math.log(noise) +
      (logs - squares / noise ** 2 + explained) / 2,
    scales,
    centres,
    mean: centres.slice(size - arms),
    root: lastOf(root, size, arms),
  };
}

/** The last `arms` rows and columns of a triangle: the triangle of those effects' marginal precision. */
function lastOf(root: Float64Array, size: number, arms: number): Float64Array {
  const last = new Float64Array(arms * arms);
  for (let i = 0; i < arms; i++) {
    const from = (size - arms + i) * size + size - arms;
    last.set(root.subarray(from, from + arms), i * arms);
  }
  return last;
}

/** Several posteriors of the same arms as one, weighted by how well each explains the posts. */
export function mixtureOf(posteriors: Posterior[], priors: number[]): Posterior {
  const logs = posteriors.map(({ evidence }, at) => evidence + Math.log(priors[at] ?? 0));
  const highest = Math.max(...logs);
  const total = logs.reduce((sum, log) => sum + Math.exp(log - highest), 0);
  const shares = logs.map((log) => Math.exp(log - highest) / total);
  return {
    parts: posteriors.flatMap(({ parts }, at) =>
      parts.map((part) => ({ ...part, weight: part.weight * (shares[at] ?? 0) }))
    ),
    noise: posteriors.reduce((sum, { noise }, at) => sum + noise * (shares[at] ?? 0), 0),
    evidence: highest + Math.log(total),
  };
}

export function beliefIn({ parts }: Posterior, contrast: Float64Array): Belief {
  const each = parts.map(({ weight, mean, root }) => {
    const centre = contrast.reduce((sum, factor, i) => sum + factor * mean[i]!, 0);
    const spread = solveDown(root, contrast).reduce((sum, value) => sum + value ** 2, 0);
    return { weight, centre, spread };
  });
  const centre = each.reduce((sum, part) => sum + part.weight * part.centre, 0);
  const variance = each.reduce(
    (sum, part) => sum + part.weight * (part.spread + (part.centre - centre) ** 2),
    0,
  );
  const error = Math.sqrt(variance);
  return {
    centre,
    error,
    low: centre - 1.96 * error,
    high: centre + 1.96 * error,
    positive: error === 0 ? 0.5 : each.reduce(
      (sum, part) => sum + part.weight * normalCdf(part.centre / Math.sqrt(part.spread)),
      0,
    ),
  };
}

/** The arms' effects, drawn at random from the posterior into `effects`. */
export function drawEffects(
  { parts }: Posterior,
  random: () => number,
  effects: Float64Array,
): void {
  let point = random();
  const { mean, root } = parts.find(({ weight }) => (point -= weight) < 0) ?? parts[0]!;
  const size = effects.length;
  for (let i = size - 1; i >= 0; i--) {
    let sum = normal(random);
    for (let k = i + 1; k < size; k++) sum -= root[k * size + i]! * (effects[k]! - mean[k]!);
    effects[i] = mean[i]! + sum / root[i * size + i]!;
  }
}

/** P(Z <= z) of the standard normal distribution (Abramowitz & Stegun 26.2.17, error below 1e-7). */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail = Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI) * t *
    (0.319381530 +
      t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z < 0 ? tail : 1 - tail;
}
