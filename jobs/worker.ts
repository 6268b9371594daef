/** Runs durable jobs: claims by lease, retries by a pure back-off, keeps the dead visible. */
import { usesQueue } from "../domain/build.ts";
import { SECOND } from "../domain/calendar.ts";
import {
  afresh,
  brandsInTurn,
  dueIds,
  type Job,
  jobKey,
  takesTurns,
  writeJob,
} from "../domain/jobs.ts";
import { transact } from "../domain/kv.ts";
import { faultFields } from "../domain/log.ts";
import type { Service } from "../domain/service.ts";
import { type Handler, type Handlers, Hopeless, JobRun, LeaseLost, Postponed } from "./queue.ts";

/** A lease outlives a stall, yet a killed process's work goes on within a minute. */
export const LEASE_MS = 30 * SECOND;
const RENEW_MS = 10 * SECOND;
/** How often due jobs are looked for without a wake-up: other processes' jobs, lost leases. */
const SWEEP_MS = 2 * SECOND;
/** A job during which this many workers vanished is what kills them. */
export const MOST_LAPSES = 5;
/** How long an aborted job may take to notice. */
const ABORT_MS = 2 * SECOND;

interface Running {
  kind: string;
  brandId: string | null;
  done: Promise<void>;
  abort: AbortController;
}

export class Worker {
  readonly #service: Service;
  readonly #handlers: Handlers;
  readonly #running = new Map<string, Running>();
  #stopListening: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #scanning: Promise<void> | null = null;
  #again = false;
  /** Whether it goes on looking by itself: after the first wake-up, until `stop`. */
  #awake = false;
  #stopped = false;
  /** The brand of each kind that had its turn last. */
  readonly #served = new Map<string, string>();
  /** Jobs started and jobs ended so far. */
  #moves = 0;

  constructor(service: Service, handlers: Handlers) {
    this.#service = service;
    this.#handlers = handlers;
  }

  /** Wakes on added jobs and sweeps every two seconds until `stop`. */
  start(): void {
    const { jobs, kv, log, settings } = this.#service;
    this.#stopListening = jobs.onWake(() => this.wake());
    // A message only says that there is work; the record in KV says what.
    // Without messages its own sweeps find the work. After `stop` the store may just be closed.
    const deaf = (error: unknown) => this.#stopped || log.error("jobs.listen", faultFields(error));
    if (usesQueue(settings)) kv.listenQueue(() => this.wake()).catch(deaf);
    this.wake();
  }

