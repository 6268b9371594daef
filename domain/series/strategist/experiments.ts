/**
 * Experiments: two arms of one dimension, declared before their posts are made, with the number of posts
 * each gets and the measure. Read once, when both have their posts. A look before would not count.
 */
import { DAY, iso, WEEK } from "../../foundation/calendar.ts";
import type { Evidence } from "./evidence.ts";
import { armOf, byDimension, modelFor } from "./figures.ts";
import { beliefIn } from "./posterior.ts";
import type { Allocation, Dimension, Experiment } from "../playbook.ts";
import { name, percent } from "./words.ts";
import { TELLING } from "./verdicts.ts";

/** An experiment is as large as this many weeks of posts allow, or as 30 % takes, whichever is less. */
const WEEKS = 8;
/** An experiment that has not its posts by then is read as it is. */
const LONGEST = 12 * WEEK;
const FEWEST = 6;
/** Read once, so the usual certainty of a single look is enough: 5 % are wrong where nothing differs. */
const CERTAIN = 0.975;
/** Squared errors of the difference between two arms for a test of 5 % with a power of 80 %. */
const POWER = 2 * (1.96 + 0.84) ** 2;
const REMEMBERED = 6;

const ORDER: Dimension[] = ["hour", "format", "template", "direction"];

interface Declaring {
  evidence: Evidence;
  allocation: Allocation;
  perWeek: number;
  noise: number;
  /** Instant, ms. */
  at: number;
}

/** The experiments after a review: those open are read if they are due, and one is always open. */
export function experimentsAfter(
  before: readonly Experiment[],
  input: Declaring,
): Experiment[] {
  const read = before.map((each) => each.outcome === null ? readIfDue(each, input) : each);
  const isOpen = read.some(({ outcome }) => outcome === null);
  const declared = isOpen ? null : declare(read, input);
  return [...read, ...(declared === null ? [] : [declared])].slice(-REMEMBERED);
}

function declare(known: readonly Experiment[], input: Declaring): Experiment | null {
  const { allocation, perWeek, noise, at, evidence } = input;
  const sharesOf = {
    direction: allocation.directions,
    format: allocation.formats,
    hour: allocation.hours,
    template: allocation.templates,
  };
  const measureOf = (dimension: Dimension) =>
    (dimension === "format" ? evidence.formatMeasure : undefined) ?? evidence.objective ??
      "engagement";
  for (const dimension of ORDER) {
    const [first, second] = sharesOf[dimension].filter(({ share }) => share > 0)
      .toSorted((a, b) => b.share - a.share);
    if (first === undefined || second === undefined) continue;
    if (dimension === "format" && evidence.formatMeasure === null) continue;
    const arms: [string, string] = [first.arm, second.arm];
    if (known.some((each) => each.dimension === dimension && sameArms(each.arms, arms))) continue;
    const affordable = Math.floor(WEEKS * perWeek * second.share);
    const size = Math.min(affordable, Math.ceil(POWER * noise ** 2 / Math.log1p(TELLING) ** 2));
    if (size < FEWEST) continue;
    const shows = Math.expm1(Math.sqrt(POWER * noise ** 2 / size));
    return {
      dimension,
      arms,
      hypothesis: `${name({ dimension, arm: arms[0] })} earns more than ${
        name({ dimension, arm: arms[1] })
      }`,
      measure: measureOf(dimension),
      size,
      shows,
      declaredAt: iso(at),
      readAt: null,
      outcome: null,
      result: null,
    };
  }
  return null;
}

function sameArms(a: readonly string[], b: readonly string[]): boolean {
  return a.every((arm) => b.includes(arm));
}

function readIfDue(experiment: Experiment, { evidence, at }: Declaring): Experiment {
  const { dimension, arms: [first, second], size, declaredAt } = experiment;
  const since = Date.parse(declaredAt);
  const posts = evidence.scored.filter(({ publishedAt }) => publishedAt >= since);
  const counts = [first, second].map((arm) =>
    posts.filter((post) => armOf(post, dimension) === arm).length
  );
  const isDone = counts.every((count) => count >= size);
  if (!isDone && at - since < LONGEST - DAY) return experiment;
  const read = { ...experiment, readAt: iso(at) };
  if (counts.some((count) => count < FEWEST)) {
    return { ...read, outcome: "inconclusive", result: `too few posts (${counts.join(" and ")})` };
  }
  const model = modelFor({ ...evidence, scored: posts }, byDimension(() => []));
  const { columns, posterior } = dimension === "format" ? model.formats : model;
  const contrast = Float64Array.from(
    columns,
    (column) =>
      column.dimension !== dimension
        ? 0
        : column.arm === first
        ? 1
        : column.arm === second
        ? -1
        : 0,
  );
  const { centre, low, high, positive } = beliefIn(posterior, contrast);
  const outcome = positive >= CERTAIN
    ? "confirmed"
    : 1 - positive >= CERTAIN
    ? "refuted"
    : "inconclusive";
  const [lift, least, most] = [centre, low, high].map((log) => percent(Math.expm1(log)));
  return {
    ...read,
    outcome,
    result: `${lift} over ${counts.join(" and ")} posts (95% interval ${least} to ${most})`,
  };
}

/** What was read now, and what is open, in words. */
export function experimentWords(experiments: readonly Experiment[], at: number): string[] {
  const read = experiments.filter(({ readAt }) => readAt === iso(at)).map((each) =>
    `Experiment read: "${each.hypothesis}" is ${each.outcome}: ${each.result}.`
  );
  const open = experiments.filter(({ outcome }) => outcome === null).map((each) =>
    `Experiment since ${
      each.declaredAt.slice(0, 10)
    }: ${each.hypothesis}. Measure: ${each.measure}. ` +
    `Read once, when each has ${each.size} posts, which show a difference of ${
      percent(each.shows)
    } or more.`
  );
  return [...read, ...open];
}
