/** Keeps texts as UTF-8 in a few arrays ("runs") and copies pages together from them. */
import { joined } from "../../foundation/bytes.ts";
import { Column } from "./column.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const COMMA = ",".charCodeAt(0);
/** A run's size is a share of what is stored already, so unused capacity stays a small share, too. */
const SMALLEST_RUN = 8 * 1024;
const LARGEST_RUN = 1024 * 1024;
const RUN_SHARE = 1 / 8;
/** A text's position is its run's number times this, plus its start in the run. */
const RUN_SPAN = 2 ** 32;

type Bytes = Uint8Array<ArrayBuffer>;

// Numbers of texts come from `add`, so reading the columns below by a number never misses.
export class Texts {
  #runs: Bytes[] = [];
  /** Run → its bytes in use. */
  #used: number[] = [];
  /** Text → its position. */
  #positions = new Column();
  #capacity = 0;

  get length(): number {
    return this.#positions.length;
  }

  /** Memory in use. */
  get bytes(): number {
    return this.#capacity + this.#positions.bytes;
  }

  /** Adds a text. Texts are numbered from 0. */
  add(text: string): void {
    let run = this.#runs.length - 1;
    let written = run < 0 ? null : fit(text, this.#runs[run]!.subarray(this.#used[run]!));
    if (written === null) {
      written = this.#beginRun(text);
      run++;
    }
    this.#positions.add(run * RUN_SPAN + this.#used[run]!);
    this.#used[run]! += written;
  }

  /** Adds texts that are one after the other in `run`, which is kept; `lengths` are their bytes. */
  addRun(run: Bytes, lengths: Uint32Array): void {
    let position = this.#runs.length * RUN_SPAN;
    for (const length of lengths) {
      this.#positions.add(position);
      position += length;
    }
    this.#runs.push(run);
    this.#used.push(run.length);
    this.#capacity += run.length;
  }

  /** Releases the capacity that is not in use. */
  trim(): void {
    if (this.#runs.length > 1 && this.#capacity <= LARGEST_RUN) this.#join();
    this.#positions.trim();
    const last = this.#runs.pop();
    if (last === undefined) return;
    const used = this.#used[this.#runs.length]!;
    this.#capacity -= last.length - used;
    this.#runs.push(new Uint8Array(last.buffer.transfer(used)));
  }

  /** Makes all runs one, because each costs some memory of its own. */
  #join(): void {
    const whole = joined(this.#runs.map((run, at) => run.subarray(0, this.#used[at])));
    const starts = [0];
    for (const used of this.#used) starts.push(starts.at(-1)! + used);
    const positions = new Column();
    for (let number = 0; number < this.#positions.length; number++) {
      const position = this.#positions.at(number);
      const run = Math.floor(position / RUN_SPAN);
      positions.add(starts[run]! + position - run * RUN_SPAN);
    }
    // Their memory is free at once, not when garbage is collected next.
    for (const run of this.#runs) run.buffer.transfer(0);
    [this.#runs, this.#used, this.#positions] = [[whole], [whole.length], positions];
    this.#capacity = whole.length;
  }

  read(number: number): string {
    return decoder.decode(this.bytesOf(number));
  }

  /** `head`, the texts with these numbers separated by commas, then `tail`. Head and tail are ASCII. */
  join(head: string, numbers: ArrayLike<number>, tail: string): Bytes {
    const texts: Bytes[] = [];
    let size = head.length + tail.length + Math.max(0, numbers.length - 1);
    for (let index = 0; index < numbers.length; index++) {
      const text = this.bytesOf(numbers[index]!);
      texts.push(text);
      size += text.length;
    }
    const page = new Uint8Array(size);
    let filled = encoder.encodeInto(head, page).written;
    for (const text of texts) {
      if (text !== texts[0]) page[filled++] = COMMA;
      page.set(text, filled);
      filled += text.length;
    }
    encoder.encodeInto(tail, page.subarray(filled));
    return page;
  }

  /** A text's UTF-8, not copied. It ends where the next one in its run starts. */
  bytesOf(number: number): Bytes {
    const position = this.#positions.at(number);
    const run = Math.floor(position / RUN_SPAN);
    const base = run * RUN_SPAN;
    let end = this.#used[run]!;
    if (number + 1 < this.#positions.length) {
      end = Math.min(end, this.#positions.at(number + 1) - base);
    }
    return this.#runs[run]!.subarray(position - base, end);
  }

  /** Begins a run with a text and returns the text's bytes. */
  #beginRun(text: string): number {
    const size = Math.max(SMALLEST_RUN, Math.min(this.#capacity * RUN_SHARE, LARGEST_RUN));
    let run = new Uint8Array(Math.floor(size));
    let written = fit(text, run);
    if (written === null) {
      run = encoder.encode(text);
      written = run.length;
    }
    this.#runs.push(run);
    this.#used.push(0);
    this.#capacity += run.length;
    return written;
  }
}

/** Writes a text if there is room for all of it, and returns its bytes; null if there is not. */
function fit(text: string, room: Bytes): number | null {
  if (text.length > room.length) return null;
  const { read, written } = encoder.encodeInto(text, room);
  return read === text.length ? written : null;
}
