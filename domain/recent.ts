/**
 * The most recently used values by key: at least `limit` of them, at most twice as many. They are
 * kept in two generations, so that to meet one that is much in use costs a look and moves nothing.
 */
export class Recent<K, V> {
  readonly #limit: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The value kept under `key`, or the one that `make` gives. */
  get(key: K, make: () => V): V {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const value = this.#old.get(key) ?? make();
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    return value;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
