/** Settles a slot whose images are terminal: it gets its caption and is ready, or it is held. */
import { MINUTE, SECOND } from "../domain/foundation/calendar.ts";
import { isRefusal } from "../domain/models/write.ts";
import { holdWithoutCaption, settleSlot } from "../domain/series/making/settle.ts";
import { slotOf } from "./publish.ts";
import { exponential, type Handler, NonRetryableError } from "./handler.ts";

export const settleSlotJob: Handler<"settleSlot"> = {
  concurrency: 8,
  maxAttempts: 5,
  backoff: exponential(10 * SECOND, 5 * MINUTE),
  async run(service, run) {
    try {
      await settleSlot(service, slotOf(run.job), (commit) => run.finish(commit));
    } catch (error) {
      if (!(error instanceof Error) || !isRefusal(error)) throw error;
      throw new NonRetryableError(error.message);
    }
  },
  onDead: (service, commit, job, reason) =>
    holdWithoutCaption(service, commit, slotOf(job), reason),
};
