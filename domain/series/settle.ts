/** Settling a slot: once its images are terminal it gets its caption and is ready, or is held. */
import { readCreation } from "../creations/store.ts";
import type { StoredCreation } from "../creations/shape.ts";
import { isTerminal } from "../creations/shape.ts";
import { type Commit, reader, transact } from "../kv.ts";
import type { Service } from "../service.ts";
import { captionFor } from "./caption.ts";
import { holdSlot } from "./hold.ts";
import { readSlot, seriesKey, type StoredSeries, type StoredSlot } from "./records.ts";
import { moveSlot } from "./states.ts";

export interface SlotRef {
  brandId: string;
  seriesId: string;
  slotId: string;
}

/** Adds to the commit that takes effect: the end of the job that asked for it. */
export type Finish = (commit: Commit) => Promise<void>;

/**
 * Moves the slot on when all images of its last generation are terminal; else there is nothing to do
 * yet. @throws ServiceError `serviceUnavailable` when the text model does not answer
 */
export async function settleSlot(service: Service, ref: SlotRef, finish: Finish): Promise<void> {
  const { kv } = service;
  const slot = await readSlot(reader(kv), ref.brandId, ref.seriesId, ref.slotId);
  const series = (await kv.get<StoredSeries>(seriesKey(ref.brandId, ref.seriesId))).value;
  if (slot === null || series === null || !isWaiting(slot)) return;
  const creations = await currentCreations(kv, slot);
  if (!creations.every(isTerminal)) return;
  const failed = creations.filter(({ status }) => status === "failed");
  if (failed.length > 0) {
    if (slot.status === "held") return;
    return await holdFailed(service, slot, failed, finish);
  }
  const text = slot.caption === "" ? await captionFor(service, series, slot) : null;
  await transact(kv, async (commit) => {
    const stored = await sameGeneration(commit, slot);
    if (stored === null) return;
    const cause = slot.images === 1 ? "The image is there." : "All images are there.";
    moveSlot(commit, stored, "settle", { at: service.now(), cause }, {
      ...text,
      error: null,
      heldFor: null,
    });
    await finish(commit);
  });
}

/** The caption could not be written for good: a person can ask for it again. */
export async function holdWithoutCaption(
  service: Service,
  commit: Commit,
  ref: SlotRef,
  reason: string,
): Promise<void> {
  const slot = await readSlot(commit, ref.brandId, ref.seriesId, ref.slotId);
  if (slot === null || slot.status !== "generating") return;
  await holdSlot(service, commit, slot, {
    reason: "captionFailed",
    error: `The images are there, but no caption could be written: ${reason} Ask for a caption, ` +
      "then publish.",
  });
}

/** The creations of the slot's last generation, in order. */
export async function currentCreations(
  kv: Deno.Kv,
  { brandId, creationIds }: StoredSlot,
): Promise<StoredCreation[]> {
  const creations = await Promise.all(creationIds.map((id) => readCreation(kv, brandId, id)));
  return creations.filter((creation) => creation !== null);
}

/** Its images are on their way, or one that had failed was retried. */
function isWaiting({ status, heldFor }: StoredSlot): boolean {
  return status === "generating" || (status === "held" && heldFor === "generationFailed");
}

async function holdFailed(
  service: Service,
  slot: StoredSlot,
  failed: StoredCreation[],
  finish: Finish,
): Promise<void> {
  await transact(service.kv, async (commit) => {
    const stored = await sameGeneration(commit, slot);
    if (stored === null) return;
    const [{ id, error } = { id: "", error: null }] = failed;
    const all = slot.images === 1
      ? "The image failed"
      : `${failed.length} of ${slot.images} images failed`;
    await holdSlot(service, commit, stored, {
      reason: "generationFailed",
      error: `${all}: ${error ?? "no reason is known."} Retry ${
        failed.length === 1 ? `creation ${id}` : "the failed creations"
      }, or regenerate the slot.`,
    });
    await finish(commit);
  });
}

/** The slot as it is now, if it still waits for the images that were looked at. */
async function sameGeneration(commit: Commit, slot: StoredSlot): Promise<StoredSlot | null> {
  const stored = await readSlot(commit, slot.brandId, slot.seriesId, slot.id);
  const same = stored !== null && isWaiting(stored) && stored.generation === slot.generation;
  return same ? stored : null;
}
