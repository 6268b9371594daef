/** Random draws that depend only on a seed and their order, so that a history needs no storage. */
import { normal, pick, seededRandom } from "../../foundation/chance.ts";

export interface Draws {
  /** From 0 to below 1. */
  unit(): number;
  /** From `low` to below `high`. */
  between(low: number, high: number): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** Standard normal. */
  normal(): number;
}

export function drawsFrom(seed: string): Draws {
  const unit = seededRandom(seed);
  const between = (low: number, high: number) => low + unit() * (high - low);
  return {
    unit,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    pick: (list) => pick(unit, list),
    normal: () => normal(unit),
  };
}
