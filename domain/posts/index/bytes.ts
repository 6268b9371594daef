/** JSON texts as bytes in a few large runs, and pages made of pieces of them. */

const encoder = new TextEncoder();
const COMMA = ",".charCodeAt(0);
/** A small brand's run is small; the ones that follow are full-sized. */
const FIRST_RUN = 16 * 1024;
const RUN = 1024 * 1024;
/** UTF-8 bytes that one UTF-16 unit takes at most. */
const UNIT_BYTES = 3;

export class JsonBytes {
  readonly #runs: Uint8Array[] = [];
  /** How much of the last run is taken. */
  #taken = 0;
  #capacity = 0;
  // Text → its run and where it lies there.
  readonly #run: number[] = [];
  readonly #start: number[] = [];
  readonly #end: number[] = [];

  /** Memory in use, about. */
  get capacity(): number {
    return this.#capacity + this.#run.length * 24;
  }

  /** Texts are numbered from 0. */
  add(json: string): void {
    const run = this.#runFor(json.length * UNIT_BYTES);
    const { written } = encoder.encodeInto(json, run.subarray(this.#taken));
    this.#run.push(this.#runs.length - 1);
    this.#start.push(this.#taken);
    this.#taken += written;
    this.#end.push(this.#taken);
  }

  /** `head`, the texts with those numbers between commas, `tail`; both of them ASCII. */
  join(head: string, numbers: ArrayLike<number>, tail: string): Uint8Array<ArrayBuffer> {
    let size = head.length + tail.length + Math.max(0, numbers.length - 1);
    for (let at = 0; at < numbers.length; at++) {
      size += this.#end[numbers[at]!]! - this.#start[numbers[at]!]!;
    }
    const page = new Uint8Array(size);
    let filled = encoder.encodeInto(head, page).written;
    for (let at = 0; at < numbers.length; at++) {
      if (at > 0) page[filled++] = COMMA;
      const text = this.#textAt(numbers[at]!);
      page.set(text, filled);
      filled += text.length;
    }
    encoder.encodeInto(tail, page.subarray(filled));
    return page;
  }

  #textAt(number: number): Uint8Array {
    const run = this.#runs[this.#run[number]!]!;
    return run.subarray(this.#start[number]!, this.#end[number]!);
  }

  #runFor(bytes: number): Uint8Array {
    const last = this.#runs.at(-1);
    if (last !== undefined && this.#taken + bytes <= last.length) return last;
    const run = new Uint8Array(Math.max(bytes, last === undefined ? FIRST_RUN : RUN));
    this.#runs.push(run);
    this.#capacity += run.length;
    this.#taken = 0;
    return run;
  }
}
