/** Settles a slot whose images have become terminal: caption and ready, or held. */
import { MINUTE, SECOND } from "../domain/calendar.ts";
import { holdWithoutCaption, settleSlot } from "../domain/series/settle.ts";
import { slotOf } from "./publish.ts";
import { exponential, type Handler } from "./queue.ts";

export const settleSlotJob: Handler = {
  concurrency: 8,
  maxAttempts: 5,
  backoff: exponential(10 * SECOND, 5 * MINUTE),
  run: (service, run) => settleSlot(service, slotOf(run.job), (commit) => run.finish(commit)),
  bury: (service, commit, job, reason) => holdWithoutCaption(service, commit, slotOf(job), reason),
};
