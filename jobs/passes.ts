/** Runs the scheduled passes: each adds durable jobs, waits for them and reports what they did. */
import { iso } from "../domain/foundation/calendar.ts";
import { faultFields } from "../domain/foundation/log.ts";
import { countUp } from "../domain/foundation/telemetry.ts";
import {
  claimPass,
  duePasses,
  finishPass,
  notePassAdded,
  type PassName,
} from "../domain/kv/passes.ts";
import type { Service } from "../domain/service/service.ts";
import { type Counts, type PassRun, reportKey } from "./pass.ts";
import { addFirstPages, awaitJobs } from "./pass_pages.ts";
import { PASSES } from "./pass_table.ts";
import type { Worker } from "./worker.ts";

/** The second round publishes the first one's images that were due already. */
const MOST_ROUNDS = 2;

interface PassOptions {
  brandId?: string | undefined;
  byHand?: boolean;
}

export type PassReport = { pass: PassName; startedAt: string; finishedAt: string } & Counts;

/**
 * Runs a pass now and waits for the work it started; without a worker, another process does it. A
 * pass over all brands is recorded as finished, also when run by hand, because it has done what the
 * schedule is for. A pass over one brand leaves the schedule as it is.
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
    const run: PassRun = { passId: crypto.randomUUID(), brandId, byHand, round };
    if (!(await runRound(service, worker, name, run, counts))) break;
  }
  if (brandId === null) await finishPass(kv, name, now());
  return {
    pass: name,
    startedAt: iso(startedAt),
    finishedAt: iso(now()),
    ...counts,
  } as PassReport;
}

/** One round over what is due now; returns true when another is worthwhile. */
async function runRound(
  service: Service,
  worker: Worker | null,
  name: PassName,
  run: PassRun,
  counts: Counts,
): Promise<boolean> {
  await addFirstPages(service, name, run);
  if (run.brandId === null && !run.byHand) await notePassAdded(service.kv, name);
  worker?.wake();
  await awaitJobs(service, run.passId);
  const reports = service.kv.list<Counts>({ prefix: reportKey(run.passId) }, { batchSize: 500 });
  for await (const { value } of reports) {
    for (const [what, count] of Object.entries(value)) counts[what] = (counts[what] ?? 0) + count;
  }
  return await PASSES[name].awaitStarted?.(service, run, counts) ?? false;
}

/** Runs every pass of `look` that no other process has claimed; never rejects. */
export async function runDuePasses(
  service: Service,
  worker: Worker,
  look: () => Promise<PassName[]> = () => duePasses(service.kv, service.now()),
): Promise<void> {
  try {
    const due = await look();
    const run = (name: PassName) => runDuePass(service, worker, name);
    const isDue = (...names: PassName[]) => names.some((name) => due.includes(name));
    // Side by side, because a platform that makes the metrics pass wait must not delay publishing. The
    // digest comes right after the metrics; while another process reads those, it is left to a later call.
    await Promise.all([
      isDue("series") ? run("series") : null,
      (isDue("metrics") ? run("metrics") : Promise.resolve())
        .then(() => isDue("metrics", "digest") ? run("digest") : null),
    ]);
  } catch (error) {
    service.log.error("pass", faultFields(error));
  }
}

/** Runs a pass unless it is not due after all; never rejects. */
async function runDuePass(service: Service, worker: Worker, name: PassName): Promise<void> {
  try {
    if (!(await claimPass(service.kv, name, service.now()))) return;
    const report = await runPass(service, worker, name);
    service.log.info("pass", { ...report });
    countUp("marquee.passes", { "marquee.pass": name, "marquee.end": "finished" });
  } catch (error) {
    // A process that ends leaves the pass unfinished; whoever is next runs it again.
    if (service.stopping.aborted) return;
    service.log.error("pass", { pass: name, ...faultFields(error) });
    countUp("marquee.passes", { "marquee.pass": name, "marquee.end": "failed" });
  }
}
