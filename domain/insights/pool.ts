/** Numbers of each row in few large arrays, because an array of its own for each row takes more memory. */
import { Column } from "../posts/index/column.ts";
import type { Turn } from "./slices.ts";

type Numbers = Uint8Array | Uint32Array;

/** Room that a row gets beyond its need, so that most changes fit in place. */
const SLACK = 1 / 8;
/** A pool with a larger share of dead room is copied together. */
const DEAD_SHARE = 0.4;
/** Rows between two looks at the time. */
const LOOK_EVERY = 512;

/** Lists of numbers, one a row, each of any length. */
export class Pool<T extends Numbers> {
  readonly #make: new (length: number) => T;
  #numbers: T;
  #end = 0;
  /** Row → where its list begins, how long it is, and how long it may get. */
  #starts = new Column();
  #lengths = new Column();
  #rooms = new Column();
  #dead = 0;

  constructor(make: new (length: number) => T) {
    this.#make = make;
    this.#numbers = new make(256);
  }

  get bytes(): number {
    return this.#numbers.byteLength + 3 * this.#starts.bytes;
  }

  /** A view, valid until the next change. */
  at(row: number): T {
    const start = this.#starts.at(row);
    return this.#numbers.subarray(start, start + this.#lengths.at(row)) as T;
  }

  /** Sets a row's list. Rows are added in order. */
  set(row: number, list: Numbers): void {
    if (row === this.#starts.length) {
      this.#starts.add(0);
      this.#lengths.add(0);
      this.#rooms.add(0);
    }
    if (list.length > this.#rooms.at(row)) {
      this.#dead += this.#rooms.at(row);
      // A row's first list is rarely the last one, but many never change.
      const room = list.length + (this.#rooms.at(row) > 0 ? Math.ceil(list.length * SLACK) + 4 : 0);
      this.#reserve(room);
      this.#starts.put(row, this.#end);
      this.#rooms.put(row, room);
      this.#end += room;
    }
    this.#numbers.set(list, this.#starts.at(row));
    this.#lengths.put(row, list.length);
  }

  async compact(turn: Turn): Promise<void> {
    if (this.#dead < this.#end * DEAD_SHARE) return;
    const before = this.#numbers;
    const live = new this.#make(this.#end - this.#dead);
    let end = 0;
    for (let row = 0; row < this.#starts.length; row++) {
      if (row % LOOK_EVERY === 0) await turn();
      const [start, room] = [this.#starts.at(row), this.#rooms.at(row)];
      live.set(before.subarray(start, start + room), end);
      this.#starts.put(row, end);
      end += room;
    }
    [this.#numbers, this.#end, this.#dead] = [live, end, 0];
  }

  #reserve(room: number): void {
    if (this.#end + room <= this.#numbers.length) return;
    const larger = new this.#make(Math.ceil((this.#end + room) * 1.25));
    larger.set(this.#numbers.subarray(0, this.#end));
    this.#numbers = larger;
  }
}

/** As many numbers for every row, NaN at first. */
export class Grid {
  readonly #width: number;
  #numbers = new Float32Array(64);
  #end = 0;

  constructor(width: number) {
    this.#width = width;
  }

  get bytes(): number {
    return this.#numbers.byteLength;
  }

  add(): void {
    const end = this.#end + this.#width;
    if (end > this.#numbers.length) {
      const larger = new Float32Array(Math.ceil(end * 1.25));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers.fill(NaN, this.#end, end);
    this.#end = end;
  }

  at(row: number, column: number): number {
    return this.#numbers[row * this.#width + column]!;
  }

  set(row: number, column: number, value: number): void {
    this.#numbers[row * this.#width + column] = value;
  }
}
