/** What the strategist writes: playbook (spec 2.12), review (2.14) and the figures behind them. */
import { z } from "zod";

/** push: more of it; test: too few posts to judge; hold: about average; drop: no more of it. */
export const PlaybookAction = z.enum(["push", "test", "hold", "drop"]);
export type PlaybookAction = z.output<typeof PlaybookAction>;

const hour = z.int().min(0).max(23);
const weight = z.number().min(0).max(1);

export const Playbook = z.object({
  cadencePerWeek: z.int().min(1).max(21),
  formatWeights: z.array(z.object({ format: z.string(), weight }))
    .describe("Shares of the slots; they add up to 1."),
  postHoursUtc: z.array(hour).describe("Hours of day (UTC), the one with most slots first."),
  directions: z.array(
    z.object({ direction: z.string(), action: PlaybookAction, rationale: z.string() }),
  ),
  overlayGuidance: z.string(),
  experiments: z.array(z.string()),
  summary: z.string(),
}).meta({ id: "Playbook" });
export type Playbook = z.output<typeof Playbook>;

/** What a review changed, against the playbook in force before it. */
export const PlaybookDiff = z.object({
  cadencePerWeek: z.object({ from: z.int(), to: z.int() }).nullable()
    .describe("Null where it stayed."),
  formats: z.array(z.object({ format: z.string(), from: weight, to: weight })),
  hoursAdded: z.array(hour),
  hoursRemoved: z.array(hour),
  directions: z.array(
    z.object({
      direction: z.string(),
      from: PlaybookAction.nullable().describe("Null for a new direction."),
      to: PlaybookAction.nullable().describe("Null for one that is no longer listed."),
    }),
  ),
});
export type PlaybookDiff = z.output<typeof PlaybookDiff>;

const probability = z.number().min(0).max(1);

/** What a direction's action rests on. */
export const DirectionEvidence = z.object({
  direction: z.string(),
  posts: z.int().min(0),
  postIds: z.array(z.string()).describe("The newest 20 of them."),
  ratio: z.number().nullable().describe("Times the brand's baseline."),
  lift: z.number().nullable().describe(
    "What it adds against the other directions, all else equal; 0.3 is 30 % more.",
  ),
  low: z.number().nullable().describe("Of the 95 % interval of `lift`."),
  high: z.number().nullable(),
  better: probability.nullable().describe("Probability that it is better than the others."),
});
export type DirectionEvidence = z.output<typeof DirectionEvidence>;

/** How the series' earlier statements came out. */
export const Score = z.object({
  judged: z.int().min(0).describe("Statements that were judged by the posts of four weeks."),
  brier: z.number().nullable().describe(
    "Mean squared error of the probabilities: 0 is perfect, 0.25 is guessing.",
  ),
  tenths: z.array(z.object({
    from: probability,
    to: probability,
    statements: z.int().min(1),
    stated: probability.describe("Mean probability that was stated."),
    cameTrue: probability.describe("Share of them that came true."),
  })).describe("By tenths of the stated probability; empty ones are left out."),
});
export type Score = z.output<typeof Score>;

export const Review = z.object({
  id: z.string(),
  rationale: z.string(),
  scoredItems: z.int().min(0).describe("Published slots whose posts were old enough to compare."),
  playbook: Playbook,
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  diff: PlaybookDiff.nullable().describe("Null without an earlier playbook."),
  evidence: z.array(DirectionEvidence),
  score: Score,
}).meta({ id: "Review" });
export type Review = z.output<typeof Review>;

/** The planner gives each arm its share of the slots. Each list adds up to 1. */
export interface Allocation {
  formats: Share[];
  directions: Share[];
  /** `arm` is the hour as digits: "9". */
  hours: Share[];
  templates: Share[];
}

export interface Share {
  arm: string;
  share: number;
}

export type Dimension = "direction" | "format" | "hour" | "template";

/** What the published posts say about one arm of one dimension. */
export interface Figure {
  dimension: Dimension;
  arm: string;
  /** Posts behind the figure. */
  posts: number;
  /** Other arms of the dimension that have posts. Without any there is nothing to compare with. */
  rivals: number;
  /** Geometric mean of engagement over the brand's baseline: 1.3 is 30 % more. Null without posts. */
  ratio: number | null;
  /** What the arm adds, all else equal: 0.3 is 30 % more. Posterior median and 95 % interval. */
  lift: number;
  low: number;
  high: number;
  /** Probability that the arm earns more (less) than its rivals' average. */
  better: number;
  worse: number;
  action: PlaybookAction;
  /**
   * More posts of the series until a difference of 30 % is sure to show in half of all cases. Null
   * without rivals, and in reviews that were stored before there was this figure.
   */
  needs?: number | null;
}

/** Two arms that are compared once, after a number of posts that was set before. */
export interface Experiment {
  dimension: Dimension;
  arms: [string, string];
  /** In words: the first arm earns more than the second. */
  hypothesis: string;
  /** By which the posts are compared. */
  measure: string;
  /** Posts of each arm. */
  size: number;
  /** The difference that this many posts show in four of five cases: 0.3 is 30 %. */
  shows: number;
  declaredAt: string;
  readAt: string | null;
  outcome: "confirmed" | "refuted" | "inconclusive" | null;
  /** The figures in words. */
  result: string | null;
}

/** A review as stored, with the seed and figures from which its playbook can be computed again. */
export interface StoredReview extends Omit<Review, Added> {
  brandId: string;
  seriesId: string;
  /** The goal that the directions serve. */
  goal: string;
  /** Seeds the Thompson sampling: the same evidence and seed give the same allocation. */
  seed: string;
  figures: Figure[];
  allocation: Allocation;
  /** Absent in reviews that were stored before there were these. */
  diff?: PlaybookDiff | null;
  evidence?: DirectionEvidence[];
  score?: Score;
  experiments?: Experiment[];
  /** Standard deviation of the log between like posts, by which the statements are judged later. */
  noise?: number;
}

type Added = "diff" | "evidence" | "score";

/** The score of a series none of whose statements was judged. */
export const NO_SCORE: Score = { judged: 0, brier: null, tenths: [] };

/** Scales weights so that they add up to 1; equal when all are 0. */
export function shares(weights: Share[]): Share[] {
  const sum = weights.reduce((total, { share }) => total + share, 0);
  return weights.map(({ arm, share }) => ({
    arm,
    share: sum > 0 ? share / sum : 1 / weights.length,
  }));
}

/** The review as the API shows it. */
export function shownReview(review: StoredReview): Review {
  const { id, rationale, scoredItems, playbook, periodStart, periodEnd, createdAt } = review;
  const { diff = null, evidence = [], score = NO_SCORE } = review;
  return {
    ...{ id, rationale, scoredItems, playbook, periodStart, periodEnd, createdAt },
    ...{ diff, evidence, score },
  };
}
