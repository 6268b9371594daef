/**
 * The brand's posts as rows, newest first and then by id. A range of days is a range of rows, and the
 * row number decides between posts that are equal in any other order.
 */
import type { Direction, PostSort } from "../query.ts";
import { type Bits, hasBit, listBits } from "./bits.ts";
import { ascending } from "./order.ts";
import type { Slots } from "./slots.ts";

/** Sets up to this size are sorted on their own. Larger ones are picked from the order of all rows. */
const SMALL = 256;

export class Table {
  readonly rows: number;
  /** Row → slot. */
  readonly slotOf: Uint32Array;
  /** Slot → row; -1 for a dead slot. */
  #rowOf: Int32Array;
  /** Instants, descending. */
  readonly #published: Float64Array;
  readonly #slots: Slots;
  readonly #orders = new Map<string, Uint32Array>();

  constructor(slots: Slots) {
    const live = newestFirst(slots);
    const { published } = slots;
    this.#slots = slots;
    this.rows = live.length;
    this.slotOf = live;
    this.#rowOf = new Int32Array(slots.count).fill(-1);
    for (let row = 0; row < live.length; row++) this.#rowOf[live[row]!] = row;
    this.#published = Float64Array.from(live, (slot) => published.at(slot));
  }

  get bytes(): number {
    return this.rows * (16 + 4 * this.#orders.size) + this.#rowOf.length * 4;
  }

  /** The row of a slot; -1 if the slot is dead. */
  rowOf(slot: number): number {
    return this.#rowOf[slot] ?? -1;
  }

  /**
   * Moves a row from a post's former slot to its new one, since most changes are new numbers only.
   * Returns false if the publishing time has changed, because then the post belongs in another row.
   */
  replace(from: number, to: number): boolean {
    const row = this.rowOf(from);
    if (row < 0 || this.#published[row] !== this.#slots.published.at(to)) return false;
    if (to >= this.#rowOf.length) {
      const larger = new Int32Array(Math.ceil(to * 1.5)).fill(-1);
      larger.set(this.#rowOf);
      this.#rowOf = larger;
    }
    this.slotOf[row] = to;
    this.#rowOf[to] = row;
    this.#rowOf[from] = -1;
    this.#orders.clear();
    return true;
  }

  /** The first row that was published before `instant`. */
  firstBefore(instant: number): number {
    let [low, high] = [0, this.rows];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#published[middle]! >= instant) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The `total` rows in `bits` in an order. They are collected as far as they are read. */
  sorted(bits: Bits, total: number, sort: PostSort, dir: Direction): SortedRows {
    if (total === this.rows) return new SortedRows(bits, this.#order(sort, dir), total);
    if (total > SMALL) return new SortedRows(bits, this.#order(sort, dir));
    const key = this.#key(sort, dir);
    const rows = listBits(bits, total).sort((a, b) => key(a) - key(b) || a - b);
    return new SortedRows(bits, rows, total);
  }

  /** All rows in an order, made at its first use. */
  #order(sort: PostSort, dir: Direction): Uint32Array {
    const name = `${sort} ${dir}`;
    let order = this.#orders.get(name);
    if (order === undefined) {
      const key = this.#key(sort, dir);
      const keys = new Float64Array(this.rows);
      for (let row = 0; row < this.rows; row++) keys[row] = key(row);
      this.#orders.set(name, order = ascending(keys));
    }
    return order;
  }

  /** The value by which rows are sorted, ascending. Missing values come last in both directions. */
  #key(sort: PostSort, dir: Direction): (row: number) => number {
    const sign = dir === "asc" ? 1 : -1;
    const column = this.#slots.columns[sort];
    return (row) => {
      const value = column.at(this.slotOf[row]!);
      return Number.isNaN(value) ? Infinity : sign * value + 0; // never -0
    };
  }
}

/** The slots in use by publishing time, the newest first, and then by id. */
function newestFirst(slots: Slots): Uint32Array {
  const live = slots.live();
  const { ids, published } = slots;
  const keys = new Float64Array(live.length);
  for (let at = 0; at < live.length; at++) keys[at] = -published.at(live[at]!) + 0;
  const sorted = ascending(keys).map((at) => live[at]!);
  for (let start = 0, end = 1; start < sorted.length; start = end++) {
    while (end < sorted.length && published.at(sorted[end]!) === published.at(sorted[start]!)) {
      end++;
    }
    if (end - start > 1) sorted.subarray(start, end).sort((a, b) => ids[a]! < ids[b]! ? -1 : 1);
  }
  return sorted;
}

/** Rows of a set in order: walks along `order` only as far as rows are read. */
export class SortedRows {
  readonly #bits: Bits;
  readonly #order: Uint32Array;
  #rows: number[] | Uint32Array = [];
  #walked = 0;

  /** @param ready given if `order` has exactly the set's rows */
  constructor(bits: Bits, order: Uint32Array, ready?: number) {
    this.#bits = bits;
    this.#order = order;
    if (ready === undefined) return;
    this.#rows = order;
    this.#walked = order.length;
  }

  slice(start: number, end: number): ArrayLike<number> {
    const { length } = this.#order;
    while (this.#walked < length && this.#rows.length < end) {
      const row = this.#order[this.#walked++]!;
      if (hasBit(this.#bits, row)) (this.#rows as number[]).push(row);
    }
    return this.#rows.slice(start, end);
  }
}
