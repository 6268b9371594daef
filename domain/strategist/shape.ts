/** What the strategist writes: the playbook of spec 2.12, the review of 2.14, and what lies behind. */
import { z } from "zod";

/** push: more of it; test: too few posts to judge; hold: judged, about average; drop: no more of it. */
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

export const Review = z.object({
  id: z.string(),
  rationale: z.string(),
  scoredItems: z.int().min(0).describe("Published slots whose posts were old enough to compare."),
  playbook: Playbook,
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
  createdAt: z.iso.datetime(),
}).meta({ id: "Review" });
export type Review = z.output<typeof Review>;

/** Shares by which the planner deals out slots; each list adds up to 1. */
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

/** What the published posts say of one arm of one dimension. */
export interface Figure {
  dimension: Dimension;
  arm: string;
  /** Posts behind the figure. */
  posts: number;
  /** Other arms of the dimension that have posts, too: without one there is nothing to compare. */
  rivals: number;
  /** Geometric mean of engagement over the brand's baseline: 1.3 is 30 % more. Null without posts. */
  ratio: number | null;
  /** What the arm itself adds, all else equal: 0.3 is 30 % more; posterior median and 95 % interval. */
  lift: number;
  low: number;
  high: number;
  /** Probability that the arm earns more (less) than the average of its rivals. */
  better: number;
  worse: number;
  action: PlaybookAction;
}

/** A review as stored: with the seed and the figures from which its playbook can be recomputed. */
export interface StoredReview extends Review {
  brandId: string;
  seriesId: string;
  /** The goal that its directions serve. */
  goal: string;
  /** Seeds the Thompson sampling; same evidence and seed, same allocation. */
  seed: string;
  figures: Figure[];
  allocation: Allocation;
}

/** Scales weights so that they add up to 1; equal when all are 0. */
export function shares(weights: Share[]): Share[] {
  const sum = weights.reduce((total, { share }) => total + share, 0);
  return weights.map(({ arm, share }) => ({
    arm,
    share: sum > 0 ? share / sum : 1 / weights.length,
  }));
}

/** The review as the spec shows it. */
export function shownReview(review: StoredReview): Review {
  const { id, rationale, scoredItems, playbook, periodStart, periodEnd, createdAt } = review;
  return { id, rationale, scoredItems, playbook, periodStart, periodEnd, createdAt };
}
