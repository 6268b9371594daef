/** Changing a scheduled post by hand. What a person sets here no pass overwrites. */
import { atStep } from "../../media/overlays/steps.ts";
import { printOverlay } from "../../creations/overlay.ts";
import type { StoredCreation } from "../../creations/shape.ts";
import { readStored } from "../../creations/store.ts";
import { iso } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { audit } from "../../kv/audit.ts";
import { transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { HandField, isByHand } from "../hand.ts";
import type { Item } from "../item_list.ts";
import { requireSlot, type StoredSeries, type StoredSlot } from "../records.ts";
import { slotNow } from "../recipe.ts";
import { noteCreations } from "../slot_rows.ts";
import { moveSlot, requireMove } from "../states.ts";
import { accountIdOf, requireSeriesOf } from "../steering.ts";
import { captioned, captionFor } from "./caption.ts";
import { contentFrom } from "./content.ts";
import type { ItemFields } from "./item_rules.ts";
import { requireFuture, requireOwnAccount, requireOwnImages } from "./item_rules.ts";
import { currentCreations } from "./settle.ts";
import type { WrittenCaption } from "./writing.ts";

/**
 * Changes a planned, ready or held post.
 * @param by who does it, for the post's history
 * @param waits whether changed content waits for approval from now on
 * @throws ServiceError `conflict` where it is too late, `validationError`, `serviceUnavailable` when a
 *   caption has to be written and the text model does not answer
 */
export async function editSlot(
  service: Service,
  { slot: found, series }: Item,
  edit: ItemFields,
  by: string,
  waits = false,
): Promise<StoredSlot> {
  const { kv } = service;
  requireEditable(found);
  if (fieldsOf(edit).length === 0) return found;
  const slot = slotNow(series, found);
  if (edit.scheduledFor !== undefined) requireFuture(edit.scheduledFor, service.now());
  await requireOwnAccount(kv, slot.brandId, edit.socialAccountId ?? null, slot.format);
  const images = edit.creationIds !== undefined
    ? await requireOwnImages(kv, slot.brandId, edit.creationIds, slot.format)
    // What a planned post has are the images that it was sent back for.
    : slot.status === "planned"
    ? []
    : await currentCreations(kv, slot);
  const written = await textFor(service, slot, series, edit);
  // Images that are put in place get the overlay that a person has set on the post.
  const hasOthers = edit.creationIds !== undefined && edit.overlay === undefined;
  const overlay = hasOthers ? slot.overlay : edit.overlay;
  if (overlay !== undefined) await printAll(service, images, overlay);
  return await transact(kv, async (commit) => {
    const current = await requireSeriesOf(commit, found);
    const stored = await requireSlot(commit, found.brandId, found.seriesId, found.id);
    requireEditable(stored);
    const changed = edited(slotNow(current, stored), edit, written);
    const creations = await readStored(kv, stored.brandId, changed.creationIds);
    const isOnlyMoved = fieldsOf(edit).every((field) => field === "scheduledFor");
    const held = waits && !isOnlyMoved ? { ...changed, needsApproval: true } : changed;
    const next = withoutStaleParts(stored, held, creations, current);
    if (edit.creationIds !== undefined) noteCreations(commit, stored, edit.creationIds);
    const cause = `Changed by ${by}: ${fieldsOf(edit).join(", ")}.`;
    const note = { at: service.now(), cause };
    audit(commit, service, { action: "item.changed", of: stored.brandId, subject: stored.id });
    if (!isReadyNow(stored, next, edit, creations)) {
      return moveSlot(commit, stored, "edit", note, next);
    }
    const cured = { ...next, error: null, heldFor: null, regenerated: false };
    return moveSlot(commit, stored, "prepare", note, cured);
  });
}

/** Refuses where a change would come too late. @throws ServiceError `conflict` */
function requireEditable(slot: StoredSlot): void {
  requireMove(slot, "edit");
  if (slot.publication?.outcome !== "unknown") return;
  throw new ServiceError(
    "conflict",
    "It is not known whether this post is public already, so it can't be changed. Publish it as " +
      "it is to find out, or skip it.",
  );
}

const fieldsOf = (edit: ItemFields) =>
  HandField.options.filter((field) => edit[field] !== undefined);

/** A text for images that a person provides to a post that has none. */
async function textFor(
  service: Service,
  slot: StoredSlot,
  series: StoredSeries | null,
  edit: ItemFields,
): Promise<WrittenCaption | null> {
  const isMissing = slot.caption === "" && !isByHand(slot, "caption") && edit.caption === undefined;
  return edit.creationIds !== undefined && isMissing
    ? await captionFor(service, series, slot)
    : null;
}

async function printAll(
  service: Service,
  images: StoredCreation[],
  overlay: NonNullable<ItemFields["overlay"]> | null,
): Promise<void> {
  for (const [index, image] of images.entries()) {
    const own = atStep(overlay, index + 1, images.length);
    const isPrinted = JSON.stringify(image.overlay) === JSON.stringify(own);
    if (image.status === "complete" && !isPrinted) await printOverlay(service, image, own);
  }
}

/** The slot with what the person set. */
function edited(slot: StoredSlot, edit: ItemFields, written: WrittenCaption | null): StoredSlot {
  const { caption, hashtags, scheduledFor, overlay, altText, creationIds, socialAccountId } = edit;
  const isTextFree = slot.caption === "" && !isByHand(slot, "caption");
  const text = written === null || !isTextFree ? {} : captioned(slot, written);
  const next: StoredSlot = {
    ...slot,
    ...text,
    ...caption === undefined ? {} : { caption, decision: { ...slot.decision, draft: false } },
    ...hashtags === undefined ? {} : { hashtags },
    ...overlay === undefined ? {} : { overlay },
    ...altText === undefined ? {} : { altText },
    ...socialAccountId === undefined ? {} : { accountId: socialAccountId },
    byHand: [...new Set([...slot.byHand ?? [], ...fieldsOf(edit)])],
  };
  if (creationIds !== undefined) {
    next.creationIds = creationIds;
    next.images = creationIds.length;
    next.generation = slot.generation + 1;
  }
  if (scheduledFor !== undefined) {
    next.plannedFor = slot.plannedFor ?? slot.scheduledFor;
    next.scheduledFor = iso(Date.parse(scheduledFor));
  }
  return next;
}

/** An approval, and what is known of an attempt to publish, hold for the content that they were for. */
function withoutStaleParts(
  before: StoredSlot,
  after: StoredSlot,
  creations: StoredCreation[],
  series: StoredSeries | null,
): StoredSlot {
  const hash = contentFrom(after, creations, accountIdOf(after, series))?.hash ?? null;
  const approval = before.approval?.contentHash === hash ? before.approval : null;
  const content = before.publication?.content;
  const isOther = content !== undefined && content.hash !== hash;
  return { ...after, approval, publication: isOther ? null : before.publication };
}

/**
 * Whether nothing keeps the post from being published at its time any more: it has got its images, or
 * the caption or the time for want of which it was held.
 */
function isReadyNow(
  before: StoredSlot,
  after: StoredSlot,
  edit: ItemFields,
  creations: StoredCreation[],
): boolean {
  if (edit.creationIds !== undefined) return true;
  if (before.status !== "held" || contentFrom(after, creations, null) === null) return false;
  return (before.heldFor === "late" && edit.scheduledFor !== undefined) ||
    (before.heldFor === "captionFailed" && edit.caption !== undefined);
}
