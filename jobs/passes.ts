/** Runs the scheduled passes: each fans out durable jobs and reports what they did. */
import { type Job, jobKey } from "../domain/jobs.ts";
import { getEach, listValues } from "../domain/kv.ts";
import { faultFields } from "../domain/log.ts";
import { claimPass, finishPass, LONGEST, notePassAdded, type PassName } from "../domain/passes.ts";
import type { Service } from "../domain/service.ts";
import { addDigests } from "./digest.ts";
import { fanOutMetrics } from "./refresh_metrics.ts";
import { seriesPass } from "./series_pass.ts";
import { type Counts, reportKey } from "./queue.ts";
import type { Worker } from "./worker.ts";

export interface PassRun {
  /** Goes into the subject of the pass's jobs as `passId`, so that their reports find back. */
  passId: string;
  /** Only this brand; null: all. */
  brandId: string | null;
  /** Run by hand rather than by schedule. */
  byHand: boolean;
}

export interface Pass {
  /** The counts it reports, at zero. */
  counts: Counts;
  /** Adds the pass's jobs and answers their ids; what it counts itself goes into `counts`. */
  fanOut(service: Service, run: PassRun, counts: Counts): Promise<string[]>;
  /**
   * Waits for what those jobs started in turn, once they have ended, and counts it. True: what came
   * of it makes another round worth while.
   */
  settle?(service: Service, run: PassRun, counts: Counts): Promise<boolean>;
}

/** What each pass does. Data only. */
export const PASSES: Record<PassName, Pass> = {
  metrics: {
    counts: { accounts: 0, posts: 0, readings: 0, failed: 0 },
    fanOut: fanOutMetrics,
  },
  series: seriesPass,
  digest: { counts: { sent: 0, skipped: 0 }, fanOut: addDigests },
};

const POLL_MS = 50;
/** Images that were due already are published in the second round. */
const MOST_ROUNDS = 2;

export interface PassOptions {
  brandId?: string | undefined;
  byHand?: boolean;
}

export type PassReport = { pass: PassName; startedAt: string; finishedAt: string } & Counts;

/**
 * Runs a pass now and waits for the work it started; without a worker, another process does it.
 * Over all brands it counts as finished, by hand too: what the schedule is for has been done. Over
 * one brand it says nothing about the schedule.
 */
export async function runPass(
  service: Service,
  worker: Worker | null,
  name: PassName,
  options: PassOptions = {},
): Promise<PassReport> {
  const { kv, now } = service;
  const startedAt = now();
  const { brandId = null, byHand = false } = options;
  const counts = { ...PASSES[name].counts };
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const run: PassRun = { passId: crypto.randomUUID(), brandId, byHand };
    if (!(await runRound(service, worker, name, run, counts))) break;
  }
  if (brandId === null) await finishPass(kv, name, now());
  return {
    pass: name,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(now()).toISOString(),
    ...counts,
  } as PassReport;
}

/** One round: what is due now. True when another is worth while. */
async function runRound(
  service: Service,
  worker: Worker | null,
  name: PassName,
  run: PassRun,
  counts: Counts,
): Promise<boolean> {
  const jobIds = await PASSES[name].fanOut(service, run, counts);
  if (run.brandId === null && !run.byHand) await notePassAdded(service.kv, name);
  worker?.wake();
  await settled(service, run.passId, jobIds);
  for (const report of await listValues<Counts>(service.kv, reportKey(run.passId))) {
    for (const [what, count] of Object.entries(report)) counts[what] = (counts[what] ?? 0) + count;
  }
  return await PASSES[name].settle?.(service, run, counts) ?? false;
}

/** Runs every pass that is due and that no other process has taken. */
export async function runDuePasses(service: Service, worker: Worker): Promise<void> {
  const run = async (name: PassName) => {
    try {
      if (!(await claimPass(service.kv, name, service.now()))) return;
      const report = await runPass(service, worker, name);
      service.log.info("pass", { ...report });
    } catch (error) {
      service.log.error("pass", { pass: name, ...faultFields(error) });
    }
  };
  // Side by side: a platform that makes the metrics pass wait must not keep slots from going out.
  // The digest right behind the metrics; while another process reads them, the next sweep asks again.
  await Promise.all([run("series"), run("metrics").then(() => run("digest"))]);
}

/** Jobs that are looked at in one go: many reads at once would keep other requests waiting. */
const LOOK_AT = 20;

/** Waits until each job has reported, is gone or dead, or was put off. */
async function settled(service: Service, passId: string, jobIds: string[]): Promise<void> {
  const giveUpAt = performance.now() + LONGEST;
  for (let from = 0; from < jobIds.length; from += LOOK_AT) {
    let open = jobIds.slice(from, from + LOOK_AT);
    while (open.length > 0 && performance.now() < giveUpAt) {
      open = await stillOpen(service, passId, open);
      if (open.length > 0) await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }
}

async function stillOpen({ kv, now }: Service, passId: string, ids: string[]): Promise<string[]> {
  const jobs = await getEach<Job>(kv, ids.map(jobKey));
  const reports = await getEach(kv, ids.map((id) => reportKey(passId, id)));
  return ids.filter((_, at) => {
    const job = jobs[at];
    if (!job || job.state === "dead" || reports[at] !== null) return false;
    return job.state === "running" || (job.attempts === 0 && job.dueAt <= now());
  });
}
