/** Repeatable randomness: the same seed gives the same numbers on every machine. */

/** A generator of numbers in [0, 1), seeded by a text: FNV-1a into mulberry32 (both public domain). */
export function seededRandom(seed: string): () => number {
  let state = hashOf(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A 32-bit hash of a text (FNV-1a with a final avalanche). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * One of `options`.
 * @throws RangeError when there is none
 */
export function pick<T>(random: () => number, options: readonly T[]): T {
  const picked = options[Math.floor(random() * options.length)];
  if (picked === undefined) throw new RangeError("Cannot pick one of no options");
  return picked;
}

/** A number from the standard normal distribution (Box and Muller 1958). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
