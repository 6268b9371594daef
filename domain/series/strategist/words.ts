/** Sentences from figures, and the check that a model's text cites no figures of its own. */
import { capitalized, count } from "../../foundation/text.ts";
import type { Evidence } from "./evidence.ts";
import { armOf } from "./figures.ts";
import { duration, type Pace } from "./outlook.ts";
import type { Figure } from "../playbook.ts";
import { FEWEST_POSTS, TELLING } from "./verdicts.ts";

const CITED = 3;
const PLURALS = {
  direction: "directions",
  format: "formats",
  hour: "hours",
  template: "templates",
};
const VERDICTS = {
  push: "better for sure",
  drop: "worse for sure",
  hold: "about as good as the others",
};

/** The evidence for an arm in a sentence: its posts, its figures and how certain they are. */
export function citation(figure: Figure, { scored, objective }: Evidence, pace: Pace): string {
  const { posts, dimension, ratio, action } = figure;
  if (posts === 0 || ratio === null) return "No posts to judge by yet.";
  const measure = objective ?? "engagement";
  const best = scored.filter((post) => armOf(post, dimension) === figure.arm)
    .toSorted((a, b) => (b[measure] ?? 0) - (a[measure] ?? 0)).slice(0, CITED)
    .map(({ postId }) => postId).join(", ");
  const earned = `${count(posts, "post")} at ${ratio.toFixed(2)} times the brand's baseline`;
  if (posts < FEWEST_POSTS) {
    return `${earned}: too few to judge, it takes ${FEWEST_POSTS}. Posts: ${best}.`;
  }
  if (figure.rivals === 0) return `${earned}; nothing to compare with yet. Best posts: ${best}.`;
  const verdict = action === "test" ? cantTell(figure, pace) : `${capitalized(VERDICTS[action])}.`;
  return `${earned}; all else equal ${percent(figure.lift)} against the other ` +
    `${PLURALS[dimension]} (95% interval ${percent(figure.low)} to ${percent(figure.high)}). ` +
    `${verdict} Best posts: ${best}.`;
}

function cantTell({ needs = null }: Figure, pace: Pace): string {
  const takes = needs === null
    ? ""
    : `: to see ${percent(TELLING)} at this account's noise takes ${duration(needs, pace)}`;
  return `Can't tell yet${takes}.`;
}

export function name({ dimension, arm }: Pick<Figure, "dimension" | "arm">): string {
  switch (dimension) {
    case "direction":
      return `"${arm}"`;
    case "hour":
      return clock(Number(arm));
    case "template":
      return arm === "none" ? "no overlay" : `template ${arm}`;
    case "format":
      return `format ${arm}`;
  }
}

export function clock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00 UTC`;
}

export function percent(fraction: number): string {
  const rounded = Math.round(fraction * 100);
  return `${rounded > 0 ? "+" : ""}${rounded === 0 ? 0 : rounded}%`;
}

export function list(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/**
 * Whether every number in a model's text also occurs in `ours`. A post id, a percentage and a plain
 * number are different things. Amounts in words ("doubled", "thirty percent") count as numbers too.
 */
export function citesOnly(text: string, ours: string): boolean {
  const allowed = new Set(numbersIn(ours));
  return numbersIn(text).every((number) => allowed.has(number));
}

const NUMBER = new RegExp(
  [
    "post_[0-9A-Z]+",
    "[-−–]?\\d+(?:[.,]\\d+)*(?:\\s?(?:%|percent|per cent))?",
    "\\b(?:doubl|tripl|quadrupl|twice|thrice|halv|half|dozen|hundred|thousand|million)\\w*",
    "\\b[a-z-]+\\s(?:percent|per cent|times)\\b",
  ].join("|"),
  "giu",
);

function numbersIn(text: string): string[] {
  return (text.match(NUMBER) ?? []).map((number) =>
    number.toLowerCase().replace(/[−–]/, "-").replace(/\s?(?:%|percent|per cent)$/, "%")
  );
}
