/**
 * Thompson sampling (Thompson 1933; Russo et al., A Tutorial on Thompson Sampling, 2018): an arm's share
 * of the slots follows its probability of being the best, counted over draws from the posterior.
 */
import { seededRandom } from "../../foundation/chance.ts";
import { byDimension, type SeriesModel } from "./figures.ts";
import type { Arms, Model } from "./model.ts";
import { drawEffects } from "./posterior.ts";
import { type Dimension, type Share, shares } from "../playbook.ts";

const DRAWS = 600;
/**
 * Plain Thompson sampling (1) explores for an endless future, but a series is judged within weeks. So a
 * share grows with this power of the probability of being the best. In 300 worlds a larger one lost no
 * less, and was later to follow a winner that moved.
 */
const KEENNESS = 2.4;

/** Shares of the arms; those of a dimension add up to 1. The same model and seed give the same shares. */
export function allocate(
  model: SeriesModel,
  arms: Arms,
  seed: string,
): Record<Dimension, Share[]> {
  const main = winsOf(model, seed);
  const formats = model.formats.current === model.current
    ? main
    : winsOf(model.formats, `${seed} formats`);
  return byDimension((dimension) => {
    const wins = dimension === "format" ? formats : main;
    return groupsOf(arms[dimension], (arm, other) => model.comparable(dimension, arm, other))
      .flatMap((group) => {
        const won = group.map((arm) => ({ arm, share: wins(dimension, arm, group) ** KEENNESS }));
        return shares(won).map(({ arm, share }) => ({
          arm,
          share: share * group.length / arms[dimension].length,
        }));
      });
  });
}

/** Arms that can be compared with each other; only such arms compete for their share. */
function groupsOf(
  arms: readonly string[],
  comparable: (arm: string, other: string) => boolean,
): string[][] {
  const groups: string[][] = [];
  for (const arm of arms) {
    const own = groups.find(([first = ""]) => comparable(first, arm));
    if (own === undefined) groups.push([arm]);
    else own.push(arm);
  }
  return groups;
}

/** How often an arm was the best of its group, over draws from what holds now. */
function winsOf({ columns, current }: Model, seed: string) {
  const random = seededRandom(seed);
  const posterior = current();
  const draws = Array.from({ length: DRAWS }, () => {
    const effects = new Float64Array(columns.length);
    drawEffects(posterior, random, effects);
    return effects;
  });
  const placeOf = (dimension: Dimension, arm: string) =>
    columns.findIndex((column) => column.dimension === dimension && column.arm === arm);
  return (dimension: Dimension, arm: string, group: readonly string[]): number => {
    const place = placeOf(dimension, arm);
    const rivals = group.filter((other) => other !== arm)
      .map((other) => placeOf(dimension, other));
    return draws.filter((effects) =>
      rivals.every((rival) => (effects[rival] ?? 0) < (effects[place] ?? 0))
    ).length;
  };
}
