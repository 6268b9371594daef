/** Counts the new and the changed posts over many writes, an import for example. */
import { hashOf } from "../foundation/chance.ts";
import type { StoredPost } from "./records.ts";

/** A post that was written. */
export interface Change {
  post: StoredPost;
  /** Whether the post was not known before. */
  fresh: boolean;
  /** The former and the new state of the record and of each written reading; null for none. */
  states: unknown[];
}

export class Tally {
  readonly #fresh = new Set<string>();
  /**
   * Post id → the hashes of its states, xored. A state that is both left and reached again cancels
   * out, so a change that is undone ends at 0. A real change does so once in four billion.
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

  /** The number of posts that were not known before. */
  get imported(): number {
    return this.#fresh.size;
  }

  /** The number of known posts that differ from their state before the first write. */
  get updated(): number {
    return this.#changed.size;
  }
}
