/** Making a slot's images: prompts first, then credits, creations and the slot's move in one commit. */
import type { Brand } from "../brands.ts";
import { snapshotCast } from "../cast.ts";
import type { CastSnapshot } from "../creations/shape.ts";
import { addCreations, type NewCreationRequest } from "../creations/add.ts";
import { ServiceError } from "../errors.ts";
import { readKit } from "../kit.ts";
import { type Commit, reader, transact } from "../kv.ts";
import { composePrompt } from "../prompts.ts";
import type { Service } from "../service.ts";
import { count } from "../text.ts";
import { ideasOf, overlaysOf } from "./brief.ts";
import { hasBudget } from "./budget.ts";
import { holdSlot } from "./hold.ts";
import { type Recipe, recipeNow } from "./recipe.ts";
import {
  requireSeries,
  requireSlot,
  seriesKey,
  slotCreationKey,
  type StoredSeries,
  type StoredSlot,
} from "./records.ts";
import { moveSlot, requireMove } from "./states.ts";
import { dropSlot, isUnmade } from "./strategy.ts";

/** Null: the slot was dropped, since the month's budget no longer covers it. */
export type Made = StoredSlot | null;

/**
 * Orders the images of a planned slot, or of a held one without images.
 * @throws ServiceError `serviceUnavailable` when the text model does not answer; nothing has changed
 */
export async function makeImages(
  service: Service,
  brand: Brand,
  slot: StoredSlot,
  also: (commit: Commit, made: Made) => Promise<void> | void = () => {},
): Promise<Made> {
  const { kv } = service;
  requireMove(slot, "generate");
  // Read here: a review, or the slots before this one, may have taken the caller minutes.
  const series = await requireSeries(reader(kv), brand.id, slot.seriesId);
  const cast = await liveCast(kv, series);
  const recipe = recipeNow(series, slot);
  const requests = await requestsFor(service, series, recipe, cast);
  return await transact(kv, async (commit) => {
    const current = await requireSeries(commit, brand.id, series.id);
    const stored = await requireSlot(commit, brand.id, series.id, slot.id);
    requireMove(stored, "generate");
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

/** Only with images of the recipe a slot becomes what the recipe says: old ones stay what they are. */
async function order(
  service: Service,
  commit: Commit,
  brand: Brand,
  series: StoredSeries,
  slot: StoredSlot,
  { recipe, requests }: Order,
): Promise<Made> {
  const at = service.now();
  if (!(await hasBudget(commit, series, at, requests.length))) {
    if (isUnmade(slot)) return dropUnpaid(commit, series, slot);
    return await holdSlot(service, commit, slot, {
      reason: "budgetSpent",
      error: `The series' budget of ${series.creditBudgetMonthly} credits this month does not ` +
        `cover ${
          count(requests.length, "credit")
        } more. Raise creditBudgetMonthly and regenerate the slot, ` +
        "or regenerate it next month.",
    });
  }
  try {
    const ref = { seriesId: series.id, slotId: slot.id };
    const creations = await addCreations(service, commit, brand, requests, ref);
    for (const { id } of creations) commit.set(slotCreationKey(brand.id, slot.id, id), null);
    const cause = `${count(creations.length, "credit")} debited; ${
      creations.length === 1 ? "an image is" : `${creations.length} images are`
    } being made.`;
    return moveSlot(commit, slot, "generate", { at, cause }, {
      ...recipe,
      generation: slot.generation + 1,
      creationIds: creations.map(({ id }) => id),
      error: null,
      heldFor: null,
      publication: null,
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "creditsExhausted") throw error;
    return await holdSlot(service, commit, slot, {
      reason: "creditsExhausted",
      error: `No image was made: ${error.message} Then regenerate the slot.`,
    });
  }
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

/** The series' cast member while it is live; a retired one leaves the series to its inspiration. */
function liveCast(kv: Deno.Kv, { brandId, castMemberId }: StoredSeries) {
  if (castMemberId === null) return null;
  return snapshotCast(reader(kv), brandId, castMemberId);
}

async function requestsFor(
  service: Service,
  series: StoredSeries,
  recipe: Recipe,
  cast: CastSnapshot | null,
): Promise<NewCreationRequest[]> {
  const kit = await readKit(service.kv, series.brandId);
  const overlays = overlaysOf(series, recipe);
  const { inspirationAssetIds } = series;
  return await Promise.all(
    ideasOf(series, recipe).map(async (idea, at) => ({
      prompt: await composePrompt(service, { kit, cast, idea }),
      idea,
      aspectRatio: recipe.aspectRatio,
      overlay: overlays[at] ?? null,
      castMemberId: cast?.id ?? null,
      // Without a set of its own the brand's newest inspiration serves.
      inspirationAssetIds: inspirationAssetIds.length > 0 ? inspirationAssetIds : undefined,
    })),
  );
}
