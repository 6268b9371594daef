/** JSON texts end to end in one growing run of bytes, and pages made of pieces of it. */

const encoder = new TextEncoder();
const COMMA = ",".charCodeAt(0);
const FIRST_CAPACITY = 4 * 1024;
/** UTF-8 bytes that one UTF-16 unit takes at most. */
const UNIT_BYTES = 3;

export class JsonBytes {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;
  /** Where each text ends. */
  readonly #ends: number[] = [];

  get capacity(): number {
    return this.#bytes.length + this.#ends.length * 8;
  }

  /** Texts are numbered from 0. */
  add(json: string): void {
    this.#reserve(json.length * UNIT_BYTES);
    const { written } = encoder.encodeInto(json, this.#bytes.subarray(this.#length));
    this.#length += written;
    this.#ends.push(this.#length);
  }

  /** `head`, the texts with those numbers between commas, `tail`. */
  join(head: string, numbers: ArrayLike<number>, tail: string): Uint8Array<ArrayBuffer> {
    let size = head.length + tail.length + Math.max(0, numbers.length - 1);
    for (let at = 0; at < numbers.length; at++) {
      size += this.#ends[numbers[at]!]! - this.#start(numbers[at]!);
    }
    const page = new Uint8Array(size);
    let filled = encoder.encodeInto(head, page).written;
    for (let at = 0; at < numbers.length; at++) {
      if (at > 0) page[filled++] = COMMA;
      const text = this.#bytes.subarray(this.#start(numbers[at]!), this.#ends[numbers[at]!]!);
      page.set(text, filled);
      filled += text.length;
    }
    encoder.encodeInto(tail, page.subarray(filled));
    return page;
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1]!;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const capacity = Math.max(needed, Math.ceil(this.#bytes.length * 1.5));
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(capacity));
  }
}
