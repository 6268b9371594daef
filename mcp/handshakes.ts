/** What is no work costs no quota; each kind of it is held to 20 a second for each key, in memory. */
import { SECOND } from "../domain/calendar.ts";
import type { Now } from "../domain/clock.ts";
import { ServiceError } from "../domain/errors.ts";

const PER_SECOND = 20;

export class Handshakes {
  readonly #now: Now;
  #second = 0;
  #counts = new Map<string, number>();

  constructor(now: Now) {
    this.#now = now;
  }

  /**
   * Kinds are counted apart: twenty agents that start at once each shake hands, say so, and list.
   * @throws ServiceError `rateLimitExceeded`
   */
  count(keyId: string, kind: string): void {
    const second = Math.floor(this.#now() / SECOND);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts = new Map();
    }
    const counted = `${keyId} ${kind}`;
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    if (count > PER_SECOND) {
      throw new ServiceError(
        "rateLimitExceeded",
        `A key may send ${PER_SECOND} of each kind of handshake and list a second; wait one second.`,
        { retryAfter: 1 },
      );
    }
  }
}
