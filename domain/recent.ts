/** The most recently used values by key, up to a number of them. */

export class Recent<K, V> {
  readonly #limit: number;
  readonly #values = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#values.size;
  }

  /** The value kept under `key`, or the one that `make` gives. */
  get(key: K, make: () => V): V {
    let value = this.#values.get(key);
    if (value === undefined) value = make();
    else this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#limit) this.#values.delete(this.#values.keys().next().value!);
    return value;
  }

  values(): IterableIterator<V> {
    return this.#values.values();
  }

  clear(): void {
    this.#values.clear();
  }
}
