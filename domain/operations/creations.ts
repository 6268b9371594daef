/** The operations on creations (spec 4.6). */
import { z } from "zod";
import { requireMayTouch, spend } from "../brands/budgets.ts";
import { AspectRatio } from "../media/images/aspect.ts";
import { notFound } from "../foundation/errors.ts";
import { IdempotencyKey, recordKey, recordMade, replayOf } from "../kv/idempotency.ts";
import { audit } from "../kv/audit.ts";
import { reader, transact } from "../kv/transact.ts";
import { keyed } from "./once.ts";
import { type Context, operation, Replayed } from "./operation.ts";
import { requireAttended } from "./unattended.ts";
import { waitFor } from "./waiting.ts";
import { Overlay } from "../media/overlays/shape.ts";
import { Page, paginate, Pagination, perPage } from "../foundation/paging.ts";
import { Idea, Prompt } from "../creations/prompts.ts";
import { addCreations, addGeneration, chargeCredits, creationReads } from "../creations/add.ts";
import { printOverlay } from "../creations/overlay.ts";
import { Creation, FREE_RETRIES, move, type StoredCreation } from "../creations/shape.ts";
import {
  awaitTerminal,
  listPage,
  readCreations,
  readPrompt,
  removeCreation,
  requireCreation,
  showCreation,
  writeCreation,
} from "../creations/store.ts";

const GROUP = "Creations";
const MAX_WAIT_SECONDS = 60;

export const listCreations = operation({
  id: "listCreations",
  group: GROUP,
  summary: "List the brand's creations, newest first.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({ page: Page, perPage: perPage(24) }),
  output: z.object({ data: z.array(Creation), pagination: Pagination }),
  run: async (service, { page, perPage }) => {
    const { ids, total } = await listPage(service.kv, service.brand.id, page, perPage);
    return {
      data: await readCreations(service, service.brand.id, ids),
      pagination: paginate(page, perPage, total),
    };
  },
});

export const createCreation = operation({
  id: "createCreation",
  group: GROUP,
  summary: "Generate an image from a prompt. Debits one credit.",
  description: "The brand's base style and the cast member's look are added where the prompt " +
    "lacks them; the cast member's reference photos go along, and the brand's inspiration where " +
    "`useInspiration` asks for it. Answers at once with a pending creation: poll it with `wait`. Sent again with the same `Idempotency-Key` and body within " +
    "24 hours it answers 200 with the first creation and debits nothing; with another body 409.",
  scopes: ["createWrite"],
  costs: "credit",
  errors: ["creditsExhausted", "conflict"],
  input: z.object({
    prompt: Prompt,
    idea: Idea,
    aspectRatio: AspectRatio,
    castMemberId: z.string().nullable().default(null),
    overlay: Overlay.nullable().default(null),
    useInspiration: z.boolean().default(false).describe(
      "Whether the brand's newest inspiration images go along. The model then edits instead of " +
        "painting anew, which costs its provider more.",
    ),
    idempotencyKey: IdempotencyKey.optional(),
  }),
  output: Creation,
  run: async (service, { idempotencyKey, ...input }) => {
    const { kv, brand, now } = service;
    const { useInspiration, ...fields } = input;
    // Earlier versions stored the body without this field, which meant the same as false.
    const asStored = useInspiration ? input : fields;
    const request = await keyed(service, "createCreation", idempotencyKey, asStored);
    const made = await transact(kv, async (commit) => {
      const replay = request === null ? [] : [recordKey(request)];
      await commit.getMany([...replay, ...creationReads(brand.id, [input], now())]);
      const firstId = request === null ? null : await replayOf(commit, request);
      if (firstId !== null) return firstId;
      await spend(commit, service.key, now(), "credits", 1);
      // One request adds one creation.
      const creation = (await addCreations(service, commit, brand, [input]))[0]!;
      if (request !== null) recordMade(commit, request, creation.id);
      audit(commit, service, { action: "creation.created", of: brand.id, subject: creation.id });
      return creation;
    });
    if (typeof made !== "string") return await showCreation(service, made, made.prompt);
    // The record of a creation remains also when the creation is deleted.
    return new Replayed((await readCreations(service, brand.id, [made]))[0]!);
  },
});

