/** A playbook from evidence: pure, so that the same evidence and seed give the same playbook. */
import { allocate } from "./allocate.ts";
import { armsOf, type Candidates, candidates, type Situation } from "./arms.ts";
import type { Evidence } from "./evidence.ts";
import { type Arms, figuresOf, type Model, modelOf } from "./figures.ts";
import {
  type Allocation,
  type Dimension,
  type Figure,
  type Playbook,
  type Share,
  shares,
} from "./shape.ts";
import { FEWEST_POSTS } from "./verdicts.ts";
import { cadenceFor } from "./cadence.ts";
import { experimentsOf, overlayGuidanceOf, rationaleOf, summaryOf } from "./report.ts";
import { citation } from "./words.ts";

/** Everything a review rests on. */
export interface Ground {
  situation: Situation;
  evidence: Evidence;
  /** The playbook in force; null before the first review and after a change of goal. */
  previous: Playbook | null;
  seed: string;
}

export interface Draft {
  playbook: Playbook;
  figures: Figure[];
  allocation: Allocation;
  rationale: string;
}

/** Which directions go on, which are dropped and how many new ones are wanted. */
export function standing({ situation, evidence, previous }: Ground): Candidates {
  const known = previous?.directions.map(({ direction }) => direction) ?? [];
  const arms = armsOf(situation, evidence, known);
  return candidates(previous, figuresOf(evidence.scored, modelFor(evidence, arms)));
}

/** The playbook in local words, with the figures and shares behind it. */
export function draftPlaybook(ground: Ground, plan: Candidates, fresh: readonly string[]): Draft {
  const { situation, evidence, seed } = ground;
  const arms = armsOf(situation, evidence, [...plan.kept, ...fresh]);
  const model = modelFor(evidence, arms);
  const figures = figuresOf(evidence.scored, model);
  const open = withoutDropped(arms, figures);
  const won = evidence.scored.length < FEWEST_POSTS ? even(open) : allocate(model, open, seed);
  const allocation: Allocation = {
    formats: rounded(won.format),
    directions: rounded(spread(won.direction)),
    hours: rounded(won.hour),
    templates: rounded(won.template),
  };
  const told = { ground, figures, allocation };
  const playbook: Playbook = {
    cadencePerWeek: cadenceFor(situation, allocation, figures),
    formatWeights: allocation.formats.map(({ arm, share }) => ({ format: arm, weight: share })),
    postHoursUtc: allocation.hours.toSorted((a, b) => b.share - a.share)
      .filter(({ share }) => share > 0).map(({ arm }) => Number(arm)),
    directions: directionsOf(plan, fresh, figures, evidence),
    overlayGuidance: overlayGuidanceOf(told),
    experiments: experimentsOf(told),
    summary: summaryOf(told),
  };
  return { playbook, figures, allocation, rationale: rationaleOf(told) };
}

function modelFor(evidence: Evidence, arms: Arms): Model {
  return modelOf(evidence.scored, arms, evidence.formatPrior);
}

/** What is surely worse gets no slots, unless nothing else is left. */
function withoutDropped(arms: Arms, figures: readonly Figure[]): Arms {
  const open = (dimension: Dimension) => {
    const left = arms[dimension].filter((arm) =>
      !figures.some((each) =>
        each.dimension === dimension && each.arm === arm && each.action === "drop"
      )
    );
    return left.length > 0 ? left : arms[dimension];
  };
  return {
    direction: open("direction"),
    format: open("format"),
    hour: open("hour"),
    template: open("template"),
  };
}

/** Before there is anything to go by, every arm gets the same. */
function even(arms: Arms): Record<Dimension, Share[]> {
  const same = (dimension: Dimension) =>
    arms[dimension].map((arm) => ({ arm, share: 1 / arms[dimension].length }));
  return {
    direction: same("direction"),
    format: same("format"),
    hour: same("hour"),
    template: same("template"),
  };
}

const ORDER = ["push", "test", "hold", "drop"];

function directionsOf(
  { kept, dropped }: Candidates,
  fresh: readonly string[],
  figures: readonly Figure[],
  { scored }: Evidence,
): Playbook["directions"] {
  return [...kept, ...fresh, ...dropped].map((direction) => {
    const figure = figures.find((each) =>
      each.dimension === "direction" && each.arm === direction
    )!;
    const action = dropped.includes(direction) ? "drop" as const : figure.action;
    const lead = fresh.includes(direction) ? "New, from the series' goal and guidance. " : "";
    return { direction, action, rationale: `${lead}${citation(figure, scored)}` };
  }).sort((a, b) => ORDER.indexOf(a.action) - ORDER.indexOf(b.action));
}

/** No direction that goes on is starved: tastes change, and a feed of one idea tires. */
const FLOOR = 0.04;

function spread(won: readonly Share[]): Share[] {
  return shares(won.map(({ arm, share }) => ({ arm, share: Math.max(share, FLOOR) })));
}

/** Below this an arm is left out: over a week or two it would not get a slot anyway. */
const LEAST_SHARE = 0.02;

/** Shares in whole hundredths that add up to 1 (largest remainders first). */
export function rounded(exact: readonly Share[]): Share[] {
  const kept = exact.filter(({ share }) => share >= LEAST_SHARE);
  const sum = kept.reduce((total, { share }) => total + share, 0);
  const parts = kept.map(({ arm, share }) => ({ arm, exact: share / sum * 100 }))
    .map((part) => ({ ...part, whole: Math.floor(part.exact) }));
  let missing = 100 - parts.reduce((total, { whole }) => total + whole, 0);
  for (const part of parts.toSorted((a, b) => b.exact - b.whole - (a.exact - a.whole))) {
    if (missing-- > 0) part.whole++;
  }
  const wholes = new Map(parts.map(({ arm, whole }) => [arm, whole / 100]));
  return exact.map(({ arm }) => ({ arm, share: wholes.get(arm) ?? 0 }));
}
