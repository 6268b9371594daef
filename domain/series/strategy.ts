/** How a review takes effect: its playbook is adopted and what it no longer stands for is dropped. */
import type { Commit } from "../kv.ts";
import type { Service } from "../service.ts";
import type { StoredReview } from "../strategist/shape.ts";
import {
  listSlots,
  LOOK_BACK,
  newestSlot,
  readSlot,
  requireSeries,
  seriesKey,
  slotKey,
  type StoredSeries,
  type StoredSlot,
  type Strategy,
  strategyKey,
} from "./records.ts";
import { slotEventKey } from "./states.ts";

/**
 * Puts the review's playbook in force in the commit that stores the review; planned slots without
 * images are dropped, so that the next pass plans by it.
 */
export async function adoptPlaybook(
  service: Pick<Service, "kv">,
  commit: Commit,
  { brandId, id }: Pick<StoredSeries, "brandId" | "id">,
  review: StoredReview,
): Promise<void> {
  const series = await requireSeries(commit, brandId, id);
  const strategy: Strategy = {
    reviewId: review.id,
    reviewedAt: Date.parse(review.createdAt),
    playbook: review.playbook,
    allocation: review.allocation,
  };
  commit.set(strategyKey(brandId, id), strategy);
  const next = await dropPlanned(service, commit, series);
  if (next !== series) commit.set(seriesKey(brandId, id), next);
}

/**
 * Deletes planned slots that have no images yet, all or those of before `until` (ms); answers the
 * series to be written, changed or not.
 */
export async function dropPlanned(
  { kv }: Pick<Service, "kv">,
  commit: Commit,
  series: StoredSeries,
  until = Infinity,
): Promise<StoredSeries> {
  const isDropped = (slot: StoredSlot) => isUnmade(slot) && Date.parse(slot.scheduledFor) <= until;
  const { brandId, id: seriesId } = series;
  const newest = await newestSlot(kv, brandId, seriesId);
  if (newest === null) return series;
  // Not from the present instant: in a long pause the newest slot grows old, too.
  const from = Date.parse(newest.scheduledFor) - LOOK_BACK;
  let dropped = 0;
  for (const { id } of (await listSlots(kv, brandId, seriesId, { from })).filter(isDropped)) {
    const slot = await readSlot(commit, brandId, seriesId, id);
    if (slot === null || !isDropped(slot)) continue;
    dropSlot(commit, slot);
    dropped++;
  }
  if (dropped === 0) return series;
  return { ...series, slotsPlanned: series.slotsPlanned - dropped, drops: series.drops + 1 };
}

/** Planned, and neither were images ordered for it nor did a person ask for it. */
export function isUnmade(
  { status, generation, regenerated }: Pick<StoredSlot, "status" | "generation" | "regenerated">,
): boolean {
  return status === "planned" && generation === 0 && !regenerated;
}

/** Deletes one slot and its story. */
export function dropSlot(commit: Commit, slot: StoredSlot): void {
  commit.delete(slotKey(slot.brandId, slot.seriesId, slot.id));
  for (let number = 1; number <= slot.events; number++) commit.delete(slotEventKey(slot, number));
}
