/** Publishes a claimed slot; resumes where an earlier attempt or a killed process stopped. */
import { MINUTE, SECOND } from "../domain/foundation/calendar.ts";
import type { Job } from "../domain/kv/jobs/job.ts";
import { giveUp, publishSlot } from "../domain/series/making/publishing.ts";
import type { SlotRef } from "../domain/series/making/settle.ts";
import { exponential, type Handler, Snooze } from "./handler.ts";

export const publishSlotJob: Handler<"publishSlot"> = {
  concurrency: 8,
  maxAttempts: 5,
  backoff: exponential(5 * SECOND, 5 * MINUTE),
  async run(service, run) {
    const again = await publishSlot(service, slotOf(run.job), (commit) => run.finish(commit));
    if (again !== null) throw new Snooze(again);
  },
  onDead: (service, commit, job, reason) => giveUp(service, commit, slotOf(job), reason),
};

export function slotOf({ brandId, subject }: Job<"publishSlot" | "settleSlot">): SlotRef {
  return { brandId, ...subject };
}