  /** Looks for due jobs now, and again every two seconds. */
  wake(): void {
    if (this.#stopped) return;
    this.#awake = true;
    if (this.#scanning !== null) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#scanning = this.#scan()
      .catch((error) => this.#service.log.error("jobs.scan", faultFields(error)))
      .finally(() => {
        this.#scanning = null;
        if (this.#stopped) return;
        if (this.#again) {
          this.#again = false;
          this.wake();
        } else this.#timer = setTimeout(() => this.wake(), SWEEP_MS);
      });
  }

  /**
   * Runs everything that is due, and what that makes due, until nothing that this worker can claim is:
   * for tests, with no need of `start`.
   */
  async drain(): Promise<void> {
    for (;;) {
      const before = this.#moves;
      await this.#scan();
      // What ended during the scan may have made room behind its back.
      if (this.#moves !== before) continue;
      if (this.#running.size === 0) return;
      await Promise.race([...this.#running.values()].map((run) => run.done));
    }
  }

  /** Takes no more jobs, gives running ones `graceMs` to end, then hands them back. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#stopListening?.();
    clearTimeout(this.#timer);
    await this.#scanning;
    await this.#ended(graceMs);
    for (const run of this.#running.values()) run.abort.abort(new Postponed(this.#service.now()));
    await this.#ended(ABORT_MS);
  }

  /** Waits until nothing runs, at most `ms`. */
  async #ended(ms: number): Promise<void> {
    const running = [...this.#running.values()].map((run) => run.done);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<void>((done) => timer = setTimeout(done, ms));
    await Promise.race([Promise.all(running), enough]);
    clearTimeout(timer);
  }

  async #scan(): Promise<void> {
    for (const [kind, handler] of Object.entries(this.#handlers)) {
      if (!this.#hasRoom(kind, handler)) continue;
      await (takesTurns(kind) ? this.#scanTurns(kind, handler) : this.#scanKind(kind, handler));
    }
  }

  /** First come, first served. */
  async #scanKind(kind: string, handler: Handler): Promise<void> {
    for await (const id of this.#due(kind, handler)) {
      if (this.#stopped || !this.#hasRoom(kind, handler)) return;
      await this.#take(id, handler);
    }
  }

  /** A job for each brand that has room, from the one behind the last served, round and round. */
  async #scanTurns(kind: string, handler: Handler): Promise<void> {
    const { kv, now } = this.#service;
    const tried = new Set<string>();
    const next = async (brandId?: string) => {
      for await (const id of this.#due(kind, handler, brandId)) if (!tried.has(id)) return id;
      return null;
    };
    // One read tells that nothing is due, however many brands wait for a later time.
    if (await next() === null) return;
    for (let found = true; found;) {
      found = false;
      const last = this.#served.get(kind) ?? "";
      for await (const brandId of brandsInTurn(kv, kind, now(), last)) {
        if (this.#stopped || !this.#hasRoom(kind, handler)) return;
        if (!this.#hasRoomFor(brandId, kind, handler)) continue;
        const id = await next(brandId);
        if (id === null) continue;
        found = true;
        tried.add(id);
        this.#served.set(kind, brandId);
        await this.#take(id, handler);
      }
    }
  }

  /** Due jobs that don't run here, earliest first. */
  async *#due(kind: string, handler: Handler, brandId?: string): AsyncGenerator<string> {
    const { kv, now } = this.#service;
    const options = {
      batchSize: this.#most(handler) + 1,
      ...(brandId !== undefined && { brandId }),
    };
    for await (const id of dueIds(kv, kind, now(), options)) if (!this.#running.has(id)) yield id;
  }

  #hasRoom(kind: string, handler: Handler): boolean {
    return this.#count((run) => run.kind === kind) < this.#most(handler);
  }

  #hasRoomFor(brandId: string | null, kind: string, { perBrand = Infinity }: Handler): boolean {
    return this.#count((run) => run.kind === kind && run.brandId === brandId) < perBrand;
  }

  #most({ concurrency }: Handler): number {
    return typeof concurrency === "number" ? concurrency : concurrency(this.#service);
  }

  #count(which: (run: Running) => boolean): number {
    let count = 0;
    for (const run of this.#running.values()) if (which(run)) count++;
    return count;
  }

  async #take(id: string, handler: Handler): Promise<void> {
    const job = await this.#claim(id, handler);
    if (job !== null) this.#start(job, handler);
  }

  /** Takes a due job, or one whose lease has run out; null when another worker was faster. */
  #claim(id: string, handler: Handler): Promise<Job | null> {
    const { kv, now } = this.#service;
    return transact(kv, async (commit) => {
      const job = await commit.get<Job>(jobKey(id));
      const at = now();
      if (job === null || job.state === "dead" || job.dueAt > at) return null;
      const lapses = job.lapses + (job.state === "running" ? 1 : 0);
      if (lapses > MOST_LAPSES) {
        const error = `Given up: the process ended ${lapses} times while this ran.`;
        const dead: Job = { ...job, lapses, lease: null, error, state: "dead" };
        writeJob(commit, job, dead);
        await handler.bury?.(this.#service, commit, dead, error);
        return null;
      }
      const claimed: Job = {
        ...job,
        state: "running",
        lapses,
        startedAt: job.startedAt ?? at,
        lease: crypto.randomUUID(),
        dueAt: at + LEASE_MS,
      };
      writeJob(commit, job, claimed);
      return claimed;
    });
  }

  #start(job: Job, handler: Handler): void {
    this.#moves++;
    const abort = new AbortController();
    const done = this.#run(job, handler, abort).finally(() => {
      this.#running.delete(job.id);
      this.#moves++;
      if (this.#awake) this.wake();
    });
    const { kind, brandId } = job;
    this.#running.set(job.id, { kind, brandId, done, abort });
  }

  async #run(job: Job, handler: Handler, abort: AbortController): Promise<void> {
    const { kv, log } = this.#service;
    const run = new JobRun(job, abort.signal);
    const renewal = setInterval(() => void this.#renew(run, abort), RENEW_MS);
    try {
      await handler.run(this.#service, run);
      if (!run.finished) await transact(kv, (commit) => run.finish(commit));
    } catch (error) {
      if (error instanceof LeaseLost) return;
      const reason = abort.signal.aborted ? abort.signal.reason : error;
      if (!(reason instanceof Postponed)) {
        log.warn("job.failed", { job: job.id, kind: job.kind, ...faultFields(error) });
      }
      await this.#release(run, handler, reason).catch((fault) => {
        if (!(fault instanceof LeaseLost)) log.error("job.release", faultFields(fault));
      });
    } finally {
      clearInterval(renewal);
    }
  }

  async #renew(run: JobRun, abort: AbortController): Promise<void> {
    try {
      await transact(this.#service.kv, async (commit) => {
        const stored = await commit.get<Job>(jobKey(run.job.id));
        if (stored === null || stored.lease !== run.job.lease) throw new LeaseLost(run.job.id);
        writeJob(commit, stored, { ...stored, dueAt: this.#service.now() + LEASE_MS });
      });
    } catch (error) {
      if (error instanceof LeaseLost && !run.finished) abort.abort(error);
    }
  }

  /** Puts a failed job back with its back-off, or buries it. */
  async #release(run: JobRun, handler: Handler, reason: unknown): Promise<void> {
    const { kv, now } = this.#service;
    await transact(kv, async (commit) => {
      await run.hold(commit);
      run.report(commit);
      const job = (await commit.get<Job>(jobKey(run.job.id)))!;
      // However this run ended: it is tried afresh as it was asked for meanwhile.
      if (job.again !== undefined) return writeJob(commit, job, afresh(job, job.again));
      const message = reason instanceof Error ? reason.message : String(reason);
      if (reason instanceof Postponed) {
        return writeJob(commit, job, {
          ...job,
          state: "waiting",
          lease: null,
          dueAt: reason.until,
        });
      }
      const attempts = job.attempts + 1;
      const failed: Job = { ...job, attempts, lease: null, error: message };
      if (attempts < handler.maxAttempts && !(reason instanceof Hopeless)) {
        const dueAt = now() + handler.backoff(attempts, reason);
        return writeJob(commit, job, { ...failed, state: "waiting", dueAt });
      }
      writeJob(commit, job, { ...failed, state: "dead" });
      await handler.bury?.(this.#service, commit, failed, message);
    });
  }
}
