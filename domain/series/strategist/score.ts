/**
 * The strategist's own record. A review states of each arm how sure it is to be better than its rivals.
 * Four weeks later the posts made since then judge it: by the posterior of that day they would come out
 * better with a certain chance, and that chance is held against what happened.
 */
import type { Evidence } from "./evidence.ts";
import { armOf } from "./figures.ts";
import { logOf } from "./history.ts";
import { type Figure, NO_SCORE, type Score } from "../playbook.ts";
import { normalCdf } from "./posterior.ts";

/** A statement that was judged: the chance it gave the arm to come out better, and whether it did. */
export interface Judged {
  chance: number;
  cameTrue: boolean;
}

/** An arm and its rivals need this many posts each. */
const FEWEST = 2;
/** Standard errors from the centre to an end of a 95 % interval. */
const REACH = 1.96;

/**
 * Judges the statements of a review by posts that were published after it.
 * @param since evidence of those posts alone
 */
export function judge(
  { figures, noise }: { figures: readonly Figure[]; noise: number },
  since: Evidence,
): Judged[] {
  return figures.flatMap((figure) => {
    const { dimension, arm, posts, rivals } = figure;
    if (posts === 0 || rivals === 0 || (dimension === "format" && since.formatMeasure === null)) {
      return [];
    }
    const means = figures.filter((each) => each.dimension === dimension && each.posts > 0)
      .map((each) => ({ arm: each.arm, ...meanOf(since, each) }))
      .filter((each) => each.posts >= FEWEST);
    const own = means.find((each) => each.arm === arm);
    const others = means.filter((each) => each.arm !== arm);
    if (own === undefined || others.length === 0) return [];
    const usual = others.reduce((sum, { mean }) => sum + mean, 0) / others.length;
    const scatter = noise ** 2 *
      (1 / own.posts + others.reduce((sum, each) => sum + 1 / each.posts, 0) / others.length ** 2);
    const error = (Math.log1p(figure.high) - Math.log1p(figure.low)) / (2 * REACH);
    const chance = normalCdf(Math.log1p(figure.lift) / Math.sqrt(error ** 2 + scatter));
    return [{ chance, cameTrue: own.mean > usual }];
  });
}

function meanOf(
  { scored, objective = "engagement", formatMeasure }: Evidence,
  { dimension, arm }: Figure,
): { posts: number; mean: number } {
  const own = scored.filter((post) => armOf(post, dimension) === arm);
  const logs = own.map((post) =>
    dimension === "format" && formatMeasure != null && formatMeasure !== objective
      ? logOf(post, formatMeasure) - (post.formatBaseline ?? 0)
      : logOf(post, objective) - post.platformBaseline
  );
  return { posts: own.length, mean: logs.reduce((sum, log) => sum + log, 0) / own.length };
}

/** The record with these judgements added. */
export function scoreAfter(before: Score, judged: readonly Judged[]): Score {
  if (judged.length === 0) return before;
  const total = before.judged + judged.length;
  const squares = judged.reduce(
    (sum, { chance, cameTrue }) => sum + (chance - Number(cameTrue)) ** 2,
    (before.brier ?? 0) * before.judged,
  );
  const tenths = Array.from({ length: 10 }, (_, at) => {
    const from = at / 10;
    const known = before.tenths.find((each) => each.from === from);
    const own = judged.filter(({ chance }) => Math.min(9, Math.floor(chance * 10)) === at);
    const statements = (known?.statements ?? 0) + own.length;
    const mean = (value: (each: Judged) => number, old: number | undefined) =>
      own.reduce((sum, each) => sum + value(each), (old ?? 0) * (known?.statements ?? 0)) /
      statements;
    return {
      from,
      to: (at + 1) / 10,
      statements,
      stated: mean(({ chance }) => chance, known?.stated),
      cameTrue: mean(({ cameTrue }) => Number(cameTrue), known?.cameTrue),
    };
  }).filter(({ statements }) => statements > 0);
  return { ...NO_SCORE, judged: total, brier: squares / total, tenths };
}

/** The record in words. */
export function scoreWords({ judged, brier }: Score): string {
  return brier === null
    ? "No earlier statement could be judged yet: it takes four weeks of posts."
    : `Of the earlier statements, ${judged} could be judged by later posts: their mean squared error ` +
      `(Brier score) is ${brier.toFixed(2)}, where 0.25 is guessing.`;
}
