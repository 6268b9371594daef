/** Worlds whose truth is known: an autopilot lives in them for weeks, by the real planner and strategist. */
import { DAY, HOUR, iso, WEEK } from "../../domain/foundation/calendar.ts";
import { normal, pick, seededRandom } from "../../domain/foundation/chance.ts";
import { planSlots } from "../../domain/series/planning/planner.ts";
import type { Dimension, Figure, Playbook } from "../../domain/series/playbook.ts";
import type { StoredSeries, Strategy } from "../../domain/series/records.ts";
import type { Situation } from "../../domain/series/strategist/arms.ts";
import { proposeDirections } from "../../domain/series/strategist/directions.ts";
import {
  measure,
  type Measured,
  type PublishedSlot,
  weigh,
} from "../../domain/series/strategist/evidence.ts";
import type { Proposal } from "../../domain/series/strategist/ground.ts";
import { candidatesFor, proposePlaybook } from "../../domain/series/strategist/playbook.ts";
import { type Choice, detail, type Post } from "./world_posts.ts";

export const WEEKS = 16;
export const PER_WEEK = 7;
const START = Date.parse("2026-01-05T00:00:00Z");
const FIRST_HOUR = 9;

export interface World {
  /** Names the kind of world, for the table of what it stated. */
  kind: string;
  seed: string;
  /** Standard deviation of log engagement between like posts. */
  noise: number;
  /** Student's t with 4 degrees of freedom in place of the normal, with the same deviation. */
  fatTails?: boolean;
  /** Share of the noise's variance that all posts of a fortnight have in common. */
  fortnights?: number;
  /** Growth of everything, a week: 0.02 is 2 %. */
  growth?: number;
  /** What the better direction earns more. */
  lift?: number;
  /** Deviation of the log effect of every direction, format and hour, in place of one better direction. */
  spread?: number;
  /** From this week on another direction is the better one. */
  movesAt?: number;
  formats?: StoredSeries["formats"];
  /** Stories get no likes, only reach. */
  silentStories?: boolean;
}

/** A probability that a review stated of an arm, and whether the arm is truly better than its rivals. */
export interface Statement {
  kind: string;
  /** What was stated: that the arm is better, or worse, than its rivals' average. */
  of: "better" | "worse";
  stated: number;
  isTrue: boolean;
}

export interface Life {
  /** Share of the last week's posts that went to the direction that is then the best. */
  share: number;
  /** Expected engagement lost against the best direction, over what equal shares lose. */
  regret: number;
  /** Whether any review pushed (dropped) anything at all. */
  pushed: boolean;
  dropped: boolean;
  /** Week in which the truly better direction was pushed for the first time; null: never. */
  foundIn: number | null;
  /** Whether any review called a format better or worse. */
  judgedFormats: boolean;
  statements: Statement[];
}

/** Sixteen weeks in one world. */
export function live(world: World): Life {
  const random = seededRandom(`${world.kind} ${world.seed}`);
  const series = seriesOf(world);
  const situation: Situation = { ...series, goal: series.goal ?? "", carouselImages: 4 };
  const truth = truthOf(world, series, situation, random);
  const slots: PublishedSlot[] = [];
  const posts: Post[] = [];
  const statements: Statement[] = [];
  let previous: Playbook | null = null;
  let [lost, uniform, pushed, dropped] = [0, 0, false, false];
  let [foundIn, judgedFormats]: [number | null, boolean] = [null, false];
  for (let week = 0; week < WEEKS; week++) {
    const at = START + week * WEEK;
    const { best, effectOf, mean } = truth(week);
    const proposal = review(situation, slots, posts, previous, at);
    previous = proposal.playbook;
    pushed ||= proposal.figures.some(({ action }) => action === "push");
    dropped ||= proposal.figures.some(({ action }) => action === "drop") ||
      proposal.playbook.directions.some(({ action }) => action === "drop");
    judgedFormats ||= proposal.figures.some(({ dimension, action }) =>
      dimension === "format" && (action === "push" || action === "drop")
    );
    if (proposal.figures.some(({ arm, action }) => arm === best && action === "push")) {
      foundIn ??= week;
    }
    statements.push(...statementsIn(world.kind, proposal.figures, effectOf));
    const shared = shockOf(world, Math.floor(week / 2));
    for (const planned of plan(series, proposal, slots.length, at)) {
      const choice: Choice = {
        format: planned.format,
        direction: planned.decision.direction,
        template: planned.decision.overlayTemplate,
        hour: planned.at % DAY / HOUR,
      };
      const effect = Object.entries(choice).reduce(
        (sum, [dimension, arm]) => sum + effectOf(dimension as Dimension, String(arm)),
        0,
      );
      const trend = Math.log1p(world.growth ?? 0) * (planned.at - START) / WEEK;
      const noise = world.noise * Math.sqrt(1 - (world.fortnights ?? 0)) * unit(world, random);
      const log = Math.log(200) + effect + trend + shared + noise;
      const isSilent = world.silentStories === true && choice.format === "story";
      posts.push({ id: `post_${posts.length}`, ...choice, publishedAt: planned.at, log, isSilent });
      slots.push({
        ...choice,
        slotId: `slt_${slots.length}`,
        externalPostId: `post_${posts.length - 1}`,
        platform: "instagram",
      });
      lost += Math.exp(effectOf("direction", best)) -
        Math.exp(effectOf("direction", choice.direction));
      uniform += Math.exp(effectOf("direction", best)) - mean;
    }
  }
  const { best } = truth(WEEKS - 1);
  const late = slots.slice(-PER_WEEK);
  return {
    share: late.filter(({ direction }) => direction === best).length / late.length,
    regret: uniform > 0 ? lost / uniform : 0,
    pushed,
    dropped,
    foundIn,
    judgedFormats,
    statements,
  };
}

