/** Making a slot's images: writes the prompts, then debits and orders in one commit. */
import type { Brand } from "../../brands/brands.ts";
import { snapshotCast } from "../../creations/cast.ts";
import { addCreations, type NewCreationRequest } from "../../creations/add.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { readKit } from "../../brands/kit.ts";
import { audit } from "../../kv/audit.ts";
import { type Commit, reader, transact } from "../../kv/transact.ts";
import { composePrompt } from "../../creations/prompts.ts";
import type { Service } from "../../service/service.ts";
import { count } from "../../foundation/text.ts";
import { atStep } from "../../media/overlays/steps.ts";
import { ideaOf, overlaysOf, viewsOf } from "./brief.ts";
import { toldSlot } from "./topics.ts";
import { hasBudget } from "../budget.ts";
import { holdSlot } from "./hold.ts";
import { type Recipe, recipeNow, slotNow } from "../recipe.ts";
import { requireSlot, seriesKey, type StoredSeries, type StoredSlot } from "../records.ts";
import { noteCreations } from "../slot_rows.ts";
import { requireSeriesOf } from "../steering.ts";
import { readPrompt } from "../../creations/store.ts";
import { currentCreations } from "./settle.ts";
import { moveSlot, requireMove } from "../states.ts";
import { isUnmade } from "../facts.ts";
import { dropSlot } from "../strategy.ts";

/** Null when the slot was dropped because the month's budget no longer covers it. */
export type Made = StoredSlot | null;

/**
 * Orders the images of a planned slot, or of a held one without images.
 * @throws ServiceError `serviceUnavailable` when the text model does not answer; then nothing has
 *   changed
 */
export async function makeImages(
  service: Service,
  brand: Brand,
  slot: StoredSlot,
  also: (commit: Commit, made: Made) => Promise<void> | void = () => {},
): Promise<Made> {
  const { kv } = service;
  requireMove(slot, "generate");
  // Reads the series again because a review, or the slots before this one, may have taken minutes.
  const series = await requireSeriesOf(reader(kv), slot);
  const { recipe, requests } = series === null
    ? { recipe: recipeOf(slot), requests: await requestsAgain(kv, slot) }
    : await orderFrom(service, series, slot);
  return await transact(kv, async (commit) => {
    const current = await requireSeriesOf(commit, slot);
    const stored = await requireSlot(commit, brand.id, slot.seriesId, slot.id);
    requireMove(stored, "generate");
    requireUnchanged(slot, stored);
    const made = await order(service, commit, brand, current, stored, { recipe, requests });
    await also(commit, made);
    return made;
  });
}

interface Order {
  recipe: Recipe;
  /** One for each image. */
  requests: NewCreationRequest[];
}

/** Stores the recipe together with the order, so that a slot never claims a recipe its images lack. */
async function order(
  service: Service,
  commit: Commit,
  brand: Brand,
  series: StoredSeries | null,
  slot: StoredSlot,
  { recipe, requests }: Order,
): Promise<Made> {
  const at = service.now();
  if (series !== null && !(await hasBudget(commit, series, at, requests.length))) {
    if (isUnmade(slot)) return dropUnpaid(commit, series, slot);
    const known = { budget: series.creditBudgetMonthly ?? 0, credits: requests.length };
    return await holdSlot(service, commit, slot, { reason: "budgetSpent", known });
  }
  try {
    const ref = { seriesId: slot.seriesId, slotId: slot.id };
    const creations = await addCreations(service, commit, brand, requests, ref);
    audit(commit, service, { action: "item.ordered", of: brand.id, subject: slot.id });
    const creationIds = creations.map(({ id }) => id);
    noteCreations(commit, slot, creationIds);
    return moveSlot(commit, slot, "generate", { at, cause: orderedCause(creations.length) }, {
      ...recipe,
      generation: slot.generation + 1,
      creationIds,
      error: null,
      heldFor: null,
      publication: null,
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "creditsExhausted") throw error;
    const known = { words: error.message };
    return await holdSlot(service, commit, slot, { reason: "creditsExhausted", known });
  }
}

/** Why a slot's images are being made, as its history tells it. */
export function orderedCause(images: number): string {
  return `${count(images, "credit")} debited; ${
    images === 1 ? "an image is" : `${images} images are`
  } being made.`;
}

/** What a person changed while the prompts were being written is not in them. */
function requireUnchanged(before: StoredSlot, stored: StoredSlot): void {
  if (stored.events === before.events) return;
  throw new ServiceError("conflict", "The post was changed meanwhile. Try again.");
}

const recipeOf = ({ format, aspectRatio, images, decision }: StoredSlot): Recipe => ({
  format,
  aspectRatio,
  images,
  decision,
});

/** A one-off post has no recipe: its new images have the prompts of the last ones. */
async function requestsAgain(kv: Deno.Kv, slot: StoredSlot): Promise<NewCreationRequest[]> {
  const last = await currentCreations(kv, slot);
  return await Promise.all(last.map(async (creation, index) => {
    const { id, brandId, idea, castMemberId, inspirationAssetIds } = creation;
    const cast = castMemberId === null
      ? null
      : await snapshotCast(reader(kv), brandId, castMemberId);
    return {
      prompt: await readPrompt(kv, brandId, id),
      idea,
      aspectRatio: slot.aspectRatio,
      overlay: slot.overlay === undefined
        ? creation.overlay
        : atStep(slot.overlay, index + 1, last.length),
      castMemberId: cast?.id ?? null,
      inspirationAssetIds: inspirationAssetIds ?? undefined,
    };
  }));
}

function dropUnpaid(commit: Commit, series: StoredSeries, slot: StoredSlot): null {
  dropSlot(commit, slot);
  const { slotsPlanned, drops } = series;
  commit.set(seriesKey(series.brandId, series.id), {
    ...series,
    slotsPlanned: slotsPlanned - 1,
    drops: drops + 1,
  });
  return null;
}

/** The series' cast member; null when there is none or it was retired. */
function liveCast(kv: Deno.Kv, { brandId, castMemberId }: StoredSeries) {
  if (castMemberId === null) return null;
  return snapshotCast(reader(kv), brandId, castMemberId);
}

async function orderFrom(
  service: Service,
  series: StoredSeries,
  slot: StoredSlot,
): Promise<Order> {
  const { kv } = service;
  const cast = await liveCast(kv, series);
  const recipe = recipeNow(series, await toldSlot(service, series, slotNow(series, slot)));
  const kit = await readKit(reader(kv), series.brandId);
  const overlays = slot.overlay === undefined ? overlaysOf(series, recipe) : Array.from(
    { length: recipe.images },
    (_, index) => atStep(slot.overlay ?? null, index + 1, recipe.images),
  );
  const { inspirationAssetIds } = series;
  const idea = ideaOf(series, recipe);
  // One scene, seed and palette for all images: a carousel is one story.
  const prompt = await composePrompt(service, { kit, cast, idea });
  const requests = viewsOf(recipe).map((view, index) => ({
    prompt: view === "" ? prompt : `${prompt} ${view}`,
    idea: view === "" ? idea : `${idea} ${view}`,
    aspectRatio: recipe.aspectRatio,
    overlay: overlays[index] ?? null,
    castMemberId: cast?.id ?? null,
    seed: view === "" ? undefined : `${slot.id} ${slot.generation + 1}`,
    // Undefined: a series that names no inspiration uses the brand's newest.
    inspirationAssetIds: inspirationAssetIds.length > 0 ? inspirationAssetIds : undefined,
  }));
  return { recipe, requests };
}
