/**
 * The strategist. Pure: the same ground gives the same playbook. What the service calls of this folder:
 * - `objective.ts`: `objectiveOf`, what a goal asks for: engagement, reach or clicks;
 * - `evidence.ts`: `measure` and `weigh` turn posts and their readings into evidence;
 * - here: `candidatesFor`, which directions stay, and `proposePlaybook`, a playbook with its figures;
 * - `directions.ts`: `proposeDirections` and `directionsFrom`, new directions;
 * - `writing.ts`: `playbookTask` and `worded`, the text model's words in place of ours;
 * - `score.ts`: `judge` and `scoreAfter`, how earlier statements came out.
 * Their types are in `ground.ts` and `arms.ts` (`Situation`). A week of a series, as the bench plays it:
 * `weigh(slots, posts, others)`, `candidatesFor(ground)`, `proposeDirections(…, wanted)`,
 * `proposePlaybook(ground, candidates, fresh)`, then `planSlots` of `planning/` by its allocation.
 * A verdict is a figure's `action` (push, drop); a stated probability is its `better` and `worse`.
 */
import { allocate } from "./allocate.ts";
import { armsOf, type Candidates, candidates } from "./arms.ts";
import type { Evidence } from "./evidence.ts";
import { byDimension, figuresOf, modelFor, type SeriesModel } from "./figures.ts";
import type { Arms } from "./model.ts";
import type { Ground, Proposal } from "./ground.ts";
import {
  type Allocation,
  type Dimension,
  type Figure,
  type Playbook,
  type Share,
  shares,
} from "../playbook.ts";
import { FEWEST_POSTS } from "./verdicts.ts";
import { cadenceFor } from "./cadence.ts";
import { experimentsOf, overlayGuidanceOf, rationaleOf, summaryOf } from "./report.ts";
import { diffOf, restsOn } from "./diff.ts";
import { experimentsAfter } from "./experiments.ts";
import type { Pace } from "./outlook.ts";
import { citation } from "./words.ts";

/** Which directions stay, which are dropped and how many new ones are wanted. */
export function candidatesFor({ situation, evidence, previous }: Ground): Candidates {
  const known = previous?.directions.map(({ direction }) => direction) ?? [];
  const arms = armsOf(situation, evidence, known);
  return candidates(previous, figuresOf(evidence, modelFor(evidence, arms)));
}

/** The playbook in our own words, with the figures and shares behind it. */
export function proposePlaybook(
  ground: Ground,
  plan: Candidates,
  fresh: readonly string[],
): Proposal {
  const { situation, evidence, seed, at = null } = ground;
  const arms = armsOf(situation, evidence, [...plan.kept, ...fresh]);
  const model = modelFor(evidence, arms);
  const figures = figuresOf(evidence, model);
  const won = sharesOf(evidence, model, withoutDropped(arms, figures), seed);
  const allocation: Allocation = {
    formats: rounded(won.format),
    directions: rounded(spread(won.direction)),
    hours: rounded(won.hour),
    templates: rounded(won.template),
  };
  const cadencePerWeek = cadenceFor(situation, allocation, figures);
  const { noise } = model.posterior;
  const pace = { at, perWeek: cadencePerWeek };
  const known = ground.experiments ?? [];
  const experiments = at === null || evidence.scored.length < FEWEST_POSTS
    ? [...known]
    : experimentsAfter(known, { evidence, allocation, perWeek: cadencePerWeek, noise, at });
  const told = { ground, figures, allocation, experiments, noise, pace };
  const playbook: Playbook = {
    cadencePerWeek,
    formatWeights: allocation.formats.map(({ arm, share }) => ({ format: arm, weight: share })),
    postHoursUtc: allocation.hours.toSorted((a, b) => b.share - a.share)
      .filter(({ share }) => share > 0).map(({ arm }) => Number(arm)),
    directions: directionsOf(plan, fresh, figures, evidence, pace),
    overlayGuidance: overlayGuidanceOf(told),
    experiments: experimentsOf(told),
    summary: summaryOf(told),
  };
  return {
    playbook,
    figures,
    allocation,
    rationale: rationaleOf(told),
    diff: diffOf(ground.previous, playbook),
    evidence: restsOn(playbook, figures, evidence),
    experiments,
    noise,
  };
}

/** Equal shares while there is too little evidence to prefer any arm. Other posts of the brand count. */
function sharesOf(
  evidence: Evidence,
  model: SeriesModel,
  arms: Arms,
  seed: string,
): Record<Dimension, Share[]> {
  const won = allocate(model, arms, seed);
  if (evidence.scored.length >= FEWEST_POSTS) return won;
  const history = evidence.history ?? null;
  return byDimension((dimension) =>
    history !== null && (dimension === "format" || dimension === "hour")
      ? won[dimension]
      : arms[dimension].map((arm) => ({ arm, share: 1 / arms[dimension].length }))
  );
}

/** Without the arms that are to be dropped, unless no other is left. */
function withoutDropped(arms: Arms, figures: readonly Figure[]): Arms {
  return byDimension((dimension) => {
    const left = arms[dimension].filter((arm) =>
      figureOf(figures, dimension, arm)?.action !== "drop"
    );
    return left.length > 0 ? left : arms[dimension];
  });
}

function figureOf(figures: readonly Figure[], dimension: Dimension, arm: string) {
  return figures.find((each) => each.dimension === dimension && each.arm === arm);
}

const ORDER = ["push", "test", "hold", "drop"];

function directionsOf(
  { kept, dropped }: Candidates,
  fresh: readonly string[],
  figures: readonly Figure[],
  evidence: Evidence,
  pace: Pace,
): Playbook["directions"] {
  return [...kept, ...fresh, ...dropped].map((direction) => {
    const figure = figureOf(figures, "direction", direction);
    if (figure === undefined) throw new Error(`The direction ${direction} has no figure.`);
    const action = dropped.includes(direction) ? "drop" as const : figure.action;
    const lead = fresh.includes(direction) ? "New, from the series' goal and guidance. " : "";
    return { direction, action, rationale: `${lead}${citation(figure, evidence, pace)}` };
  }).sort((a, b) => ORDER.indexOf(a.action) - ORDER.indexOf(b.action));
}

/** Every direction that stays gets at least this share: tastes change, and one idea alone gets boring. */
const FLOOR = 0.06;

function spread(won: readonly Share[]): Share[] {
  return shares(won.map(({ arm, share }) => ({ arm, share: Math.max(share, FLOOR) })));
}

/** An arm with a smaller share is left out, because it would not get a slot within two weeks anyway. */
const LEAST_SHARE = 0.02;

/** Shares in whole hundredths that add up to 1, by largest remainders. */
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
