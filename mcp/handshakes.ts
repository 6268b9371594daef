/** What is no work costs no quota; each kind of it is held to 20 a second for each key, in memory. */
import { SECOND } from "../domain/calendar.ts";
import type { Now } from "../domain/clock.ts";
import { ServiceError } from "../domain/errors.ts";

const PER_SECOND = 20;
/** Seconds ahead that may be filled; what comes on top is refused. */
const MOST_AHEAD = 3;

/** The second that is being filled, and how far. */
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
   * How long a message waits for its turn, ms: agents start in crowds, and a handshake that is
   * refused would end theirs. Kinds are counted apart.
   * @throws ServiceError `rateLimitExceeded` for one that would wait too long
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
        `A key may send ${PER_SECOND} of each kind of handshake and list a second, and those of ` +
          `the next ${MOST_AHEAD} seconds wait already; wait as long.`,
        { retryAfter: MOST_AHEAD },
      );
    }
    this.#fillings.set(name, filling);
    return Math.max(0, filling.second * SECOND - at);
  }

  /** Forgets the seconds that are over. */
  #sweep(second: number): void {
    if (this.#swept === second) return;
    this.#swept = second;
    for (const [name, filling] of this.#fillings) {
      if (filling.second < second) this.#fillings.delete(name);
    }
  }
}
