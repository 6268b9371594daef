/** Makes a slot's images now, by hand, instead of waiting for the pass. */
import { spend } from "../brands/budgets.ts";
import { SECOND } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { IdempotencyKey, type KeyedRequest, recordMade, replayOf } from "../kv/idempotency.ts";
import { type Commit, reader } from "../kv/transact.ts";
import { keyed } from "./once.ts";
import { type Context, operation, Replayed } from "./operation.ts";
import { type Made, makeImages } from "../series/making/make.ts";
import type { StoredSeries, StoredSlot } from "../series/records.ts";
import {
  AnyItem,
  anywhere,
  inSeries,
  type ItemRef,
  requireItem,
  requireTouchable,
  SeriesItem,
} from "./item_address.ts";
import { currentCreations } from "../series/making/settle.ts";
import { Slot } from "../series/shape.ts";
import { showSlot } from "../series/making/view.ts";
import { awaitMoved } from "../series/states.ts";

/** How long the answer waits for the images. Real time, because the client waits with it. */
const WAIT = 60 * SECOND;

const GENERATE = {
  summary: "Make a planned slot's images and caption now. Debits one credit an image.",
  description: "For a planned slot, or a held one without images. Waits up to 60 seconds for the " +
    "images and answers the slot as it is then. With an idempotency key a repeated call makes " +
    "and debits nothing.",
  scopes: ["createWrite"],
  costs: "credit",
  errors: ["notFound", "conflict", "creditsExhausted"],
  output: Slot,
} as const;

export const generateItem = operation({
  ...GENERATE,
  id: "generateItem",
  group: "Series items",
  input: SeriesItem.extend({ idempotencyKey: IdempotencyKey.optional() }),
  run: async (context, { idempotencyKey, ...input }) => {
    const request = await keyed(context, "generateItem", idempotencyKey, input);
    return await generate(context, inSeries(input), request);
  },
});

export const generateItemById = operation({
  ...GENERATE,
  id: "generateItemById",
  group: "Items",
  input: AnyItem.extend({ idempotencyKey: IdempotencyKey.optional() }),
  run: async (context, { idempotencyKey, ...input }) => {
    const request = await keyed(context, "generateItemById", idempotencyKey, input);
    return await generate(context, anywhere(input), request);
  },
});

async function generate(
  context: Context,
  ref: ItemRef,
  request: KeyedRequest | null,
): Promise<Slot | Replayed<Slot>> {
  const { kv, brand, key, now } = context;
  const item = await requireItem(reader(kv), brand.id, ref);
  const { slot, series } = item;
  if (request !== null && await replayOf(reader(kv), request) !== null) {
    return new Replayed(await showSlot(context, slot, series));
  }
  requireTouchable(key, item);
  await requireNoImages(context, slot);
  const made = await makeImages(context, brand, slot, async (commit, next) => {
    const ordered = requireOrdered(series, next);
    await spend(commit, key, now(), "credits", ordered.creationIds.length);
    if (request === null) return;
    await refuseSecond(commit, request);
    recordMade(commit, request, slot.id);
  });
  if (made === null) throw budgetSpent(series);
  const moved = await awaitMoved(context, made, WAIT);
  return await showSlot(context, moved ?? made, series);
}

/** Of two simultaneous calls with one key, the later finds the earlier one's record. */
async function refuseSecond(commit: Commit, request: KeyedRequest): Promise<void> {
  if (await replayOf(commit, request) === null) return;
  throw new ServiceError("conflict", "This post's images are being made already.");
}

async function requireNoImages({ kv }: Context, slot: StoredSlot): Promise<void> {
  const images = await currentCreations(kv, slot);
  if (slot.status !== "held" || images.every(({ status }) => status === "failed")) return;
  throw new ServiceError("conflict", "This post has its images. Regenerate it for new ones.");
}

/** Refuses where the pass would hold or drop the slot, so that the slot stays as it is. */
function requireOrdered(series: StoredSeries | null, made: Made): StoredSlot {
  if (made === null || made.heldFor === "budgetSpent") throw budgetSpent(series);
  if (made.heldFor === "creditsExhausted") {
    throw new ServiceError("creditsExhausted", made.error ?? "No image credits are left.");
  }
  return made;
}

function budgetSpent(series: StoredSeries | null): ServiceError {
  return new ServiceError(
    "conflict",
    `The series' budget of ${series?.creditBudgetMonthly} credits this month does not cover this ` +
      "post. Raise creditBudgetMonthly.",
  );
}
