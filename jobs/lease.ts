/** Leases: a running job belongs to its worker for a short time, which the worker renews. */
import { SECOND } from "../domain/foundation/calendar.ts";
import { faultFields } from "../domain/foundation/log.ts";
import { writeJob } from "../domain/kv/jobs/records.ts";
import { transact } from "../domain/kv/transact.ts";
import type { Service } from "../domain/service/service.ts";
import { type JobRun, LeaseLost } from "./job_run.ts";

/** Long enough to survive a stall, short enough that a killed process's work resumes in a minute. */
export const LEASE_MS = 30 * SECOND;
const RENEW_MS = 10 * SECOND;

/** Renews the job's lease until disposed; aborts the run when another worker holds the lease. */
export function keepLease(service: Service, run: JobRun, abort: AbortController): AsyncDisposable {
  let renewed = Promise.resolve();
  const timer = setInterval(() => {
    renewed = renewed.then(() => renew(service, run, abort));
  }, RENEW_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      // A renewal under way must not touch the store after the worker has stopped.
      await renewed;
    },
  };
}

async function renew(
  { kv, now, log }: Service,
  run: JobRun,
  abort: AbortController,
): Promise<void> {
  try {
    await transact(kv, async (commit) => {
      const job = await run.requireLease(commit);
      writeJob(commit, job, { ...job, dueAt: now() + LEASE_MS });
    });
  } catch (error) {
    if (!(error instanceof LeaseLost)) {
      log.warn("job.renew", { job: run.job.id, ...faultFields(error) });
    } else if (!run.finished) abort.abort(error);
  }
}
