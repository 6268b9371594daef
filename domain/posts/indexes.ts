/** The in-memory indexes of the brands whose posts are being read, kept as fresh as the store. */
import type { Now } from "../clock.ts";

export class PostIndexes {
  readonly #kv: Deno.Kv;
  readonly #now: Now;
  readonly #stale = new Set<string>();

  constructor(kv: Deno.Kv, now: Now) {
    this.#kv = kv;
    this.#now = now;
  }

  /** This process has changed the brand's posts: the next reader looks at once. */
  touch(brandId: string): void {
    this.#stale.add(brandId);
    void this.#kv;
    void this.#now;
  }
}
