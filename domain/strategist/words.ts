/** The strategist's words: sentences from figures, and the check that a model's numbers are ours. */
import { count } from "../text.ts";
import type { Scored } from "./evidence.ts";
import { armOf } from "./figures.ts";
import type { Figure } from "./shape.ts";
import { FEWEST_POSTS } from "./verdicts.ts";

const CITED = 3;
const PLURALS = {
  direction: "directions",
  format: "formats",
  hour: "hours",
  template: "templates",
};

/** What an arm rests on: its posts, its figures and how sure they are. */
export function citation(figure: Figure, scored: readonly Scored[]): string {
  const { posts, dimension } = figure;
  if (posts === 0) return "No posts to judge by yet.";
  const best = scored.filter((post) => armOf(post, dimension) === figure.arm)
    .toSorted((a, b) => b.engagement - a.engagement).slice(0, CITED)
    .map(({ postId }) => postId).join(", ");
  const earned = `${count(posts, "post")} at ${
    figure.ratio!.toFixed(2)
  } times the brand's baseline`;
  if (posts < FEWEST_POSTS) {
    return `${earned}: too few to judge, it takes ${FEWEST_POSTS}. Posts: ${best}.`;
  }
  if (figure.rivals === 0) return `${earned}; nothing to compare with yet. Best posts: ${best}.`;
  return `${earned}; all else equal ${percent(figure.lift)} against the other ` +
    `${PLURALS[dimension]} (95% interval ${percent(figure.low)} to ${percent(figure.high)}). ` +
    `Best posts: ${best}.`;
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
 * Whether every number in a model's text is in ours about the same thing. Post ids, percentages and
 * plain numbers are told apart; amounts in words ("doubled", "thirty percent") count as not ours.
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
