/** How a review takes effect: its playbook is put in force and planned slots without images are dropped. */
import type { Commit } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import { isUnmade } from "./facts.ts";
import type { StoredReview } from "./playbook.ts";
import {
  LOOK_BACK,
  requireSeries,
  seriesKey,
  slotsVersionKey,
  type StoredSeries,
  type StoredSlot,
  type Strategy,
  strategyKey,
} from "./records.ts";
import { listSlots, newestSlot } from "./slot_list.ts";
import { deleteSlot } from "./slot_rows.ts";
import { slotEventKey } from "./states.ts";

/**
 * Puts the review's playbook in force, in the commit that stores the review or returns to it. The next
 * review is due a week after `at` (ms). Drops planned slots without
 * images, so that the next pass plans by the new playbook.
 */
export async function adoptPlaybook(
  service: Pick<Service, "kv">,
  commit: Commit,
  { brandId, id }: Pick<StoredSeries, "brandId" | "id">,
  review: StoredReview,
  at = Date.parse(review.createdAt),
): Promise<void> {
  const series = await requireSeries(commit, brandId, id);
  const strategy: Strategy = {
    reviewId: review.id,
    reviewedAt: at,
    playbook: review.playbook,
    allocation: review.allocation,
  };
  commit.set(strategyKey(brandId, id), strategy);
  const next = await dropPlanned(service, commit, series);
  if (next !== series) commit.set(seriesKey(brandId, id), next);
}

/**
 * Deletes the planned slots without images up to `until` (ms). Returns the series, which the caller
 * writes if it was changed.
 */
export async function dropPlanned(
  { kv }: Pick<Service, "kv">,
  commit: Commit,
  series: StoredSeries,
  until = Infinity,
): Promise<StoredSeries> {
  const { brandId, id: seriesId } = series;
  await commit.get(slotsVersionKey(brandId, seriesId));
  const newest = await newestSlot(kv, brandId, seriesId);
  if (newest === null) return series;
  // Counts back from the newest slot, because in a long pause all slots become old.
  const from = Date.parse(newest.scheduledFor) - LOOK_BACK;
  const dropped = (await listSlots(kv, brandId, seriesId, { from }))
    .filter((slot) => isUnmade(slot) && Date.parse(slot.scheduledFor) <= until);
  if (dropped.length === 0) return series;
  for (const slot of dropped) dropSlot(commit, slot);
  return { ...series, slotsPlanned: series.slotsPlanned - dropped.length, drops: series.drops + 1 };
}

/** Deletes one slot and its events. */
export function dropSlot(commit: Commit, slot: StoredSlot): void {
  deleteSlot(commit, slot);
  for (let number = 1; number <= slot.events; number++) commit.delete(slotEventKey(slot, number));
}
