/** What a run of many writes brought: posts not known before, and posts not left as they were found. */
import { hashOf } from "../random.ts";
import type { StoredPost } from "./records.ts";

/** A post that was written. */
export interface Change {
  post: StoredPost;
  /** It was not known before. */
  fresh: boolean;
  /** The record and each reading that was written: what stood there before (null: nothing) and since. */
  states: unknown[];
}

export class Tally {
  readonly #fresh = new Set<string>();
  /**
   * Post id → the hashes of its states, xored. A state that is left and come back to drops out, so
   * what a run changes and changes back ends at 0; what it changes does once in four billion.
   */
  readonly #changed = new Map<string, number>();

  add({ post: { id }, fresh, states }: Change): void {
    if (fresh) this.#fresh.add(id);
    if (this.#fresh.has(id)) return;
    let mark = this.#changed.get(id) ?? 0;
    for (const state of states) mark ^= hashOf(JSON.stringify(state));
    if (mark === 0) this.#changed.delete(id);
    else this.#changed.set(id, mark);
  }

  /** Posts not known before. */
  get imported(): number {
    return this.#fresh.size;
  }

  /** Known posts that are not what they were before the first write. */
  get updated(): number {
    return this.#changed.size;
  }
}
