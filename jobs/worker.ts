/** Runs durable jobs: when to look for them, and how to stop. */
import { MINUTE, SECOND } from "../domain/foundation/calendar.ts";
import { faultFields } from "../domain/foundation/log.ts";
import { semaphore } from "../domain/foundation/semaphore.ts";
import { within } from "../domain/foundation/within.ts";
import type { JobKind } from "../domain/kv/jobs/kinds.ts";
import { correctNextDue, readNextDue } from "../domain/kv/jobs/next_due.ts";
import type { Service } from "../domain/service/service.ts";
import { type Handlers, Snooze } from "./handler.ts";
import { InFlight } from "./in_flight.ts";
import { type Host, Producer } from "./producer.ts";

/** How often a worker without due jobs looks whether there are any: other processes', lost leases. */
export const IDLE_MS = 6 * SECOND;
/** How soon it looks again after it has looked at due jobs, or has been woken. */
const BUSY_MS = 2 * SECOND;
/** How often it lists what is due all the same: an earlier version of the service notes nothing. */
const SWEEP_MS = 5 * MINUTE;

export class Worker {
  readonly #service: Service;
  readonly #producers: { scan(): Promise<void> }[];
  readonly #inFlight = new InFlight();
  /** One look at a time, because two at once would both fill the same room. */
  readonly #inTurn = semaphore(1);
  #stopListening: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When that ends. This and the next: instants of real time, ms. */
  #timerAt = Infinity;
  #sweepAt = 0;
  #looking = false;
  /** It was woken during a look, which may have missed the new work. */
  #lookAgain = false;
  /** Whether the end of a job makes it look again: from the first wake-up on. */
  #awake = false;
  #stopped: Promise<void> | null = null;

  /** Runs the kinds that it has handlers for. */
  constructor(service: Service, handlers: Partial<Handlers>) {
    this.#service = service;
    const host = this.#host();
    const kinds = Object.keys(handlers) as JobKind[];
    this.#producers = kinds.flatMap((kind) => producerOf(host, kind, handlers) ?? []);
  }

  /** Looks for due jobs now, whenever one is added, and when one becomes due, until `stop`. */
  start(): void {
    const { jobs, log } = this.#service;
    this.#stopListening = jobs.listen({
      wake: () => this.wake(),
      // The sweeps find the work all the same.
      failed: (error) => log.error("jobs.listen", faultFields(error)),
    });
    this.wake();
  }

  /** Looks for due jobs now, and again whenever one has ended. */
  wake(): void {
    if (this.#stopped !== null) return;
    this.#awake = true;
    this.#lookAgain = true;
    if (!this.#looking) void this.#keepLooking();
  }

  /** Never rejects: a look that fails is logged, and the next one may succeed. */
  async #keepLooking(): Promise<void> {
    this.#looking = true;
    while (this.#lookAgain) {
      this.#lookAgain = false;
      await this.#look().catch((error) => {
        this.#service.log.error("jobs.scan", faultFields(error));
      });
    }
    this.#looking = false;
    if (this.#stopListening !== null) this.#checkWithin(BUSY_MS);
  }

  #checkWithin(ms: number): void {
    const at = performance.now() + ms;
    if (this.#stopped !== null || at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => void this.#checkNow(), ms);
  }

  /** Never rejects: a check that fails is logged, and the next one may succeed. */
  async #checkNow(): Promise<void> {
    this.#timerAt = Infinity;
    const pause = await this.#inTurn(() => this.check()).catch((error) => {
      this.#service.log.error("jobs.scan", faultFields(error));
      return IDLE_MS;
    });
    this.#checkWithin(pause);
  }

  /**
   * Wakes the worker if a job is due; one read shows that none is. Returns how long to wait until the
   * next check, in ms of real time.
   */
  async check(): Promise<number> {
    if (this.#stopped !== null) return IDLE_MS;
    const { kv, now } = this.#service;
    const seen = await readNextDue(kv);
    const until = (at: number) => Math.min(IDLE_MS, at - now());
    if (seen.at > now() && performance.now() < this.#sweepAt) return until(seen.at);
    this.#sweepAt = performance.now() + SWEEP_MS;
    const first = await correctNextDue(kv, seen);
    if (first > now()) return until(first);
    this.wake();
    return BUSY_MS;
  }

  /** Resolves once nothing runs here and the last look found nothing more to start, or at `giveUp`. */
  async idle(giveUp: AbortSignal): Promise<void> {
    while ((this.#looking || this.#inFlight.size > 0) && !giveUp.aborted) {
      await this.#inTurn(() => Promise.resolve());
      await this.#inFlight.allEnded();
    }
  }

  /**
   * Runs everything that is due, and what that makes due, until there is nothing left that this
   * worker can claim, or it is stopped. For tests; needs no `start`.
   */
  async drain(): Promise<void> {
    while (this.#stopped === null) {
      const before = this.#inFlight.changes;
      await this.#look();
      // A job that ended during the look has made room that the look may not have seen.
      if (this.#inFlight.changes !== before) continue;
      if (this.#inFlight.size === 0) return;
      await this.#inFlight.oneEnded();
    }
  }

  /**
   * Takes no more jobs, gives running ones `graceMs` to end, then aborts them and hands them back.
   * Once it resolves, this worker touches the store no more; so it waits for jobs that are slow to
   * notice the abort. Callers that can't wait bound it with `within`.
   */
  stop(graceMs: number): Promise<void> {
    return this.#stopped ??= this.#stop(graceMs);
  }

  async #stop(graceMs: number): Promise<void> {
    this.#stopListening?.();
    clearTimeout(this.#timer);
    // The look under way may still start a job; looks that wait for their turn do nothing.
    await this.#inTurn(() => Promise.resolve());
    await within(graceMs, this.#inFlight.allEnded());
    this.#inFlight.abort(new Snooze(this.#service.now()));
    await this.#inFlight.allEnded();
  }

  #look(): Promise<void> {
    return this.#inTurn(async () => {
      for (const producer of this.#producers) {
        if (this.#stopped !== null) return;
        await producer.scan();
      }
    });
  }

  #host(): Host {
    return {
      service: this.#service,
      inFlight: this.#inFlight,
      isStopped: () => this.#stopped !== null,
      jobEnded: () => {
        if (this.#awake) this.wake();
      },
    };
  }
}

function producerOf<Kind extends JobKind>(host: Host, kind: Kind, handlers: Partial<Handlers>) {
  const handler = handlers[kind];
  return handler === undefined ? null : new Producer(host, kind, handler);
}
