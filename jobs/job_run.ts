/** One claimed job, as its handler sees it. */
import { DAY } from "../domain/foundation/calendar.ts";
import type { Job } from "../domain/kv/jobs/job.ts";
import type { JobKind } from "../domain/kv/jobs/kinds.ts";
import { afresh, readJob, removeJob, writeJob } from "../domain/kv/jobs/records.ts";
import type { Commit } from "../domain/kv/transact.ts";
import { type Counts, reportKey } from "./pass.ts";

const KEEP_REPORT_MS = DAY;

/** Another worker holds the job's lease by now, so this run must have no effect. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** A handler finishes the job in the commit of its effect; otherwise it is finished after `run`. */
export class JobRun<Kind extends JobKind = JobKind> {
  readonly job: Job<Kind>;
  /** Aborts when the worker stops or the lease is lost. */
  readonly signal: AbortSignal;
  /** Counted up by the handler; the pass that added the job reads it. */
  readonly counts: Counts = {};
  #finished = false;

  constructor(job: Job<Kind>, signal: AbortSignal) {
    this.job = job;
    this.signal = signal;
  }

  get finished(): boolean {
    return this.#finished;
  }

  /**
   * Removes the job in `commit`, or lets it wait for the run that was asked for meanwhile.
   * @throws LeaseLost
   */
  async finish(commit: Commit): Promise<void> {
    const job = await this.requireLease(commit);
    if (job.again === undefined) removeJob(commit, job);
    else writeJob(commit, job, afresh(job, job.again));
    this.report(commit);
    commit.after(() => this.#finished = true);
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  /** Leaves the counts for the pass that added the job, if one did. */
  report(commit: Commit): void {
    const { id, subject } = this.job;
    if (!("passId" in subject)) return;
    commit.set(reportKey(subject.passId, id), this.counts, { expireIn: KEEP_REPORT_MS });
  }

  /** The job as stored, while this run holds its lease. @throws LeaseLost */
  async requireLease(commit: Commit): Promise<Job> {
    const stored = await readJob(commit, this.job.id);
    if (stored === null || stored.lease !== this.job.lease) throw new LeaseLost(this.job.id);
    return stored;
  }
}
