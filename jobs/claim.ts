/** Claiming a due job, or one whose lease has expired: check-and-set, so one worker gets it. */
import { isStray, jobIdOf } from "../domain/kv/jobs/indexes.ts";
import { isOf, type Job } from "../domain/kv/jobs/job.ts";
import type { JobKind } from "../domain/kv/jobs/kinds.ts";
import { readJob, writeJob } from "../domain/kv/jobs/records.ts";
import { type Commit, transact } from "../domain/kv/transact.ts";
import type { Service } from "../domain/service/service.ts";
import type { Handler } from "./handler.ts";
import { LEASE_MS } from "./lease.ts";

/** A job that has lost so many leases is what kills its workers: it is given up. */
export const MOST_LOST_LEASES = 5;

/**
 * Claims the job for this worker; null when there is nothing to claim any more.
 * @param entry the key of the index under which the job was found
 */
export function claim<Kind extends JobKind>(
  service: Service,
  kind: Kind,
  entry: Deno.KvKey,
  handler: Handler<Kind>,
): Promise<Job<Kind> | null> {
  return transact(service.kv, async (commit) => {
    const job = await readJob(commit, jobIdOf(entry));
    // When another worker was faster, the entry is gone already.
    if (isStray(entry, job) && await commit.get(entry) !== null) {
      commit.delete(entry);
      if (job !== null) writeJob(commit, job, job);
    }
    const at = service.now();
    if (job === null || !isOf(kind, job) || job.state === "dead" || job.dueAt > at) return null;
    const lostLeases = job.lostLeases + (job.state === "running" ? 1 : 0);
    if (lostLeases > MOST_LOST_LEASES) {
      await giveUp(service, commit, { ...job, lostLeases }, handler);
      return null;
    }
    const claimed: Job<Kind> = {
      ...job,
      state: "running",
      lostLeases,
      startedAt: job.startedAt ?? at,
      lease: crypto.randomUUID(),
      dueAt: at + LEASE_MS,
    };
    writeJob(commit, job, claimed);
    return claimed;
  });
}

async function giveUp<Kind extends JobKind>(
  service: Service,
  commit: Commit,
  job: Job<Kind>,
  handler: Handler<Kind>,
): Promise<void> {
  const error = `Given up: the process ended ${job.lostLeases} times while this ran.`;
  const dead: Job<Kind> = { ...job, lease: null, error, state: "dead" };
  writeJob(commit, job, dead);
  await handler.onDead?.(service, commit, dead, error);
}
