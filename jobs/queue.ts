/** What kinds of jobs promise to the worker, and what one claimed job can do. */
import { DAY } from "../domain/calendar.ts";
import { afresh, type Job, jobKey, writeJob } from "../domain/jobs.ts";
import type { Commit } from "../domain/kv.ts";
import type { Service } from "../domain/service.ts";

export interface Handler {
  /** How many of this kind one process runs at once. */
  concurrency: number | ((service: Service) => number);
  /** How many of these one brand may hold, for kinds for which brands take turns; absent: all. */
  perBrand?: number;
  /** Failed attempts after which the job is dead. */
  maxAttempts: number;
  /** Milliseconds to wait after failed attempt number `attempt` (from 1); pure. */
  backoff(attempt: number, reason?: unknown): number;
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

/** Another worker has the job by now: this one must leave no effect. */
export class LeaseLost extends Error {
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

  /**
   * Removes the job in `commit`, or lets it wait for the run that was asked for meanwhile; the commit
   * fails if another worker has taken it over.
   */
  async finish(commit: Commit): Promise<void> {
    const job = await this.#mine(commit);
    writeJob(commit, job, job.again === undefined ? null : afresh(job, job.again));
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

/** Exponential back-off from `first` ms, at most `most` ms. */
export function exponential(first: number, most: number): (attempt: number) => number {
  return (attempt) => Math.min(most, first * 2 ** (attempt - 1));
}
