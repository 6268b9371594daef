/** Settling a slot: once each of its images is complete or failed, it becomes ready or is held. */
import { readStored } from "../../creations/store.ts";
import type { StoredCreation } from "../../creations/shape.ts";
import { isTerminal } from "../../creations/shape.ts";
import { type Commit, reader, transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { captioned, captionFor } from "./caption.ts";
import { holdSlot } from "./hold.ts";
import { isByHand } from "../hand.ts";
import { readSlot, type StoredSeries, type StoredSlot } from "../records.ts";
import { seriesOf } from "../steering.ts";
import { captionTwin, pictureTwin } from "./twins.ts";
import type { WrittenCaption } from "./writing.ts";
import { moveSlot } from "../states.ts";

/** Of the local writer's draws about half are too alike in a series of many months. */
const LOCAL_TRIES = 40;

export interface SlotRef {
  brandId: string;
  seriesId: string | null;
  slotId: string;
}

/** Adds the end of the job that asked for it to the commit that takes effect. */
export type Finish = (commit: Commit) => Promise<void>;

/**
 * Writes the caption and makes the slot ready, or holds it when an image failed. Does nothing while an
 * image is still being made.
 * @throws ServiceError `serviceUnavailable` when the text model does not answer
 */
export async function settleSlot(service: Service, ref: SlotRef, finish: Finish): Promise<void> {
  const { kv } = service;
  const slot = await readSlot(reader(kv), ref.brandId, ref.seriesId, ref.slotId);
  if (slot === null || !isWaiting(slot)) return;
  const series = await seriesOf(reader(kv), slot);
  const creations = await currentCreations(kv, slot);
  if (!creations.every(isTerminal)) return;
  const failed = creations.filter(({ status }) => status === "failed");
  if (failed.length > 0) {
    if (slot.status === "held") return;
    return await holdFailed(service, slot, failed, finish);
  }
  const { written, twin } = await textOf(service, series, slot, creations);
  await transact(kv, async (commit) => {
    const stored = await sameGeneration(commit, slot);
    if (stored === null) return;
    const cause = slot.images === 1 ? "The image is complete." : "All images are complete.";
    const text = written === null || !isTextMissing(stored) ? {} : captioned(stored, written);
    const change = { ...text, error: null, heldFor: null };
    if (twin === null) moveSlot(commit, stored, "settle", { at: service.now(), cause }, change);
    else await holdSlot(service, commit, stored, { reason: "twin", known: twin }, change);
    await finish(commit);
  });
}

/** The caption, null when the slot has one, and the post that the slot is too much like. */
async function textOf(
  service: Service,
  series: StoredSeries | null,
  slot: StoredSlot,
  creations: StoredCreation[],
): Promise<{ written: WrittenCaption | null; twin: Twin | null }> {
  // What a person schedules by itself may be like anything.
  const alike = series === null ? null : await pictureTwin(service, creations);
  const picture = alike === null ? null : { what: "picture", of: alike } as const;
  if (!isTextMissing(slot)) return { written: null, twin: picture };
  let written = await captionFor(service, series, slot);
  if (series === null) return { written, twin: null };
  let of = await captionTwin(service, series, slot, written.caption);
  // A model gets one more try. The local writer costs nothing, so it draws a few times.
  const tries = written.draft ? LOCAL_TRIES : 1;
  for (let again = 1; again <= tries && of !== null; again++) {
    // Another number gives the local writer another draw.
    const before = { ...slot, caption: written.caption, events: slot.events + again };
    written = await captionFor(service, series, before);
    of = await captionTwin(service, series, slot, written.caption);
  }
  return { written, twin: picture ?? (of === null ? null : { what: "caption", of }) };
}

interface Twin {
  what: "caption" | "picture";
  of: StoredSlot;
}

/** Whether a text has to be written: a person may also have decided that there is none. */
const isTextMissing = (slot: StoredSlot) => slot.caption === "" && !isByHand(slot, "caption");

/** Holds a slot whose caption could not be written after all tries, so that a person asks for it again. */
export async function holdWithoutCaption(
  service: Service,
  commit: Commit,
  ref: SlotRef,
  reason: string,
): Promise<void> {
  const slot = await readSlot(commit, ref.brandId, ref.seriesId, ref.slotId);
  if (slot === null || slot.status !== "generating") return;
  await holdSlot(service, commit, slot, { reason: "captionFailed", known: { words: reason } });
}

/** The creations of the slot's last generation, in order. */
export function currentCreations(
  kv: Deno.Kv,
  { brandId, creationIds }: StoredSlot,
): Promise<StoredCreation[]> {
  return readStored(kv, brandId, creationIds);
}

/** Whether the slot's images are being made, or may be complete after a retry of those that failed. */
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
    const known = { failed, images: slot.images };
    await holdSlot(service, commit, stored, { reason: "generationFailed", known });
    await finish(commit);
  });
}

/** The slot as stored now, or null when it no longer waits for the images that were read. */
async function sameGeneration(commit: Commit, slot: StoredSlot): Promise<StoredSlot | null> {
  const stored = await readSlot(commit, slot.brandId, slot.seriesId, slot.id);
  const same = stored !== null && isWaiting(stored) && stored.generation === slot.generation;
  return same ? stored : null;
}
