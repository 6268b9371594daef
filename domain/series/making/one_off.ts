/** One-off posts: scheduled by hand, of no series, with images of their own or ordered by prompts. */
import type { Brand } from "../../brands/brands.ts";
import { addCreations, type NewCreationRequest } from "../../creations/add.ts";
import { atStep } from "../../media/overlays/steps.ts";
import { printOverlay } from "../../creations/overlay.ts";
import type { StoredCreation } from "../../creations/shape.ts";
import type { AspectRatio } from "../../media/images/aspect.ts";
import { iso } from "../../foundation/calendar.ts";
import { idOf } from "../../foundation/ids.ts";
import { cutAtWord } from "../../foundation/text.ts";
import { type Commit, transact } from "../../kv/transact.ts";
import type { SeriesFormat } from "../../platforms/contract/format.ts";
import type { Service } from "../../service/service.ts";
import { HandField } from "../hand.ts";
import { ratioOf } from "../format.ts";
import { NEW_SLOT } from "../new_slot.ts";
import type { StoredSlot } from "../records.ts";
import { noteCreations } from "../slot_rows.ts";
import { addSlot, moveSlot } from "../states.ts";
import { captioned, captionFor } from "./caption.ts";
import { type ItemFields, requireOwnImages } from "./item_rules.ts";
import { orderedCause } from "./make.ts";

const IDEA_LENGTH = 2_000;
const DIRECTION_LENGTH = 200;
const RATIO: AspectRatio = "portrait";

export interface NewOneOff {
  format: SeriesFormat;
  /** Images to be made, one for each prompt; null: `fields.creationIds` are its images. */
  prompts: string[] | null;
  needsApproval: boolean;
  fields: ItemFields;
  /** Who schedules it, for its history. */
  by: string;
}

/** Reads and writes more in the commit that stores the post. Returns the id of an earlier one, or null. */
type Also = (commit: Commit, slot: StoredSlot) => Promise<string | null>;

/**
 * Stores a one-off post and, for prompts, debits and orders its images in the same commit. Returns the id
 * of an earlier one in its place if `also` knows one.
 * @throws ServiceError `validationError`, `conflict`, `creditsExhausted`; `serviceUnavailable` when a
 *   caption has to be written and the text model does not answer
 */
export async function addOneOff(
  service: Service,
  brand: Brand,
  wanted: NewOneOff,
  also: Also,
): Promise<StoredSlot | string> {
  return wanted.prompts === null
    ? await addReady(service, brand, wanted, also)
    : await addOrdered(service, brand, wanted, wanted.prompts, also);
}

async function addReady(
  service: Service,
  brand: Brand,
  wanted: NewOneOff,
  also: Also,
): Promise<StoredSlot | string> {
  const { creationIds = [], overlay, caption } = wanted.fields;
  const images = await requireOwnImages(service.kv, brand.id, creationIds, wanted.format);
  const slot: StoredSlot = {
    ...newSlot(service.now(), brand.id, wanted, images[0]?.idea ?? "", ratioIn(images)),
    status: "ready",
    images: images.length,
    generation: 1,
    creationIds,
  };
  const written = caption === undefined ? await captionFor(service, null, slot) : null;
  const text = written === null
    ? {}
    : { ...captioned(slot, written), ...ownHashtags(wanted.fields) };
  if (overlay !== undefined) {
    for (const [index, image] of images.entries()) {
      await printOverlay(service, image, atStep(overlay, index + 1, images.length));
    }
  }
  return await transact(service.kv, async (commit) => {
    const earlier = await also(commit, slot);
    if (earlier !== null) return earlier;
    noteCreations(commit, slot, creationIds);
    const note = { at: service.now(), cause: `Scheduled by ${wanted.by}, with its images.` };
    return addSlot(commit, { ...slot, ...text }, note);
  });
}

const ownHashtags = ({ hashtags }: ItemFields) => hashtags === undefined ? {} : { hashtags };

async function addOrdered(
  service: Service,
  brand: Brand,
  wanted: NewOneOff,
  prompts: string[],
  also: Also,
): Promise<StoredSlot | string> {
  const slot = newSlot(service.now(), brand.id, wanted, prompts[0] ?? "", RATIO);
  const requests = prompts.map((prompt, index): NewCreationRequest => ({
    prompt,
    idea: cutAtWord(prompt, IDEA_LENGTH),
    aspectRatio: slot.aspectRatio,
    overlay: atStep(wanted.fields.overlay ?? null, index + 1, prompts.length),
  }));
  return await transact(service.kv, async (commit) => {
    const earlier = await also(commit, slot);
    if (earlier !== null) return earlier;
    const ref = { seriesId: null, slotId: slot.id };
    const creations = await addCreations(service, commit, brand, requests, ref);
    const creationIds = creations.map(({ id }) => id);
    noteCreations(commit, slot, creationIds);
    const at = service.now();
    const planned = addSlot(commit, slot, { at, cause: `Scheduled by ${wanted.by}.` });
    return moveSlot(commit, planned, "generate", { at, cause: orderedCause(creations.length) }, {
      images: creations.length,
      generation: 1,
      creationIds,
    });
  });
}

function ratioIn([first]: StoredCreation[]): AspectRatio {
  return first?.aspectRatio ?? RATIO;
}

function newSlot(
  at: number,
  brandId: string,
  { format, fields, needsApproval }: NewOneOff,
  about: string,
  ratio: AspectRatio,
): StoredSlot {
  const scheduledFor = fields.scheduledFor === undefined ? at : Date.parse(fields.scheduledFor);
  const { overlay, altText = null, socialAccountId = null, caption = "", hashtags = [] } = fields;
  return {
    ...NEW_SLOT,
    id: idOf("slot", scheduledFor, crypto.getRandomValues(new Uint8Array(16))),
    brandId,
    seriesId: null,
    scheduledFor: iso(scheduledFor),
    format,
    aspectRatio: ratioOf(format, ratio),
    decision: {
      direction: cutAtWord(about, DIRECTION_LENGTH),
      overlayTemplate: overlay?.template ?? "none",
      rationale: "Scheduled by hand, as a post of no series.",
    },
    reviewId: null,
    images: 0,
    caption,
    hashtags,
    ...overlay === undefined ? {} : { overlay },
    altText,
    accountId: socialAccountId,
    needsApproval,
    byHand: HandField.options.filter((field) => fields[field] !== undefined),
    createdAt: iso(at),
  };
}