export const getCreation = operation({
  id: "getCreation",
  group: GROUP,
  summary: "Read one creation; with `wait`, hold the answer until it is complete or failed.",
  description: "The answer leaves at once when the creation is complete or failed, else when it " +
    "becomes so, else after `wait` seconds with what is known.",
  scopes: ["createRead"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({
    id: z.string(),
    wait: z.int().min(0).max(MAX_WAIT_SECONDS).default(0).describe("Seconds to wait, 0 to 60."),
  }),
  output: Creation,
  run: async (service, { id, wait }) => {
    const { kv, brand } = service;
    const creation = await awaitTerminal(kv, brand.id, id, waitFor(service, wait));
    if (creation === null) throw notFound("creation");
    return await show(service, creation);
  },
});

export const retryCreation = operation({
  id: "retryCreation",
  group: GROUP,
  summary: "Generate a failed creation again.",
  description: `Free ${FREE_RETRIES} times; then a fresh credit is debited, which buys another ` +
    `${FREE_RETRIES} free retries.`,
  scopes: ["createWrite"],
  costs: "credit",
  errors: ["notFound", "conflict", "creditsExhausted"],
  input: z.object({ id: z.string() }),
  output: Creation,
  run: async (service, { id }) => {
    const { kv, brand, key, now } = service;
    const retried = await transact(kv, async (commit) => {
      const failed = await requireCreation(commit, brand.id, id);
      requireMayTouch(key, touchedBy(failed));
      const free = failed.freeRetries > 0;
      const pending = move(failed, "retry", {
        error: null,
        generation: failed.generation + 1,
        freeRetries: free ? failed.freeRetries - 1 : FREE_RETRIES,
        creditCost: failed.creditCost + (free ? 0 : 1),
      });
      if (!free) {
        await spend(commit, key, now(), "credits", 1);
        await chargeCredits(service, commit, brand, 1, failed.slot);
      }
      writeCreation(commit, pending);
      await addGeneration(service, commit, pending);
      audit(commit, service, { action: "creation.retried", of: brand.id, subject: id });
      return pending;
    });
    return await show(service, retried);
  },
});

export const overlayCreation = operation({
  id: "overlayCreation",
  group: GROUP,
  summary: "Print another overlay on a complete creation, or remove it with null.",
  description: "Renders from the stored raw image: no model call, no credit.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound", "conflict"],
  input: z.object({ id: z.string(), overlay: Overlay.nullable() }),
  output: Creation,
  run: async (service, { id, overlay }) => {
    const found = await requireCreation(reader(service.kv), service.brand.id, id);
    requireMayTouch(service.key, touchedBy(found));
    await requireAttended(service, id);
    const changed = await printOverlay(service, found, overlay, (commit) => {
      audit(commit, service, { action: "creation.changed", of: service.brand.id, subject: id });
    });
    return await show(service, changed);
  },
});

export const deleteCreation = operation({
  id: "deleteCreation",
  group: GROUP,
  summary: "Delete a creation.",
  description: "It leaves the list; the slot it was made for keeps it. Credits are not returned.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({ id: z.string() }),
  output: null,
  run: (service, { id }) => {
    const { kv, brand, key, now } = service;
    return transact(kv, async (commit) => {
      const creation = await requireCreation(commit, brand.id, id);
      requireMayTouch(key, touchedBy(creation));
      await removeCreation(commit, creation, now());
      audit(commit, service, { action: "creation.deleted", of: brand.id, subject: id });
    });
  },
});

/** The series whose post the creation is an image of, if it is one. */
function touchedBy({ slot }: StoredCreation): Parameters<typeof requireMayTouch>[1] {
  return slot === null ? {} : { seriesId: slot.seriesId };
}

async function show(service: Context, creation: StoredCreation): Promise<Creation> {
  const prompt = await readPrompt(service.kv, creation.brandId, creation.id);
  return await showCreation(service, creation, prompt);
}
