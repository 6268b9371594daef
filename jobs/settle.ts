/** Settles a slot whose images have become terminal: caption and ready, or held. */
import { MINUTE, SECOND } from "../domain/calendar.ts";
import { isRefusal } from "../domain/models/write.ts";
import { holdWithoutCaption, settleSlot } from "../domain/series/settle.ts";
import { slotOf } from "./publish.ts";
import { exponential, type Handler, Hopeless } from "./queue.ts";

export const settleSlotJob: Handler = {
  concurrency: 8,
  maxAttempts: 5,
  backoff: exponential(10 * SECOND, 5 * MINUTE),
  async run(service, run) {
    try {
      await settleSlot(service, slotOf(run.job), (commit) => run.finish(commit));
    } catch (error) {
      throw isRefusal(error) ? new Hopeless((error as Error).message) : error;
    }
  },
  bury: (service, commit, job, reason) => holdWithoutCaption(service, commit, slotOf(job), reason),
};
