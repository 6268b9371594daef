/** Runs one claimed job to its end: done, to be tried again later, or dead. */
import { faultFields, type Log } from "../domain/foundation/log.ts";
import { countUp, spanned } from "../domain/foundation/telemetry.ts";
import type { Job } from "../domain/kv/jobs/job.ts";
import type { JobKind } from "../domain/kv/jobs/kinds.ts";
import { afresh, writeJob } from "../domain/kv/jobs/records.ts";
import { transact } from "../domain/kv/transact.ts";
import type { Service } from "../domain/service/service.ts";
import { type Handler, NonRetryableError, Snooze, UndeliveredError } from "./handler.ts";
import { JobRun, LeaseLost } from "./job_run.ts";
import { keepLease } from "./lease.ts";

/** What became of one run. `lost`: another worker has the job, or it could not be put back. */
type End = "done" | "again" | "dead" | "lost";

/** Never rejects: what goes wrong is logged and decides what becomes of the job. */
export async function execute<Kind extends JobKind>(
  service: Service,
  job: Job<Kind>,
  handler: Handler<Kind>,
  abort: AbortController,
): Promise<void> {
  const facts = { "marquee.job": job.id, "marquee.kind": job.kind };
  await spanned(`job ${job.kind}`, facts, async (note) => {
    const ending = { "marquee.end": await runOnce(service, job, handler, abort) };
    note(ending);
    countUp("marquee.jobs", { "marquee.kind": job.kind, ...ending });
  }, { root: true });
}

async function runOnce<Kind extends JobKind>(
  service: Service,
  job: Job<Kind>,
  handler: Handler<Kind>,
  abort: AbortController,
): Promise<End> {
  const { kv, log } = service;
  const run = new JobRun(job, abort.signal);
  await using _lease = keepLease(service, run, abort);
  try {
    await handler.run(service, run);
    if (!run.finished) await transact(kv, (commit) => run.finish(commit));
    return "done";
  } catch (error) {
    if (error instanceof LeaseLost) return "lost";
    const reason = abort.signal.aborted ? abort.signal.reason : error;
    logFailure(log, job, reason);
    return await release(service, run, handler, reason).catch((fault) => {
      if (!(fault instanceof LeaseLost)) log.error("job.release", faultFields(fault));
      return "lost";
    });
  }
}

function logFailure(log: Log, { id: job, kind }: Job, reason: unknown): void {
  if (reason instanceof Snooze) return;
  if (reason instanceof UndeliveredError) {
    log.debug("job.undelivered", { job, kind, error: reason.message });
  } else log.warn("job.failed", { job, kind, ...faultFields(reason) });
}

/** Puts a job that was not finished back to be tried again, or makes it dead. */
async function release<Kind extends JobKind>(
  service: Service,
  run: JobRun<Kind>,
  handler: Handler<Kind>,
  reason: unknown,
): Promise<End> {
  const { kv, now } = service;
  return await transact(kv, async (commit): Promise<End> => {
    const stored = await run.requireLease(commit);
    run.report(commit);
    // Asked for again meanwhile: it starts afresh, however this run has ended.
    if (stored.again !== undefined) {
      writeJob(commit, stored, afresh(stored, stored.again));
      return "again";
    }
    const free: Job<Kind> = { ...run.job, lease: null };
    if (reason instanceof Snooze) {
      writeJob(commit, stored, { ...free, state: "waiting", dueAt: reason.until });
      return "again";
    }
    const attempts = free.attempts + 1;
    const error = reason instanceof Error ? reason.message : String(reason);
    const failed: Job<Kind> = { ...free, attempts, error };
    if (attempts < handler.maxAttempts && !(reason instanceof NonRetryableError)) {
      const dueAt = now() + handler.backoff(attempts, reason);
      writeJob(commit, stored, { ...failed, state: "waiting", dueAt });
      return "again";
    }
    const dead: Job<Kind> = { ...failed, state: "dead" };
    writeJob(commit, stored, dead);
    await handler.onDead?.(service, commit, dead, error);
    return "dead";
  });
}
