/** The work of a serving process: its worker, and the passes that are due. */
import { duePasses, type PassName } from "../domain/kv/passes.ts";
import { SECOND } from "../domain/foundation/calendar.ts";
import { within } from "../domain/foundation/within.ts";
import type { Service } from "../domain/service/service.ts";
import { HANDLERS } from "./handlers.ts";
import { runDuePasses } from "./passes.ts";
import { Worker } from "./worker.ts";

export interface Work {
  worker: Worker;
  /**
   * Runs the passes and jobs that are due now and waits for them: Deno Deploy may stop an instance
   * as soon as its cron has returned.
   */
  runDue(): Promise<void>;
  /** Resolves once neither jobs nor passes touch the store any more; needs `stopping` aborted. */
  stop(graceMs: number): Promise<void>;
}

/** Jobs are waited for no longer, so that the cron returns before its next minute. */
const JOBS_MS = 55 * SECOND;

/** Starts the worker and runs what is overdue. */
export function startWork(service: Service): Work {
  const worker = new Worker(service, HANDLERS);
  const sweeps = new Set<Promise<void>>();
  let looking: Promise<PassName[]> | null = null;
  // The schedule has a cron for each pass, and all of them call at the same moment: one read for all.
  const look = () => looking ??= duePasses(service.kv, service.now()).finally(() => looking = null);
  const sweep = async () => {
    if (service.stopping.aborted) return;
    const passes = runDuePasses(service, worker, look);
    sweeps.add(passes);
    await passes.finally(() => sweeps.delete(passes));
  };
  const runDue = async () => {
    const giveUp = AbortSignal.timeout(JOBS_MS);
    await sweep();
    await within(JOBS_MS, worker.idle(AbortSignal.any([giveUp, service.stopping])));
  };
  const stop = async (graceMs: number) => {
    await Promise.all([worker.stop(graceMs), ...sweeps]);
  };
  worker.start();
  void sweep();
  return { worker, runDue, stop };
}
