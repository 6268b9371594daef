/** Bounds what each key holds open in this process: streams, questions. */
export class Seats {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns a function that gives the seat back, to be called once; null: the key has no more. */
  take(keyId: string): (() => void) | null {
    const taken = this.#taken.get(keyId) ?? 0;
    if (taken >= this.#most) return null;
    this.#taken.set(keyId, taken + 1);
    return () => {
      const left = (this.#taken.get(keyId) ?? 1) - 1;
      if (left === 0) this.#taken.delete(keyId);
      else this.#taken.set(keyId, left);
    };
  }
}
