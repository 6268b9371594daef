/** Scheduled posts of all series and of none: list, read, schedule, change, delete. */
import { z } from "zod";
import { requireMayTouch, spend } from "../brands/budgets.ts";
import { invalid, ServiceError } from "../foundation/errors.ts";
import { Page, paginate, Pagination, perPage } from "../foundation/paging.ts";
import { IdempotencyKey, type KeyedRequest, recordMade, replayOf } from "../kv/idempotency.ts";
import { audit } from "../kv/audit.ts";
import { reader } from "../kv/transact.ts";
import { Prompt } from "../creations/prompts.ts";
import { SeriesFormat } from "../platforms/contract/format.ts";
import { listItems as pageOfItems } from "../series/item_list.ts";
import { editSlot } from "../series/making/edit.ts";
import {
  itemFields,
  normalized,
  requireCount,
  requireFuture,
  requireOwnAccount,
} from "../series/making/item_rules.ts";
import { addOneOff } from "../series/making/one_off.ts";
import { showSlot, showSlots } from "../series/making/view.ts";
import { SlotStatus, type StoredSlot } from "../series/records.ts";
import { Slot } from "../series/shape.ts";
import { listSlotCreations, unnoteCreations } from "../series/slot_rows.ts";
import { dropSlot } from "../series/strategy.ts";
import { like, needs, where, withRules } from "./body_rules.ts";
import { AnyItem, anywhere, changeItem, requireItem, requireTouchable } from "./item_address.ts";
import { keyed } from "./once.ts";
import { waitsForApproval } from "./gate.ts";
import { type Context, operation, Replayed } from "./operation.ts";

const GROUP = "Items";
const MOST_PROMPTS = 10;
const day = z.iso.date("must be a date that exists, as yyyy-mm-dd");

export const listItems = operation({
  id: "listItems",
  group: GROUP,
  summary: "List scheduled posts over all series and one-off posts, by time.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({
    from: day.optional().describe("Scheduled on or after this UTC day."),
    to: day.optional().describe("Scheduled on or before this UTC day."),
    status: SlotStatus.optional(),
    seriesId: z.string().max(100).optional(),
    accountId: z.string().max(100).optional().describe("Its own account, or its series'."),
    page: Page,
    perPage: perPage(24),
  }).refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["from"],
    message: "must not be after `to`",
  }),
  output: z.object({ data: z.array(Slot), pagination: Pagination }),
  run: async (context, { page, perPage, ...filter }) => {
    const paging = { page, perPage };
    const { items, total } = await pageOfItems(context.kv, context.brand.id, filter, paging);
    const data = await showSlots(context, items);
    return { data, pagination: paginate(page, perPage, total) };
  },
});

export const getItem = operation({
  id: "getItem",
  group: GROUP,
  summary: "Read one scheduled post.",
  scopes: ["createRead"],
  costs: "request",
  errors: ["notFound"],
  input: AnyItem,
  output: Slot,
  run: async (context, input) => {
    const { slot, series } = await requireItem(
      reader(context.kv),
      context.brand.id,
      anywhere(input),
    );
    return await showSlot(context, slot, series);
  },
});

const NewItem = z.object({
  format: SeriesFormat.default("post"),
  ...itemFields,
  scheduledFor: itemFields.scheduledFor.describe("Not before now; now when left out."),
  socialAccountId: itemFields.socialAccountId.describe("Without one it stops at `ready`."),
  prompts: z.array(Prompt).min(1).max(MOST_PROMPTS).optional(),
  needsApproval: z.boolean().default(false),
  idempotencyKey: IdempotencyKey.optional(),
});
type NewItem = z.output<typeof NewItem>;

/** How many images of either kind. */
const countOf = (count: object) => like({ creationIds: count, prompts: count });

