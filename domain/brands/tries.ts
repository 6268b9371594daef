/** Counts tries by where they come from, in the store, so that all processes share the count. */
import { MINUTE, type Now, SECOND } from "../foundation/calendar.ts";
import { LruCache } from "../foundation/lru.ts";
import { type Commit, transact } from "../kv/transact.ts";

export interface TryLimits {
  /** Where the store counts them. */
  collection: string;
  /** Tries of one origin within the window. */
  most: number;
  windowMs: number;
}

/** Failed sign-ins. */
const SIGN_INS: TryLimits = { collection: "signInTries", most: 20, windowMs: 5 * MINUTE };
/** Origins whose refusal is cached. */
const CACHED = 10_000;

interface Count {
  /** When the window opened. Instant, ms. */
  since: number;
  count: number;
}

export class Tries {
  readonly #kv: Deno.Kv;
  readonly #now: Now;
  readonly #limits: TryLimits;
  /** Windows of origins that were refused, so that a flood is refused without the store. */
  readonly #refused = new LruCache<string, Count>(CACHED);

  constructor({ kv, now }: { kv: Deno.Kv; now: Now }, limits: TryLimits = SIGN_INS) {
    this.#kv = kv;
    this.#now = now;
    this.#limits = limits;
  }

  /** How long (ms) an origin that was refused must still wait; 0 when nothing is known against it. */
  waitOf(origin: string): number {
    const count = this.#refused.get(origin);
    return count !== undefined && this.#isOpen(count) ? this.#left(count) : 0;
  }

  /** Counts a try before it is made. Returns how long (ms) the origin must wait first; 0: it may try. */
  async take(origin: string): Promise<number> {
    const known = this.waitOf(origin);
    if (known > 0) return known;
    const { count, isTaken } = await transact(this.#kv, async (commit) => {
      const before = await this.#read(commit, origin);
      if (before.count >= this.#limits.most) return { count: before, isTaken: false };
      this.#write(commit, origin, { ...before, count: before.count + 1 });
      return { count: before, isTaken: true };
    });
    if (isTaken) return 0;
    this.#refused.set(origin, count);
    return this.#left(count);
  }

  /** Takes a try back, because it succeeded. */
  async giveBack(origin: string): Promise<void> {
    this.#refused.delete(origin);
    await transact(this.#kv, async (commit) => {
      const before = await this.#read(commit, origin);
      if (before.count > 0) this.#write(commit, origin, { ...before, count: before.count - 1 });
    });
  }

  async #read(commit: Commit, origin: string): Promise<Count> {
    const stored = await commit.get<Count>(this.#key(origin));
    return stored !== null && this.#isOpen(stored) ? stored : { since: this.#now(), count: 0 };
  }

  #write(commit: Commit, origin: string, count: Count): void {
    commit.set(this.#key(origin), count, { expireIn: this.#limits.windowMs });
  }

  #key(origin: string): Deno.KvKey {
    return [this.#limits.collection, origin];
  }

  /** A window from ahead of the clock, as a corrected clock leaves it, does not count. */
  #isOpen({ since }: Count): boolean {
    const age = this.#now() - since;
    return age < this.#limits.windowMs && age > -5 * SECOND;
  }

  #left({ since }: Count): number {
    return since + this.#limits.windowMs - this.#now();
  }
}
