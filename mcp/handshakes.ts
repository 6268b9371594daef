/** Handshakes and lists cost no quota; they are held to 20 a second for each key, in memory. */
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

  /** @throws ServiceError `rateLimitExceeded` */
  count(keyId: string): void {
    const second = Math.floor(this.#now() / SECOND);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    this.#counts.set(keyId, count);
    if (count > PER_SECOND) {
      throw new ServiceError(
        "rateLimitExceeded",
        `A key may ask for ${PER_SECOND} handshakes and lists a second; wait one second.`,
        { retryAfter: 1 },
      );
    }
  }
}
