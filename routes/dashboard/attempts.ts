/** Sign-ins of an email that failed: ten in a quarter of an hour, then it must wait. */
import { MINUTE } from "../../domain/calendar.ts";
import type { Now } from "../../domain/clock.ts";

const MOST = 10;
const WINDOW_MS = 15 * MINUTE;
const REMEMBERED = 10_000;

export class SignInAttempts {
  readonly #now: Now;
  readonly #counts = new Map<string, { since: number; count: number }>();

  constructor(now: Now) {
    this.#now = now;
  }

  /** Counts an attempt before it is made, as if it failed: many at once must not all pass. */
  mayTry(email: string): boolean {
    const key = email.toLowerCase();
    const known = this.#counts.get(key);
    const fresh = known === undefined || this.#now() - known.since > WINDOW_MS;
    const counted = fresh ? { since: this.#now(), count: 1 } : { ...known, count: known.count + 1 };
    this.#counts.delete(key);
    this.#counts.set(key, counted);
    if (this.#counts.size > REMEMBERED) this.#counts.delete(this.#counts.keys().next().value!);
    return counted.count <= MOST;
  }

  /** Takes the count of an attempt back: it has signed in. */
  forgive(email: string): void {
    const counted = this.#counts.get(email.toLowerCase());
    if (counted !== undefined) counted.count--;
  }
}
