/** Handshakes and lists cost no quota, so each key may send 20 of each kind per second. */
import { type Now, SECOND } from "../domain/foundation/calendar.ts";
import { ServiceError } from "../domain/foundation/errors.ts";

const PER_SECOND = 20;
/** A message may wait this many seconds for its turn; one that had to wait longer is refused. */
const MOST_AHEAD = 3;

/** The latest second that has turns left, and how many it has given. */
interface Filling {
  second: number;
  count: number;
}

export class Handshakes {
  readonly #now: Now;
  #fillings = new Map<string, Filling>();
  #swept = 0;

  constructor(now: Now) {
    this.#now = now;
  }

  /**
   * How long (ms) a message must wait for its turn. It waits instead of being refused, because
   * agents start in crowds and many give up after a refused handshake. Kinds are counted apart.
   * @throws ServiceError `rateLimitExceeded` if it had to wait too long
   */
  wait(keyId: string, kind: string): number {
    const at = this.#now();
    const second = Math.floor(at / SECOND);
    this.#sweep(second);
    const name = `${keyId} ${kind}`;
    const before = this.#fillings.get(name) ?? { second, count: 0 };
    const filling = before.count < PER_SECOND
      ? { second: before.second, count: before.count + 1 }
      : { second: before.second + 1, count: 1 };
    if (filling.second > second + MOST_AHEAD) {
      throw new ServiceError(
        "rateLimitExceeded",
        `Too many requests: a key may send ${PER_SECOND} handshakes or lists of each kind per ` +
          `second. Retry in ${MOST_AHEAD} seconds.`,
        { retryAfter: MOST_AHEAD },
      );
    }
    this.#fillings.set(name, filling);
    return Math.max(0, filling.second * SECOND - at);
  }

  /** Forgets past seconds. */
  #sweep(second: number): void {
    if (this.#swept === second) return;
    this.#swept = second;
    for (const [name, filling] of this.#fillings) {
      if (filling.second < second) this.#fillings.delete(name);
    }
  }
}
