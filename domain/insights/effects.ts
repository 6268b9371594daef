/**
 * How groups of posts do against the brand's usual, as ratios with 95 % intervals.
 *
 * Posts are compared as logarithms, so that one post that went viral does not decide, and each with
 * its usual (`usual.ts`). A group's effect is the mean of its posts. Its interval is Welch's, of the
 * group against all other posts: it needs 5 posts on either side, and widens with few or uneven ones.
 *
 * Of many groups some differ by chance: of 20 that are alike, one interval leaves out 1 on average. So
 * a verdict takes more than its own interval: it must also hold among all groups of the answer, by
 * Holm's method (1979), which errs about any of them in at most 5 % of answers.
 */
import { studentCdf } from "../foundation/student.ts";
import type { Effect, Verdict } from "./shape.ts";
import { turns } from "./slices.ts";
import { type Compared, FEWEST } from "./usual.ts";

/** Posts between two looks at the time. */
const LOOK_EVERY = 512;
/** Chance of a wrong interval, and of any wrong verdict in an answer. */
const ERROR = 0.05;
/** The normal distribution's quantile of `1 - ERROR / 2`. */
const NORMAL = 1.959963984540054;

export interface Judged {
  group: number;
  posts: number;
  effect: Effect | null;
  verdict: Verdict;
}

/**
 * One result for each group with a post, by number.
 * @param groups how many there are
 * @param groupsOf the groups of a row; each at most once
 * @param shown picks the groups of the answer by how many posts each has
 */
export async function judgedGroups(
  { rows, logs }: Compared,
  groups: number,
  groupsOf: (row: number) => ArrayLike<number>,
  shown: (counts: Uint32Array) => Iterable<number>,
): Promise<Judged[]> {
  const posts = new Uint32Array(groups);
  const counts = new Uint32Array(groups);
  const sums = new Float64Array(groups);
  const squares = new Float64Array(groups);
  let [count, sum, square] = [0, 0, 0];
  const turn = turns();
  for (let at = 0; at < rows.length; at++) {
    if (at % LOOK_EVERY === 0) await turn();
    const log = logs[at]!;
    const own = groupsOf(rows[at]!);
    for (let nth = 0; nth < own.length; nth++) {
      const group = own[nth]!;
      posts[group]!++;
      if (Number.isNaN(log)) continue;
      counts[group]!++;
      sums[group]! += log;
      squares[group]! += log * log;
    }
    if (Number.isNaN(log)) continue;
    count++;
    sum += log;
    square += log * log;
  }
  const contrasts = [];
  for (const group of shown(posts)) {
    await turn();
    const inside = { count: counts[group]!, sum: sums[group]!, square: squares[group]! };
    const outside = {
      count: count - inside.count,
      sum: sum - inside.sum,
      square: square - inside.square,
    };
    contrasts.push({ group, posts: posts[group]!, contrast: contrastOf(inside, outside) });
  }
  const certain = holm(
    contrasts.flatMap(({ group, contrast }) =>
      contrast === null ? [] : [{ group, chance: contrast.chance }]
    ),
  );
  return contrasts.map(({ group, posts, contrast }) => ({
    group,
    posts,
    effect: contrast?.effect ?? null,
    verdict: verdictOf(contrast?.effect ?? null, certain.has(group)),
  }));
}

interface Moments {
  count: number;
  sum: number;
  square: number;
}

interface Contrast {
  effect: Effect;
  /** How likely so large a difference is by chance. */
  chance: number;
}

function contrastOf(inside: Moments, outside: Moments): Contrast | null {
  if (inside.count < FEWEST || outside.count < FEWEST) return null;
  const [ours, theirs] = [spreadOf(inside), spreadOf(outside)];
  const difference = ours.mean - theirs.mean;
  const error = Math.sqrt(ours.square + theirs.square);
  const freedom = error === 0 ? Infinity : (ours.square + theirs.square) ** 2 /
    (ours.square ** 2 / (inside.count - 1) + theirs.square ** 2 / (outside.count - 1));
  // Against the usual of all posts, of which the group is a part, the difference is this much smaller.
  const share = outside.count / (inside.count + outside.count);
  const reach = error === 0 ? 0 : error * studentBound(freedom);
  return {
    effect: {
      low: Math.exp(share * (difference - reach)),
      mid: Math.exp(share * difference),
      high: Math.exp(share * (difference + reach)),
    },
    chance: chanceOf(difference, error, freedom),
  };
}

/** The mean, and the square of its standard error. */
function spreadOf({ count, sum, square }: Moments): { mean: number; square: number } {
  const mean = sum / count;
  const variance = Math.max(0, (square - count * mean * mean) / (count - 1));
  // Rounding leaves a trace of variance between equal numbers.
  return { mean, square: variance < 1e-12 ? 0 : variance / count };
}

function chanceOf(difference: number, error: number, freedom: number): number {
  if (error === 0) return Math.abs(difference) < 1e-9 ? 1 : 0;
  return 2 * (1 - studentCdf(Math.abs(difference) / error, freedom));
}

/**
 * Student's t that 97.5 % stay below: the expansion of Abramowitz & Stegun 26.7.5, then one step of
 * Newton's method, because a search for each group of a large answer would take too long.
 */
export function studentBound(freedom: number): number {
  const z = NORMAL;
  const first = z + (z ** 3 + z) / 4 / freedom +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96 / freedom ** 2 +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384 / freedom ** 3;
  if (freedom > 1_000) return first;
  const [low, high] = [studentCdf(first, freedom), studentCdf(first + 0.01, freedom)];
  return first + 0.01 * (1 - ERROR / 2 - low) / (high - low);
}

/** The groups whose differences are certain among all that were tested. */
function holm(tests: { group: number; chance: number }[]): Set<number> {
  const certain = new Set<number>();
  for (const [at, { group, chance }] of tests.toSorted((a, b) => a.chance - b.chance).entries()) {
    if (chance > ERROR / (tests.length - at)) break;
    certain.add(group);
  }
  return certain;
}

function verdictOf(effect: Effect | null, isCertain: boolean): Verdict {
  if (effect === null || !isCertain) return "cantTell";
  if (effect.low > 1) return "better";
  return effect.high < 1 ? "worse" : "cantTell";
}