interface Truth {
  best: string;
  effectOf: (dimension: Dimension, arm: string) => number;
  /** Mean of what the first directions earn. */
  mean: number;
}

function truthOf(
  world: World,
  series: StoredSeries,
  { goal }: Situation,
  random: () => number,
): (week: number) => Truth {
  const directions = proposeDirections(goal, null, [], 4);
  const winner = pick(random, directions);
  const successor = pick(random, directions.filter((each) => each !== winner));
  const drawn = new Map<string, number>();
  const spread = world.spread ?? 0;
  const drawnFor = (name: string) => {
    const known = drawn.get(name);
    if (known !== undefined) return known;
    // Of its own name and world only, so that an effect does not depend on when it is first asked for.
    const effect = spread * normal(seededRandom(`${world.kind} ${world.seed} ${name}`));
    drawn.set(name, effect);
    return effect;
  };
  if (spread > 0) { for (const format of series.formats) drawnFor(`format ${format}`); }
  return (week) => {
    const better = week >= (world.movesAt ?? Infinity) ? successor : winner;
    const effectOf = (dimension: Dimension, arm: string) =>
      spread > 0
        ? dimension === "template" ? 0 : drawnFor(`${dimension} ${arm}`)
        : dimension === "direction" && arm === better
        ? Math.log1p(world.lift ?? 0)
        : 0;
    const best =
      directions.toSorted((a, b) => effectOf("direction", b) - effectOf("direction", a))[0] ??
        better;
    const mean = directions.reduce((sum, each) => sum + Math.exp(effectOf("direction", each)), 0) /
      directions.length;
    return { best: spread > 0 ? best : better, effectOf, mean };
  };
}

/** Every probability of 0.8 and more, of being better or worse than the rivals' average. */
function statementsIn(
  kind: string,
  figures: readonly Figure[],
  effectOf: Truth["effectOf"],
): Statement[] {
  return figures.flatMap((figure) => {
    const { dimension, arm, posts, better, worse } = figure;
    const stated = Math.max(better, worse);
    const rivals = figures.filter((other) =>
      other.dimension === dimension && other.arm !== arm && other.posts > 0
    );
    if (posts === 0 || rivals.length === 0 || stated < 0.8) return [];
    const usual = rivals.reduce((sum, rival) => sum + effectOf(dimension, rival.arm), 0) /
      rivals.length;
    const difference = effectOf(dimension, arm) - usual;
    if (difference === 0) return [];
    const of = better > worse ? "better" : "worse";
    return [{ kind, of, stated, isTrue: (of === "better") === difference > 0 }];
  });
}

/** The same review as the service's: evidence from readings, figures, shares, playbook. */
function review(
  situation: Situation,
  slots: PublishedSlot[],
  posts: Post[],
  previous: Playbook | null,
  at: number,
): Proposal {
  const measured = new Map<string, Measured>();
  for (const post of posts) {
    const found = post.measured ?? measure(detail(post, at));
    if (found === null) continue;
    measured.set(`instagram ${post.id}`, found);
    // Later readings don't change what it had earned at equal age.
    post.measured = found;
  }
  const evidence = weigh(slots, measured, []);
  const ground = { situation, evidence, previous, seed: `${situation.id} ${iso(at)}` };
  const chosen = candidatesFor(ground);
  const known = [...chosen.kept, ...chosen.dropped];
  const fresh = proposeDirections(situation.goal, null, known, chosen.wanted);
  return proposePlaybook(ground, chosen, fresh);
}

/** The real planner's week, by the review's strategy. */
function plan(series: StoredSeries, draft: Proposal, slotsPlanned: number, at: number) {
  const { playbook, allocation } = draft;
  const strategy: Strategy = { reviewId: "rev_1", reviewedAt: at, playbook, allocation };
  return planSlots({
    series: { ...series, slotsPlanned },
    strategy,
    slots: [],
    spent: new Map(),
    now: at,
    until: at + WEEK - 1,
  }).add;
}

/** A number with mean 0 and deviation 1. */
function unit({ fatTails = false }: World, random: () => number): number {
  if (!fatTails) return normal(random);
  const square = () => normal(random) ** 2;
  // Student's t with 4 degrees of freedom has variance 2.
  return normal(random) / Math.sqrt((square() + square() + square() + square()) / 4) / Math.SQRT2;
}

function shockOf({ kind, seed, noise, fortnights = 0 }: World, fortnight: number): number {
  const random = seededRandom(`${kind} ${seed} fortnight ${fortnight}`);
  return noise * Math.sqrt(fortnights) * normal(random);
}

function seriesOf({ kind, seed, formats = ["post", "carousel", "story"] }: World): StoredSeries {
  return {
    id: `${kind} ${seed}`,
    brandId: "",
    name: "",
    mode: "autopilot",
    active: true,
    theme: null,
    goal: "Sell more weekend pottery classes",
    guidance: null,
    caption: null,
    format: null,
    formats,
    aspectRatio: "portrait",
    cadenceDays: null,
    hourUtc: FIRST_HOUR,
    maxPerWeek: null,
    postsPerWeek: PER_WEEK,
    creditBudgetMonthly: null,
    castMemberId: null,
    inspirationAssetIds: [],
    overlay: null,
    socialAccountId: null,
    createdAt: iso(START),
    deletedAt: null,
    slotsPlanned: 0,
    drops: 0,
  };
}
