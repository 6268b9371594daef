/** The operations on creations (spec 4.6). */
import { z } from "zod";
import { AspectRatio } from "../aspect.ts";
import { iso, SECOND } from "../calendar.ts";
import { notFound } from "../errors.ts";
import { IdempotencyKey, recordMade, replayOf } from "../idempotency.ts";
import { transact } from "../kv.ts";
import { type Context, operation, Replayed } from "../operation.ts";
import { Overlay } from "../overlays/shape.ts";
import { Page, paginate, Pagination, perPage } from "../paging.ts";
import { Idea, Prompt } from "../prompts.ts";
import { addCreations, addGeneration, chargeCredits } from "./add.ts";
import { dropFinal, rerender } from "./render.ts";
import { Creation, FREE_RETRIES, move, type StoredCreation } from "./shape.ts";
import {
  listPage,
  readCreations,
  readListed,
  readPrompt,
  requireCreation,
  showCreation,
  unlistCreation,
  writeCreation,
} from "./store.ts";
import { awaitTerminal } from "./wait.ts";

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
    "lacks them; reference photos and inspiration go along. Answers at once with a pending " +
    "creation: poll it with `wait`. Sent again with the same `Idempotency-Key` and body within " +
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
    idempotencyKey: IdempotencyKey.optional(),
  }),
  output: Creation,
  run: async (service, { idempotencyKey, ...input }) => {
    const { kv, brand, now } = service;
    const request = idempotencyKey === undefined ? null : {
      brandId: brand.id,
      operation: "createCreation",
      key: idempotencyKey,
      input,
      at: now(),
    };
    const made = await transact(kv, async (commit) => {
      const firstId = request === null ? null : await replayOf(commit, request);
      if (firstId !== null) return firstId;
      const [creation] = await addCreations(service, commit, brand, [input]);
      if (request !== null) recordMade(commit, request, creation!.id);
      return creation!;
    });
    if (typeof made !== "string") return await showCreation(service, made, made.prompt);
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
    const { kv, brand, client, stopping } = service;
    const signal = wait === 0 ? stopping : AbortSignal.any([client.signal, stopping]);
    const patience = { waitMs: wait * SECOND, signal };
    const creation = await awaitTerminal(kv, brand.id, id, patience);
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
    const { kv, brand } = service;
    const retried = await transact(kv, async (commit) => {
      const failed = await requireCreation(commit, brand.id, id);
      const free = failed.freeRetries > 0;
      const pending = move(failed, "retry", {
        error: null,
        generation: failed.generation + 1,
        freeRetries: free ? failed.freeRetries - 1 : FREE_RETRIES,
        creditCost: failed.creditCost + (free ? 0 : 1),
      });
      if (!free) await chargeCredits(service, commit, brand, 1, failed.slot);
      writeCreation(commit, pending);
      await addGeneration(service, commit, pending);
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
    const { kv, brand } = service;
    const found = await readListed(kv, brand.id, id);
    if (found === null) throw notFound("creation");
    const rendered = await rerender(service, move(found, "overlay", { overlay }));
    const changed = await transact(kv, async (commit) => {
      const stored = await requireCreation(commit, brand.id, id);
      const next = move(stored, "overlay", { overlay, finalKey: rendered.finalKey });
      writeCreation(commit, next);
      await rendered.keep(commit);
      await dropFinal(service, commit, stored);
      return next;
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
  run: ({ kv, brand, now }, { id }) =>
    transact(kv, async (commit) => {
      const creation = await requireCreation(commit, brand.id, id);
      writeCreation(commit, { ...creation, deletedAt: iso(now()) });
      await unlistCreation(commit, creation);
    }),
});

async function show(service: Context, creation: StoredCreation): Promise<Creation> {
  const prompt = await readPrompt(service.kv, creation.brandId, creation.id);
  return await showCreation(service, creation, prompt);
}
