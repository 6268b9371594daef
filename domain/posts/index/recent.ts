/** The most recently used values by name, up to a number of them. */

export class Recent<T> {
  readonly #limit: number;
  readonly #values = new Map<string, T>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#values.size;
  }

  /** The value kept under `name`, or the one that `make` gives. */
  get(name: string, make: () => T): T {
    const kept = this.#values.get(name);
    if (kept !== undefined) {
      this.#values.delete(name);
      this.#values.set(name, kept);
      return kept;
    }
    const value = make();
    this.#values.set(name, value);
    if (this.#values.size > this.#limit) this.#values.delete(this.#values.keys().next().value!);
    return value;
  }

  clear(): void {
    this.#values.clear();
  }
}
