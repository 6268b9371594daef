/** Publishes a claimed slot, and goes on where an earlier try or a killed process left off. */
import { MINUTE, SECOND } from "../domain/calendar.ts";
import type { Job } from "../domain/jobs.ts";
import { giveUp, publishSlot } from "../domain/series/publishing.ts";
import type { SlotRef } from "../domain/series/settle.ts";
import { exponential, type Handler, Postponed } from "./queue.ts";

export const publishSlotJob: Handler = {
  concurrency: 8,
  maxAttempts: 5,
  backoff: exponential(5 * SECOND, 5 * MINUTE),
  async run(service, run) {
    const again = await publishSlot(service, slotOf(run.job), (commit) => run.finish(commit));
    if (again !== null) throw new Postponed(again);
  },
  bury: (service, commit, job, reason) => giveUp(service, commit, slotOf(job), reason),
};

export function slotOf({ brandId, subject }: Job): SlotRef {
  return { brandId: brandId!, seriesId: subject["seriesId"]!, slotId: subject["slotId"]! };
}
