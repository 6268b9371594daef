/** What people can do with a post before it is published: ask why, skip, regenerate, caption. */
import { audit } from "../kv/audit.ts";
import { reader } from "../kv/transact.ts";
import { type Context, operation } from "./operation.ts";
import { captionFor } from "../series/making/caption.ts";
import { SlotCaption } from "../series/shape.ts";
import { moveSlot, requireMove } from "../series/states.ts";
import { explainSlot, Why } from "../series/making/why.ts";
import {
  AnyItem,
  anywhere,
  changeItem,
  inSeries,
  type ItemRef,
  requireItem,
  requireTouchable,
  SeriesItem,
} from "./item_address.ts";

const EXPLAIN = {
  summary: "Say why a slot stands where it stands, and the one thing to do about it.",
  description: "Which review and rule planned it, what it waits for, why it is held, the " +
    "platform's own words and code, and every step so far.",
  scopes: ["createRead"],
  costs: "request",
  errors: ["notFound"],
  output: Why,
} as const;

export const explainItem = operation({
  ...EXPLAIN,
  id: "explainItem",
  group: "Series items",
  input: SeriesItem,
  run: (context, input) => explain(context, inSeries(input)),
});

export const explainItemById = operation({
  ...EXPLAIN,
  id: "explainItemById",
  group: "Items",
  input: AnyItem,
  run: (context, input) => explain(context, anywhere(input)),
});

const SKIP = {
  summary: "Opt a slot out for good.",
  description: "Planning never makes it again. Planned, generating, ready and held slots can be " +
    "skipped; skipping a skipped one changes nothing.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound", "conflict"],
  output: null,
} as const;

export const skipItem = operation({
  ...SKIP,
  id: "skipItem",
  group: "Series items",
  input: SeriesItem,
  run: (context, input) => skip(context, inSeries(input)),
});

export const skipItemById = operation({
  ...SKIP,
  id: "skipItemById",
  group: "Items",
  input: AnyItem,
  run: (context, input) => skip(context, anywhere(input)),
});

const REGENERATE = {
  summary: "Send a ready or held slot back to planned, for new images.",
  description: "The next pass makes them, at the usual credits; old images stay in the slot's " +
    "history. The new images have another topic, and the caption is written anew unless a " +
    "person set it.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound", "conflict"],
  output: null,
} as const;

export const regenerateItem = operation({
  ...REGENERATE,
  id: "regenerateItem",
  group: "Series items",
  input: SeriesItem,
  run: (context, input) => regenerate(context, inSeries(input)),
});

export const regenerateItemById = operation({
  ...REGENERATE,
  id: "regenerateItemById",
  group: "Items",
  input: AnyItem,
  run: (context, input) => regenerate(context, anywhere(input)),
});

const CAPTION = {
  summary: "Rewrite caption and hashtags of a ready or held slot.",
  description: "From the series' current goal and guidance. Images are kept; it costs no credit.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound", "conflict", "serviceUnavailable"],
  output: SlotCaption,
} as const;

export const captionItem = operation({
  ...CAPTION,
  id: "captionItem",
  group: "Series items",
  input: SeriesItem,
  run: (context, input) => caption(context, inSeries(input)),
});

export const captionItemById = operation({
  ...CAPTION,
  id: "captionItemById",
  group: "Items",
  input: AnyItem,
  run: (context, input) => caption(context, anywhere(input)),
});

async function explain(context: Context, ref: ItemRef): Promise<Why> {
  const { slot, series } = await requireItem(reader(context.kv), context.brand.id, ref);
  return await explainSlot(context, slot, series);
}

function skip(context: Context, ref: ItemRef): Promise<void> {
  return changeItem(context, ref, (commit, { slot }) => {
    requireMove(slot, "skip");
    if (slot.status === "skipped") return;
    const note = { at: context.now(), cause: "Skipped by hand." };
    moveSlot(commit, slot, "skip", note, { error: null, heldFor: null });
    audit(commit, context, { action: "item.skipped", of: slot.brandId, subject: slot.id });
  });
}

function regenerate(context: Context, ref: ItemRef): Promise<void> {
  return changeItem(context, ref, (commit, { slot }) => {
    requireMove(slot, "regenerate");
    if (slot.status === "planned") return;
    const note = { at: context.now(), cause: "Sent back by hand; the next pass makes images." };
    moveSlot(commit, slot, "regenerate", note, {
      regenerated: true,
      error: null,
      heldFor: null,
      approval: null,
    });
    audit(commit, context, { action: "item.regenerated", of: slot.brandId, subject: slot.id });
  });
}

async function caption(context: Context, ref: ItemRef): Promise<SlotCaption> {
  const { kv, brand, client, key } = context;
  const before = await requireItem(reader(kv), brand.id, ref);
  requireTouchable(key, before);
  requireMove(before.slot, "caption");
  const { draft, ...text } = await captionFor(context, before.series, before.slot, client.signal);
  return await changeItem(context, ref, (commit, { slot }) => {
    const note = { at: context.now(), cause: "Caption rewritten by hand." };
    const cured = slot.heldFor === "captionFailed" ? { error: null } : {};
    // An earlier attempt had the old text, so it is dropped. But one whose outcome is unknown must
    // still be looked up, because it may be public.
    const publication = slot.publication?.outcome === "unknown" ? slot.publication : null;
    const decision = { ...slot.decision, draft };
    const change = { ...text, ...cured, decision, publication, approval: null };
    moveSlot(commit, slot, "caption", note, change);
    audit(commit, context, { action: "item.captioned", of: slot.brandId, subject: slot.id });
    return { id: slot.id, ...text };
  });
}
