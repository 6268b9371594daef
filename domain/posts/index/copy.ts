/** An index as it is at one moment, packed into blocks bit by bit while the index goes on changing. */
import { joined } from "../../foundation/bytes.ts";
import { type Block, type Bytes, pack, type Run } from "./block.ts";
import type { Slots } from "./slots.ts";
import type { WordsCopy } from "./words.ts";

/** A block ends at so many posts, or bytes of JSON. Packing or adding one is a moment's work. */
const BLOCK_POSTS = 4_096;
const BLOCK_BYTES = 4 * 1024 * 1024;
/** Posts, or entries of lists, between two looks at the time. */
const STEP = 16;
const ENTRIES_STEP = 1_024;

const encoder = new TextEncoder();

type Labels = Block["labels"];

/**
 * What is read later was there at the start and never changes: slots below a count, and lists of them,
 * which only grow at their ends.
 */
export class IndexCopy {
  readonly #slots: Slots;
  readonly #words: WordsCopy;
  readonly #blockPosts: number;
  /** Number of a post → its slot, ascending. */
  readonly #live: Uint32Array;
  /** Slot → number of the post; -1 for a dead slot. */
  readonly #numberOf: Int32Array;
  /** Block → number of its first post. This and what follows is filled by `prepare`. */
  readonly #starts: number[] = [];
  /** By block. */
  readonly #labels: Labels[] = [];
  /** Number of a post → its tokens, for posts whose text has been cut. */
  readonly #tokens: string[][] = [];

  constructor(slots: Slots, blockPosts = BLOCK_POSTS) {
    this.#slots = slots;
    this.#words = slots.words.copy();
    this.#blockPosts = blockPosts;
    this.#live = slots.dead === 0 ? slots.live() : slots.live().sort();
    this.#numberOf = new Int32Array(slots.count).fill(-1);
    for (let number = 0; number < this.posts; number++) {
      this.#numberOf[this.#live[number]!] = number;
    }
  }

  get posts(): number {
    return this.#live.length;
  }

  /** How many blocks there are, once `prepare` has ended. */
  get blocks(): number {
    return this.#starts.length;
  }

  /** Divides the posts into blocks. It must end before the first block is packed. */
  *prepare(): Generator<void, this> {
    let [start, bytes] = [0, Infinity];
    for (let number = 0; number < this.posts; number++) {
      if (number % ENTRIES_STEP === 0) yield;
      bytes += this.#slots.json.bytesOf(this.#live[number]!).length;
      if (bytes < BLOCK_BYTES && number - start < this.#blockPosts) continue;
      this.#starts.push(number);
      this.#labels.push([]);
      [start, bytes] = [number, 0];
    }
    yield* this.#divideLabels();
    yield* this.#divideTokens();
    return this;
  }

  *#divideLabels(): Generator<void> {
    let seen = 0;
    for (const [label, value, slots] of this.#slots.allLabelled()) {
      let [block, list]: [number, number[]] = [-1, []];
      for (const slot of slots) {
        if (++seen % ENTRIES_STEP === 0) yield;
        const number = this.#numberOf[slot] ?? -1;
        if (number < 0) continue;
        const of = this.#blockOf(number, Math.max(0, block));
        if (of !== block) this.#labels[of]!.push([label, value, list = []]);
        block = of;
        list.push(number - this.#starts[of]!);
      }
    }
  }

  *#divideTokens(): Generator<void> {
    const { tokens, slots, tokened } = this.#words;
    let seen = 0;
    for (const [token, text] of tokens.entries()) {
      for (const slot of slots[token]!) {
        if (++seen % ENTRIES_STEP === 0) yield;
        const number = this.#numberOf[slot] ?? -1;
        if (slot < tokened && number >= 0) (this.#tokens[number] ??= []).push(text);
      }
    }
  }

  /** The block of a post that is not before the block `from`. */
  #blockOf(number: number, from: number): number {
    let block = from;
    while (block + 1 < this.blocks && this.#starts[block + 1]! <= number) block++;
    return block;
  }

  /** Packs a block. */
  *pack(block: number): Generator<void, Bytes> {
    const [start, end] = [this.#starts[block]!, this.#starts[block + 1] ?? this.posts];
    const [ids, json, texts]: [string[], Bytes[], Bytes[]] = [[], [], []];
    const columns = Object.values(this.#slots.columns);
    const numbers = new Float64Array(columns.length * (end - start));
    for (let number = start; number < end; number++) {
      const slot = this.#live[number]!;
      ids.push(this.#slots.ids[slot]!);
      json.push(this.#slots.json.bytesOf(slot));
      texts.push(encoder.encode(this.#textOf(number, slot)));
      for (const [at, column] of columns.entries()) {
        numbers[at * (end - start) + number - start] = column.at(slot);
      }
      if (number % STEP === 0) yield;
    }
    const labels = this.#labels[block]!;
    return pack({ ids, labels, numbers, json: run(json), texts: run(texts) });
  }

  /** Tokens stand for the text that they were cut from: a searched word is found in the same ones. */
  #textOf(number: number, slot: number): string {
    return slot < this.#words.tokened
      ? (this.#tokens[number] ?? []).join(" ")
      : this.#words.foldedAt(slot);
  }
}

function run(texts: Bytes[]): Run {
  return { bytes: joined(texts), lengths: Uint32Array.from(texts, ({ length }) => length) };
}
