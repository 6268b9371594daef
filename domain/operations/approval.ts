/** Approving posts as they are, one by one or many at once; and what a platform would refuse. */
import { z } from "zod";
import { iso } from "../foundation/calendar.ts";
import { ErrorEnvelope, ServiceError } from "../foundation/errors.ts";
import { audit } from "../kv/audit.ts";
import { type Commit, reader } from "../kv/transact.ts";
import type { StoredSlot } from "../series/records.ts";
import { contentOf } from "../series/making/content.ts";
import { Slot } from "../series/shape.ts";
import { problemsOf } from "../series/making/problems.ts";
import { showSlot } from "../series/making/view.ts";
import { moveSlot, requireMove } from "../series/states.ts";
import { accountIdOf, isApproved } from "../series/steering.ts";
import { mayPerform, notWithRole, perform } from "./gate.ts";
import {
  AnyItem,
  anywhere,
  changeItem,
  ExpectedHash,
  requireExpected,
  requireItem,
} from "./item_address.ts";
import { regenerateItemById, skipItemById } from "./items.ts";
import { type AnyOperation, type Context, operation } from "./operation.ts";

const GROUP = "Items";
const WithHash = AnyItem.extend({ expectedHash: ExpectedHash });

export const approveItem = operation({
  id: "approveItem",
  group: GROUP,
  summary: "Approve a post as it is now.",
  description:
    "A post that needs approval is published at its time only with it. Any later change " +
    "of images, caption, hashtags or account needs a new one. With `expectedHash` or `If-Match`, " +
    "only if the content is still that one.",
  scopes: ["publishWrite"],
  costs: "request",
  errors: ["notFound", "conflict"],
  input: WithHash,
  output: Slot,
  run: (context, input) =>
    decide(context, input, "approve", (commit, slot, hash) => {
      if (hash === null) {
        throw new ServiceError("conflict", "The post has no images yet, or not all.");
      }
      if (isApproved(slot, hash)) return slot;
      const { now, key } = context;
      const approval = { at: iso(now()), by: key.name, contentHash: hash };
      const note = { at: now(), cause: `Approved by ${key.name}.` };
      audit(commit, context, { action: "item.approved", of: slot.brandId, subject: slot.id });
      return moveSlot(commit, slot, "approve", note, { approval });
    }),
});

export const unapproveItem = operation({
  id: "unapproveItem",
  group: GROUP,
  summary: "Take back a post's approval.",
  scopes: ["publishWrite"],
  costs: "request",
  errors: ["notFound", "conflict"],
  input: WithHash,
  output: Slot,
  run: (context, input) =>
    decide(context, input, "unapprove", (commit, slot) => {
      if (!slot.approval) return slot;
      const { now, key } = context;
      const note = { at: now(), cause: `Approval taken back by ${key.name}.` };
      audit(commit, context, { action: "item.unapproved", of: slot.brandId, subject: slot.id });
      return moveSlot(commit, slot, "unapprove", note, { approval: null });
    }),
});

/** Changes the approval of a post whose content is the expected one. `hash`: null without its images. */
async function decide(
  context: Context,
  { id, expectedHash }: z.output<typeof WithHash>,
  verb: "approve" | "unapprove",
  change: (commit: Commit, slot: StoredSlot, hash: string | null) => StoredSlot,
): Promise<Slot> {
  const item = await changeItem(context, { itemId: id }, async (commit, { slot, series }) => {
    requireMove(slot, verb);
    const content = await contentOf(context.kv, slot, accountIdOf(slot, series));
    const hash = content?.hash ?? null;
    requireExpected(slot, hash, expectedHash);
    return { slot: change(commit, slot, hash), series };
  });
  return await showSlot(context, item.slot, item.series);
}

const Problem = z.object({ field: z.string(), message: z.string() });

export const validateItem = operation({
  id: "validateItem",
  group: GROUP,
  summary: "Say what would be refused if the post were published now.",
  description: "A dry run by the platform's rules. Changes and sends nothing.",
  scopes: ["createRead"],
  costs: "request",
  errors: ["notFound"],
  input: AnyItem,
  output: z.object({ ok: z.boolean(), problems: z.array(Problem) }),
  run: async ({ kv, brand }, input) => {
    const { slot, series } = await requireItem(reader(kv), brand.id, anywhere(input));
    const problems = await problemsOf(kv, slot, series);
    return { ok: problems.length === 0, problems };
  },
});

/** What can be done to many items at once. */
const VERBS = {
  approve: approveItem,
  unapprove: unapproveItem,
  skip: skipItemById,
  regenerate: regenerateItemById,
} as const;
const Verb = z.enum(["approve", "unapprove", "skip", "regenerate"]);

const MOST_IDS = 50;

const Answer = z.object({
  id: z.string(),
  ok: z.boolean(),
  error: ErrorEnvelope.shape.error.nullable(),
});

export const batchItems = operation({
  id: "batchItems",
  group: GROUP,
  summary: "Approve, unapprove, skip or regenerate up to 50 posts, each with its own answer.",
  description:
    "In the order of the ids. What is refused for one has no effect on the others. The " +
    "key needs the scope of the verb.",
  scopes: ["createWrite", "publishWrite"],
  costs: "request",
  errors: [],
  input: z.object({
    ids: z.array(z.string().max(100)).min(1).max(MOST_IDS)
      .refine((ids) => new Set(ids).size === ids.length, "must not name an item twice")
      .meta({ uniqueItems: true }),
    verb: Verb,
  }),
  output: z.object({ data: z.array(Answer) }),
  run: async (context, { ids, verb }) => {
    const act: AnyOperation = VERBS[verb];
    if (!mayPerform(context.key.scopes, act)) {
      const { actor } = context.by;
      if (actor.kind === "account") throw notWithRole(actor.role);
      const needed = act.scopes.join(" or ");
      throw new ServiceError("forbidden", `The key lacks the scope ${needed} for ${verb}.`);
    }
    const data: z.output<typeof Answer>[] = [];
    for (const id of ids) {
      try {
        await perform(context, context, act, () => ({ id }), context.client);
        data.push({ id, ok: true, error: null });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        data.push({ id, ok: false, error: error.envelope.error });
      }
    }
    return { data };
  },
});
