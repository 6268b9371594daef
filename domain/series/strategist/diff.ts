/** What a playbook changes against the one before, and what its directions rest on. */
import type { Evidence } from "./evidence.ts";
import type { DirectionEvidence, Figure, Playbook, PlaybookDiff } from "../playbook.ts";

const POSTS_SHOWN = 20;

/** Null without a playbook before. */
export function diffOf(before: Playbook | null, after: Playbook): PlaybookDiff | null {
  if (before === null) return null;
  const formats = new Set(
    [...before.formatWeights, ...after.formatWeights].map((each) => each.format),
  );
  const weightIn = ({ formatWeights }: Playbook, format: string) =>
    formatWeights.find((each) => each.format === format)?.weight ?? 0;
  const directions = new Set(
    [...after.directions, ...before.directions].map((each) => each.direction),
  );
  const actionIn = (playbook: Playbook, direction: string) =>
    playbook.directions.find((each) => each.direction === direction)?.action ?? null;
  return {
    cadencePerWeek: before.cadencePerWeek === after.cadencePerWeek
      ? null
      : { from: before.cadencePerWeek, to: after.cadencePerWeek },
    formats: [...formats]
      .map((format) => ({ format, from: weightIn(before, format), to: weightIn(after, format) }))
      .filter(({ from, to }) => from !== to),
    hoursAdded: after.postHoursUtc.filter((hour) => !before.postHoursUtc.includes(hour)),
    hoursRemoved: before.postHoursUtc.filter((hour) => !after.postHoursUtc.includes(hour)),
    directions: [...directions]
      .map((direction) => ({
        direction,
        from: actionIn(before, direction),
        to: actionIn(after, direction),
      }))
      .filter(({ from, to }) => from !== to),
  };
}

/** The posts and figures behind each direction of the playbook. */
export function restsOn(
  { directions }: Playbook,
  figures: readonly Figure[],
  { scored }: Evidence,
): DirectionEvidence[] {
  return directions.map(({ direction }) => {
    const figure = figures.find((each) => each.dimension === "direction" && each.arm === direction);
    const posts = scored.filter((post) => post.direction === direction)
      .toSorted((a, b) => b.publishedAt - a.publishedAt);
    const told = figure !== undefined && posts.length > 0 && figure.rivals > 0 ? figure : null;
    return {
      direction,
      posts: posts.length,
      postIds: posts.slice(0, POSTS_SHOWN).map(({ postId }) => postId),
      ratio: figure?.ratio ?? null,
      lift: told?.lift ?? null,
      low: told?.low ?? null,
      high: told?.high ?? null,
      better: told?.better ?? null,
    };
  });
}
