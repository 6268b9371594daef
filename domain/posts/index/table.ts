/**
 * The brand's posts as rows, newest first (ties by id), so that a span of days is a span of rows
 * and the row number settles every tie.
 */
import type { Direction, PostSort } from "../query.ts";
import { type Bits, hasBit, listBits } from "./bits.ts";
import type { Slots } from "./slots.ts";

/** Sets up to this size are sorted by themselves; larger ones are met early along the whole order. */
const SMALL = 256;

export class Table {
  readonly rows: number;
  /** Row → slot. */
  readonly slotOf: Uint32Array;
  /** Slot → row; -1 for a slot whose post has moved on. */
  #rowOf: Int32Array;
  /** Instants, descending. */
  readonly #published: Float64Array;
  readonly #slots: Slots;
  readonly #orders = new Map<string, Uint32Array>();

  constructor(slots: Slots) {
    const live = slots.live();
    const { ids, published } = slots;
    live.sort((a, b) => published.at(b) - published.at(a) || (ids[a]! < ids[b]! ? -1 : 1));
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

  /** The row of a slot; -1 where its post has moved on. */
  rowOf(slot: number): number {
    return this.#rowOf[slot] ?? -1;
  }

  /**
   * Puts a post that has moved on from one slot to another into its old row: most changes are new
   * numbers. False when it was published at another time, so that its row would be another.
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

  /** The `total` rows in `bits` in that order, worked out as far as they are asked for. */
  sorted(bits: Bits, total: number, sort: PostSort, dir: Direction): SortedRows {
    if (total === this.rows) return new SortedRows(bits, this.#order(sort, dir), total);
    if (total > SMALL) return new SortedRows(bits, this.#order(sort, dir));
    const key = this.#key(sort, dir);
    const rows = listBits(bits, total).sort((a, b) => key(a) - key(b) || a - b);
    return new SortedRows(bits, rows, total);
  }

  /** All rows in that order; made once. */
  #order(sort: PostSort, dir: Direction): Uint32Array {
    const name = `${sort} ${dir}`;
    let order = this.#orders.get(name);
    if (order === undefined) {
      order = Uint32Array.from({ length: this.rows }, (_, row) => row);
      const keys = Float64Array.from(order, this.#key(sort, dir));
      if (name !== "published desc") order.sort((a, b) => keys[a]! - keys[b]! || a - b);
      this.#orders.set(name, order);
    }
    return order;
  }

  /** What rows are sorted by, ascending: missing values last in both directions. */
  #key(sort: PostSort, dir: Direction): (row: number) => number {
    const sign = dir === "asc" ? 1 : -1;
    const column = this.#slots.columns[sort];
    return (row) => {
      const value = column.at(this.slotOf[row]!);
      return Number.isNaN(value) ? Infinity : sign * value;
    };
  }
}

/** Rows of a set in order: a walk along `order` that goes no further than was asked. */
export class SortedRows {
  readonly #bits: Bits;
  readonly #order: Uint32Array;
  #rows: number[] | Uint32Array = [];
  #walked = 0;

  /** @param ready `order` holds exactly the set's rows */
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
