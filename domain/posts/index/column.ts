/** Numbers in a typed array that grows. NaN stands for a missing number. */

/** The first capacity. Most brands have few posts, and an index has eight columns. */
const FIRST = 32;
const NUMBER_BYTES = 8;

export class Column {
  #values = new Float64Array(FIRST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#values.byteLength;
  }

  add(value: number): void {
    if (this.#length === this.#values.length) this.#resize(this.#length * 2);
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  /** Replaces a number that was added. */
  put(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Releases the capacity that is not in use. */
  trim(): void {
    if (this.#length < this.#values.length) this.#resize(Math.max(FIRST, this.#length));
  }

  #resize(length: number): void {
    this.#values = new Float64Array(this.#values.buffer.transfer(length * NUMBER_BYTES));
  }
}
