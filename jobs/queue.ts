/** Runs durable jobs: claims by lease, retries by a pure back-off, keeps the dead visible. */
import { DAY, SECOND } from "../domain/calendar.ts";
import { type Job, jobKey, writeJob } from "../domain/jobs.ts";
import { type Commit, transact } from "../domain/kv.ts";
import { faultFields } from "../domain/log.ts";
import type { Service } from "../domain/service.ts";

/** A lease outlives a stall, yet a killed process's work goes on within a minute. */
export const LEASE_MS = 30 * SECOND;
const RENEW_MS = 10 * SECOND;
/** How often due jobs are looked for without a wake-up: other processes' jobs, lost leases. */
const SWEEP_MS = 2 * SECOND;
const SCAN = 100;

export interface Handler {
  /** How many of this kind one process runs at once. */
  concurrency: number;
  /** Failed attempts after which the job is dead. */
  maxAttempts: number;
  /** Milliseconds to wait after failed attempt number `attempt` (from 1). */
  backoff(attempt: number): number;
  run(service: Service, run: JobRun): Promise<void>;
  /** Lets the domain object say why, in the commit that buries the job. */
  bury?(service: Service, commit: Commit, job: Job, reason: string): Promise<void>;
}

export type Handlers = Record<string, Handler>;

/** Thrown by a handler to run again at an instant of its choice without spending an attempt. */
export class Postponed extends Error {
  override readonly name = "Postponed";
  readonly until: number;
  /** @param until instant, ms */
  constructor(until: number, message = "postponed") {
    super(message);
    this.until = until;
  }
}

/** Thrown by a handler whose failure another try can't mend. */
export class Hopeless extends Error {
  override readonly name = "Hopeless";
}

/** What a pass's job did, by name. */
export type Counts = Record<string, number>;

/** Where a job leaves its counts for the pass named by its subject's `passId`. */
export function reportKey(passId: string, ...jobId: string[]): Deno.KvKey {
  return ["passReport", passId, ...jobId];
}

const REPORT_LIVES_MS = DAY;

class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** One claimed job. Finish it in the commit of its effect; else it is finished after `run`. */
export class JobRun {
  readonly job: Job;
  readonly signal: AbortSignal;
  /** Counted up by the handler; the pass that added the job reads it. */
  readonly counts: Counts = {};
  finished = false;

  constructor(job: Job, signal: AbortSignal) {
    this.job = job;
    this.signal = signal;
  }

  /** Removes the job in `commit`; the commit fails if another worker has taken it over. */
  async finish(commit: Commit): Promise<void> {
    writeJob(commit, await this.#mine(commit), null);
    this.report(commit);
    commit.after(() => this.finished = true);
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  /** Leaves the counts for the pass that added the job. */
  report(commit: Commit): void {
    const passId = this.job.subject["passId"];
    if (passId === undefined) return;
    commit.set(reportKey(passId, this.job.id), this.counts, { expireIn: REPORT_LIVES_MS });
  }

  /** Makes `commit` fail if another worker has taken the job over. */
  async hold(commit: Commit): Promise<void> {
    await this.#mine(commit);
  }

  async #mine(commit: Commit): Promise<Job> {
    const stored = await commit.get<Job>(jobKey(this.job.id));
    if (stored === null || stored.lease !== this.job.lease) throw new LeaseLost(this.job.id);
    return stored;
  }
}

interface Running {
  kind: string;
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
  #stopped = false;

  constructor(service: Service, handlers: Handlers) {
    this.#service = service;
    this.#handlers = handlers;
  }

  /** Wakes on added jobs and sweeps every two seconds until `stop`. */
  start(): void {
    this.#stopListening = this.#service.jobs.onWake(() => this.wake());
    this.wake();
  }

  /** Looks for due jobs now. */
  wake(): void {
    if (this.#stopped) return;
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

  /** Runs everything that is due, and what that makes due, until nothing is: for tests and passes. */
  async drain(): Promise<void> {
    for (;;) {
      await this.#scan();
      const running = [...this.#running.values()];
      if (running.length === 0) return;
      await Promise.race(running.map((run) => run.done));
    }
  }

  /** Takes no more jobs, gives running ones `graceMs` to end, then hands them back. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#stopListening?.();
    clearTimeout(this.#timer);
    await this.#scanning;
    const running = [...this.#running.values()];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const grace = new Promise<void>((done) => timer = setTimeout(done, graceMs));
    await Promise.race([Promise.all(running.map((run) => run.done)), grace]);
    clearTimeout(timer);
    for (const run of this.#running.values()) run.abort.abort(new Postponed(this.#service.now()));
    await Promise.all([...this.#running.values()].map((run) => run.done));
  }

  async #scan(): Promise<void> {
    const { kv, now } = this.#service;
    const at = now();
    const full = new Set<string>();
    const due = kv.list<string>({ prefix: ["due"], end: ["due", at + 1] }, { batchSize: SCAN });
    for await (const { key, value: kind } of due) {
      const id = String(key[2]);
      const handler = this.#handlers[kind];
      if (handler === undefined || full.has(kind) || this.#running.has(id)) continue;
      if (this.#countRunning(kind) >= handler.concurrency) {
        full.add(kind);
        continue;
      }
      const job = await this.#claim(id);
      if (job !== null) this.#start(job, handler);
    }
  }

  #countRunning(kind: string): number {
    let count = 0;
    for (const run of this.#running.values()) if (run.kind === kind) count++;
    return count;
  }

  /** Takes a due job, or one whose lease has run out; null when another worker was faster. */
  #claim(id: string): Promise<Job | null> {
    const { kv, now } = this.#service;
    return transact(kv, async (commit) => {
      const job = await commit.get<Job>(jobKey(id));
      if (job === null || job.state === "dead" || job.dueAt > now()) return null;
      const lease = crypto.randomUUID();
      const claimed: Job = { ...job, state: "running", lease, dueAt: now() + LEASE_MS };
      writeJob(commit, job, claimed);
      return claimed;
    });
  }

  #start(job: Job, handler: Handler): void {
    const abort = new AbortController();
    const done = this.#run(job, handler, abort).finally(() => {
      this.#running.delete(job.id);
      this.wake();
    });
    this.#running.set(job.id, { kind: job.kind, done, abort });
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
        const dueAt = now() + handler.backoff(attempts);
        return writeJob(commit, job, { ...failed, state: "waiting", dueAt });
      }
      writeJob(commit, job, { ...failed, state: "dead" });
      await handler.bury?.(this.#service, commit, failed, message);
    });
  }
}

/** Exponential back-off from `first` ms, at most `most` ms. */
export function exponential(first: number, most: number): (attempt: number) => number {
  return (attempt) => Math.min(most, first * 2 ** (attempt - 1));
}
