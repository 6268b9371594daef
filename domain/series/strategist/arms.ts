/** What may be planned next: the directions, formats, hours and templates that share the slots. */
import type { Evidence } from "./evidence.ts";
import type { Arms } from "./model.ts";
import type { Figure, Playbook } from "../playbook.ts";

/** What the strategist needs to know of a series. */
export interface Situation {
  id: string;
  goal: string;
  guidance: string | null;
  formats: string[];
  hourUtc: number;
  maxPerWeek: number | null;
  postsPerWeek: number | null;
  creditBudgetMonthly: number | null;
  overlay: { template: string } | null;
  /** Images of a carousel, one credit each. */
  carouselImages: number;
}

/** This many directions are tried at the same time until one proves itself. */
const LIVE_DIRECTIONS = 4;
const MOST_HOURS = 4;
/** Hours to try around the series' own, where no better ones are known. */
const HOUR_STEPS = [3, 6, -3];
/** Templates to compare in a series without an overlay of its own. */
const OPEN_TEMPLATES = ["captionBar", "lowerThird", "none"];

export interface Candidates {
  /** Directions that stay, in the order of the last playbook. */
  kept: string[];
  /** Dropped directions. They stay listed while their posts count, so that they are not proposed again. */
  dropped: string[];
  /** How many new directions are wanted. */
  wanted: number;
}

/**
 * @param previous the playbook in force; null before the first review and after a change of goal
 * @param figures of the previous playbook's directions
 */
export function candidates(previous: Playbook | null, figures: readonly Figure[]): Candidates {
  const kept: string[] = [];
  const dropped: string[] = [];
  for (const { direction, action } of previous?.directions ?? []) {
    const figure = figures.find((each) => each.dimension === "direction" && each.arm === direction);
    const posts = figure?.posts ?? 0;
    const failed = figure?.action === "drop" || (action === "drop" && figure?.action !== "push");
    if (!failed) kept.push(direction);
    else if (posts > 0) dropped.push(direction);
  }
  const proven = figures.some((figure) =>
    figure.dimension === "direction" && figure.action === "push" && kept.includes(figure.arm)
  );
  const target = proven ? LIVE_DIRECTIONS - 1 : LIVE_DIRECTIONS;
  return { kept, dropped, wanted: Math.max(0, target - kept.length) };
}

/** The arms of the next plan. Until posts are scored, the only hour is the series' own. */
export function armsOf(
  situation: Situation,
  evidence: Evidence,
  directions: string[],
): Arms {
  return {
    direction: directions,
    format: situation.formats,
    hour: hoursFor(situation.hourUtc, evidence).map(String),
    template: situation.overlay === null ? OPEN_TEMPLATES : [situation.overlay.template],
  };
}

function hoursFor(hourUtc: number, { scored, goodHours }: Evidence): number[] {
  if (scored.length === 0) return [hourUtc];
  const around = HOUR_STEPS.map((step) => (hourUtc + step + 24) % 24);
  return [...new Set([hourUtc, ...goodHours.slice(0, 2), ...around])].slice(0, MOST_HOURS);
}
