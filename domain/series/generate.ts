/** Making a slot's images now, by hand, instead of waiting for the pass. */
import { z } from "zod";
import { SECOND } from "../calendar.ts";
import { ServiceError } from "../errors.ts";
import { IdempotencyKey, recordMade, replayOf } from "../idempotency.ts";
import { type Commit, reader } from "../kv.ts";
import { type Context, operation, Replayed } from "../operation.ts";
import { type Made, makeImages } from "./make.ts";
import { requireSeries, requireSlot, type StoredSeries, type StoredSlot } from "./records.ts";
import { currentCreations } from "./settle.ts";
import { Slot } from "./shape.ts";
import { showSlot } from "./view.ts";
import { awaitMoved } from "./wait.ts";

/** How long the answer waits for the images; real time, for a client that holds the line. */
const WAIT = 60 * SECOND;

export const generateItem = operation({
  id: "generateItem",
  group: "Series items",
  summary: "Make a planned slot's images and caption now. Debits one credit an image.",
  description: "For a planned slot, or a held one without images. Waits up to 60 seconds for the " +
    "images and answers the slot as it is then. With an idempotency key a repeated call makes " +
    "and debits nothing.",
  scopes: ["createWrite"],
  costs: "credit",
  errors: ["notFound", "conflict", "creditsExhausted"],
  input: z.object({
    id: z.string().describe("The series."),
    itemId: z.string(),
    idempotencyKey: IdempotencyKey.optional(),
  }),
  output: Slot,
  run: async (context, { id, itemId, idempotencyKey }) => {
    const { kv, brand, now } = context;
    const series = await requireSeries(reader(kv), brand.id, id);
    const slot = await requireSlot(reader(kv), brand.id, id, itemId);
    const request = idempotencyKey === undefined ? null : {
      brandId: brand.id,
      operation: "generateItem",
      key: idempotencyKey,
      input: { id, itemId },
      at: now(),
    };
    if (request !== null && await replayOf(reader(kv), request) !== null) {
      return new Replayed(await showSlot(context, slot));
    }
    await requireNoImages(context, slot);
    const made = await makeImages(context, brand, slot, async (commit, next) => {
      requireMade(series, next);
      if (request === null) return;
      await refuseSecond(commit, request);
      recordMade(commit, request, slot.id);
    });
    // A slot that was dropped has been refused.
    return await showSlot(context, await awaitMoved(context, made!, WAIT) ?? made!);
  },
});

/** Two calls with one key at once: the later one finds the earlier one's record. */
async function refuseSecond(
  commit: Commit,
  request: Parameters<typeof replayOf>[1],
): Promise<void> {
  if (await replayOf(commit, request) === null) return;
  throw new ServiceError("conflict", "This slot's images are being made already.");
}

async function requireNoImages({ kv }: Context, slot: StoredSlot): Promise<void> {
  const images = await currentCreations(kv, slot);
  if (slot.status !== "held" || images.every(({ status }) => status === "failed")) return;
  throw new ServiceError("conflict", "This slot has its images; regenerate it for new ones.");
}

/** What the pass would hold or drop is refused here, and the slot stays as it was. */
function requireMade(series: StoredSeries, made: Made): void {
  if (made?.heldFor === "creditsExhausted") {
    throw new ServiceError("creditsExhausted", made.error!);
  }
  if (made === null || made.heldFor === "budgetSpent") {
    throw new ServiceError(
      "conflict",
      `The series' budget of ${series.creditBudgetMonthly} credits this month does not cover ` +
        "this slot; raise creditBudgetMonthly.",
    );
  }
}