export const createItem = operation({
  id: "createItem",
  group: GROUP,
  summary: "Schedule a one-off post, of no series.",
  description: "With `creationIds` (complete ones; free) it is ready at once; with `prompts` its " +
    "images are made now, a credit each, and it is `generating`. Exactly one of the two: 1 for a " +
    "post or story, 3 to 10 for a carousel. A caption that is left out is written. It is published " +
    "at its time when it has an account; publish it yourself for at once.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["creditsExhausted", "conflict", "serviceUnavailable"],
  input: withRules(NewItem, {
    oneOf: [needs("creationIds"), needs("prompts")],
    ...where("format", "carousel", countOf({ minItems: 3 }), countOf({ maxItems: 1 })),
  }),
  output: Slot,
  run: async (context, { idempotencyKey, ...input }) => {
    const { kv, brand } = context;
    if ((input.prompts === undefined) === (input.creationIds === undefined)) {
      throw invalid("creationIds", "give exactly one of `creationIds` and `prompts`");
    }
    const request = await keyed(context, "createItem", idempotencyKey, input);
    const firstId = request === null ? null : await replayOf(reader(kv), request);
    const made = firstId ?? await schedule(context, input, request);
    if (typeof made !== "string") return await showSlot(context, made, null);
    const { slot } = await requireItem(reader(kv), brand.id, { itemId: made });
    return new Replayed(await showSlot(context, slot, null));
  },
});

/** Stores the post; returns the id of the one that an earlier request with this key has made. */
async function schedule(
  context: Context,
  { format, prompts, needsApproval, ...sent }: Omit<NewItem, "idempotencyKey">,
  request: KeyedRequest | null,
): Promise<StoredSlot | string> {
  const { kv, brand, key, now } = context;
  const fields = normalized(sent);
  const accountId = fields.socialAccountId ?? null;
  if (fields.scheduledFor !== undefined) requireFuture(fields.scheduledFor, now());
  if (prompts !== undefined) requireCount("prompts", format, prompts.length);
  requireMayTouch(key, { seriesId: null, accountId });
  await requireOwnAccount(kv, brand.id, accountId, format);
  const by = key.name;
  const waits = needsApproval || waitsForApproval(context);
  const wanted = { format, prompts: prompts ?? null, needsApproval: waits, fields, by };
  return await addOneOff(context, brand, wanted, async (commit, slot) => {
    const earlier = request === null ? null : await replayOf(commit, request);
    if (earlier !== null) return earlier;
    await spend(commit, key, now(), "credits", prompts?.length ?? 0);
    if (request !== null) recordMade(commit, request, slot.id);
    audit(commit, context, { action: "item.created", of: brand.id, subject: slot.id });
    return null;
  });
}

export const updateItem = operation({
  id: "updateItem",
  group: GROUP,
  summary: "Change a planned, ready or held post; what is left out stays as it is.",
  description: "What a person has set no pass overwrites. `creationIds` make a planned or held " +
    "post ready; so does a new time for one that was held because it was late, and a caption for " +
    "one that was held for want of it. A change of images, caption, hashtags or account takes back " +
    "an approval.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound", "conflict", "serviceUnavailable"],
  input: z.object({ id: z.string(), ...itemFields }),
  output: Slot,
  run: async (context, { id, ...sent }) => {
    const { kv, brand, key } = context;
    const item = await requireItem(reader(kv), brand.id, { itemId: id });
    requireTouchable(key, item);
    requireMayTouch(key, { accountId: sent.socialAccountId ?? null });
    const waits = waitsForApproval(context);
    const slot = await editSlot(context, item, normalized(sent), key.name, waits);
    const { series } = await requireItem(reader(kv), brand.id, { itemId: id });
    return await showSlot(context, slot, series);
  },
});

export const deleteItem = operation({
  id: "deleteItem",
  group: GROUP,
  summary: "Delete a one-off post that is not published.",
  description: "Its creations stay. A post of a series can be skipped, but not deleted.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound", "conflict"],
  input: AnyItem,
  output: null,
  run: (context, input) =>
    changeItem(context, anywhere(input), async (commit, { slot }) => {
      if (slot.seriesId !== null) {
        throw new ServiceError("conflict", "A post of a series can't be deleted. Skip it.");
      }
      if (slot.status === "published" || slot.status === "publishing") {
        throw new ServiceError(
          "conflict",
          `Only a post that is not public can be deleted. This one is ${slot.status}.`,
        );
      }
      audit(commit, context, { action: "item.deleted", of: slot.brandId, subject: slot.id });
      dropSlot(commit, slot);
      unnoteCreations(
        commit,
        slot,
        await listSlotCreations(context.kv, slot.brandId, slot.id),
      );
    }),
});
