/** Chance that repeats itself: numbers drawn from a text, so that a history needs no storage. */

/** A 32-bit hash of `text` (FNV-1a with a final mix). */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return mixed(hash);
}

/** Draws that depend on nothing but the seed and their order. */
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
  let state = hash32(seed);
  const unit = () => {
    state = (state + 0x9e3779b9) | 0;
    return mixed(state) / 0x1_0000_0000;
  };
  const between = (low: number, high: number) => low + unit() * (high - low);
  return {
    unit,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    pick: (list) => list[Math.floor(unit() * list.length)]!,
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
  };
}

function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
