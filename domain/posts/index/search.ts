/** Finds posts by words, in short slices of time, so that other requests are served in between. */
import { LruCache } from "../../foundation/lru.ts";
import { Turns } from "../../foundation/turns.ts";
import { type Bits, intersect, isEmpty, noBits, setBit } from "./bits.ts";
import type { Words } from "./words.ts";

/** The longest slice of a search before other requests get their turn, ms. They need several turns. */
const SLICE_MS = 2;
/** Entries between two checks of the time. */
const LOOK_EVERY = 4_096;
const WORDS = 256;
/** How many slices a search spends on making the next ones faster. */
const CUTTING = 4;

/** One slice at a time in this process, so that many searches delay others no more than one does. */
const slices = new Turns<object>({
  ...{ running: 1, runningEach: 1 },
  ...{ waiting: Infinity, waitingEach: Infinity },
  refusal: "Too many searches.",
});

/**
 * Repeats `step` until it returns a result. Each call gets the time (`performance.now`) at which it
 * should stop, and a macrotask passes between two calls. Owners of several searches take turns.
 */
export async function inSlices<T extends object>(
  owner: object,
  step: (endsAt: number) => T | null,
): Promise<T> {
  for (;;) {
    const result = await new Promise<T | null>((resolve, reject) => {
      slices.run(owner, async () => {
        resolve(step(performance.now() + SLICE_MS));
        await new Promise((done) => setTimeout(done));
      }).catch(reject);
    });
    if (result !== null) return result;
  }
}

/** Runs `steps` to their end in the same way. Each step must be short. */
export function stepsInSlices<T extends object>(
  owner: object,
  steps: Generator<void, T>,
): Promise<T> {
  return inSlices(owner, (endsAt) => {
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
      if (performance.now() > endsAt) return null;
    }
  });
}

/** What was found of one word. A slot never changes its text, so only new slots are searched again. */
class Hits {
  readonly #words: Words;
  readonly #word: string;
  /** The slots found so far. */
  bits: Bits = noBits(0);
  /** The scan under way looks for slots from here, and the last one to begin looked up to `#end`. */
  #start = 0;
  #end = 0;
  #scan: Generator<readonly number[], void> | null = null;

  constructor(words: Words, word: string) {
    this.#words = words;
    this.#word = word;
  }

  /** Searches until `endsAt`. Returns true when all slots were searched. */
  advance(endsAt: number): boolean {
    while (this.#scan !== null || this.#end < this.#words.count) {
      this.#scan ??= this.#begin();
      if (!this.#continue(this.#scan, endsAt)) return false;
      this.#scan = null;
    }
    return true;
  }

  /** Returns true when the scan has ended, false when it is `endsAt`. */
  #continue(scan: Generator<readonly number[], void>, endsAt: number): boolean {
    let seen = 0;
    for (let next = scan.next(); !next.done; next = scan.next()) {
      seen += 1 + this.#note(next.value);
      if (seen < LOOK_EVERY) continue;
      if (performance.now() > endsAt) return false;
      seen = 0;
    }
    return true;
  }

  #begin(): Generator<readonly number[], void> {
    [this.#start, this.#end] = [this.#end, this.#words.count];
    const wider = noBits(this.#end);
    wider.set(this.bits);
    this.bits = wider;
    return this.#words.find(this.#word);
  }

  /** Marks the new ones of ascending slots. Returns their number. */
  #note(slots: readonly number[]): number {
    let at = slots.length;
    while (at > 0 && slots[at - 1]! >= this.#start) setBit(this.bits, slots[--at]!);
    return slots.length - at;
  }
}

/** Searches one index's words, and remembers what was found of the latest ones. */
export class WordSearch {
  readonly #words: Words;
  readonly #hits = new LruCache<string, Hits>(WORDS);

  constructor(words: Words) {
    this.#words = words;
  }

  /** The number of words that are remembered, each with a bit a slot. */
  get size(): number {
    return this.#hits.size;
  }

  /**
   * A search for the posts that contain all words. Call it until it returns their slots, which it does
   * as soon as nothing is left; without words it returns null. Longer words are searched first, because
   * they tend to be rarer.
   */
  of(words: Iterable<string>): (endsAt: number) => Bits | null {
    const hits = [...new Set(words)].toSorted((one, other) => other.length - one.length)
      .map((word) => this.#hits.getOrMake(word, () => new Hits(this.#words, word)));
    let cut = 0;
    return (endsAt) => {
      if (hits.length === 0 || !this.#words.prepare(endsAt)) return null;
      let left: Bits | null = null;
      for (const found of hits) {
        if (!found.advance(endsAt)) return null;
        if (left === null) left = found.bits.slice();
        else intersect(left, found.bits);
        if (isEmpty(left)) break;
      }
      return this.#words.cut(endsAt) || ++cut > CUTTING ? left : null;
    };
  }
}
