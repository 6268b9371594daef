/** Failed sign-ins of an email: ten in a quarter of an hour, then it must wait. */
import { MINUTE } from "../../domain/calendar.ts";
import type { Now } from "../../domain/clock.ts";

const MOST = 10;
const WINDOW_MS = 15 * MINUTE;
const REMEMBERED = 10_000;

export class SignInAttempts {
  readonly #now: Now;
  readonly #failures = new Map<string, { since: number; count: number }>();

  constructor(now: Now) {
    this.#now = now;
  }

  mayTry(email: string): boolean {
    const failures = this.#failures.get(email.toLowerCase());
    return failures === undefined || failures.count < MOST || this.#isOver(failures.since);
  }

  count(email: string): void {
    const key = email.toLowerCase();
    const failures = this.#failures.get(key);
    const fresh = failures === undefined || this.#isOver(failures.since);
    this.#failures.delete(key);
    this.#failures.set(
      key,
      fresh ? { since: this.#now(), count: 1 } : { ...failures, count: failures.count + 1 },
    );
    if (this.#failures.size > REMEMBERED) {
      this.#failures.delete(this.#failures.keys().next().value!);
    }
  }

  #isOver(since: number): boolean {
    return this.#now() - since > WINDOW_MS;
  }
}
