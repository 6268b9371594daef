/** A queue for work that needs a turn, of which only so much may wait. */
import { ServiceError } from "./errors.ts";
import { semaphore } from "./semaphore.ts";

export class BoundedQueue {
  readonly #withPermit: ReturnType<typeof semaphore>;
  readonly #most: number;
  readonly #retryAfter: number;
  #size = 0;

  /**
   * @param permits how much runs at once
   * @param waiting how much may wait beyond that
   * @param retryAfter seconds after which a refused caller should come back
   */
  constructor(permits: number, waiting: number, retryAfter: number) {
    this.#withPermit = semaphore(permits);
    this.#most = permits + waiting;
    this.#retryAfter = retryAfter;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /**
   * Runs `work` when its turn comes.
   * @param what the work, for the refusal: "sign-ins"
   * @throws ServiceError `serviceUnavailable` at once if the queue is full
   */
  async run<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.requireRoom(what);
    this.#size++;
    try {
      return await this.#withPermit(work);
    } finally {
      this.#size--;
    }
  }

  /** Refuses what `run` would refuse now. */
  requireRoom(what: string): void {
    if (this.#size >= this.#most) {
      const seconds = this.#retryAfter === 1 ? "a second" : `${this.#retryAfter} seconds`;
      throw new ServiceError(
        "serviceUnavailable",
        `Too many ${what} at the moment. Try again in ${seconds}.`,
        { retryAfter: this.#retryAfter },
      );
    }
  }
}
