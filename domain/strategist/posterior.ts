/**
 * What the posts say of each arm, all else equal: a linear model of the logarithm of engagement with
 * a normal-inverse-gamma prior. Closed form: O'Hagan & Forster, Kendall's Advanced Theory of
 * Statistics 2B, chapter 11 (also Gelman et al., Bayesian Data Analysis, section 14.8).
 */
import { normal } from "../random.ts";
import { studentCdf, studentQuantile } from "./student.ts";

/** One post: the columns that are 1 for it, and log(engagement / baseline). */
export interface Row {
  columns: number[];
  y: number;
}

/** variance ~ inverse-gamma(shape, scale); effect ~ normal(mean, variance / precision). */
export interface Prior {
  mean: number[];
  /** In posts: how many average ones the belief is worth. */
  precision: number[];
  shape: number;
  scale: number;
}

export interface Posterior {
  mean: number[];
  /** Lower triangle L of the posterior precision L Lᵀ. */
  root: number[][];
  shape: number;
  scale: number;
  /** Standard errors on either side of a centre that hold 95 %. */
  reach: number;
}

/** A statement about a sum of effects: its centre, 95 % interval and the probability that it is positive. */
export interface Belief {
  centre: number;
  low: number;
  high: number;
  positive: number;
}

export function posteriorOf(rows: Row[], prior: Prior): Posterior {
  const size = prior.mean.length;
  const precision = prior.precision.map((own, at) =>
    Array.from({ length: size }, (_, other) => at === other ? own : 0)
  );
  const right = prior.mean.map((mean, at) => mean * prior.precision[at]!);
  let squares = prior.mean.reduce((sum, mean, at) => sum + mean ** 2 * prior.precision[at]!, 0);
  for (const { columns, y } of rows) {
    squares += y ** 2;
    for (const at of columns) {
      right[at]! += y;
      for (const other of columns) precision[at]![other]! += 1;
    }
  }
  const root = cholesky(precision);
  const mean = solveUp(root, solveDown(root, right));
  const explained = mean.reduce((sum, value, at) => sum + value * right[at]!, 0);
  const shape = prior.shape + rows.length / 2;
  return {
    mean,
    root,
    shape,
    scale: prior.scale + Math.max(0, squares - explained) / 2,
    reach: studentQuantile(0.975, 2 * shape),
  };
}

/** What is believed of `contrast · effects`: Student's t with twice the shape as degrees of freedom. */
export function beliefIn(
  { mean, root, shape, scale, reach }: Posterior,
  contrast: number[],
): Belief {
  const centre = contrast.reduce((sum, weight, at) => sum + weight * mean[at]!, 0);
  const spread = solveDown(root, contrast).reduce((sum, value) => sum + value ** 2, 0);
  const error = Math.sqrt(scale / shape * spread);
  const positive = error === 0 ? 0.5 : studentCdf(centre / error, 2 * shape);
  return { centre, low: centre - reach * error, high: centre + reach * error, positive };
}

/** One world that the posts leave possible: effects drawn from the posterior. */
export function drawEffects(
  { mean, root, shape, scale }: Posterior,
  random: () => number,
): number[] {
  const sigma = Math.sqrt(scale / gamma(shape, random));
  const noise = solveUp(root, mean.map(() => normal(random)));
  return mean.map((centre, at) => centre + sigma * noise[at]!);
}

/** A gamma(shape, 1) number, shape >= 1 (Marsaglia & Tsang 2000). */
function gamma(shape: number, random: () => number): number {
  const d = shape - 1 / 3;
  for (;;) {
    const x = normal(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** L with L Lᵀ = matrix, which is symmetric and positive definite. */
function cholesky(matrix: number[][]): number[][] {
  const root = matrix.map((row) => row.map(() => 0));
  for (let at = 0; at < matrix.length; at++) {
    for (let to = 0; to <= at; to++) {
      let sum = matrix[at]![to]!;
      for (let k = 0; k < to; k++) sum -= root[at]![k]! * root[to]![k]!;
      root[at]![to] = at === to ? Math.sqrt(sum) : sum / root[to]![to]!;
    }
  }
  return root;
}

/** x with L x = right. */
function solveDown(root: number[][], right: number[]): number[] {
  const x: number[] = [];
  root.forEach((row, at) => {
    let sum = right[at]!;
    for (let k = 0; k < at; k++) sum -= row[k]! * x[k]!;
    x.push(sum / row[at]!);
  });
  return x;
}

/** x with Lᵀ x = right. */
function solveUp(root: number[][], right: number[]): number[] {
  const x = right.slice();
  for (let at = root.length - 1; at >= 0; at--) {
    for (let k = at + 1; k < root.length; k++) x[at]! -= root[k]![at]! * x[k]!;
    x[at]! /= root[at]![at]!;
  }
  return x;
}
