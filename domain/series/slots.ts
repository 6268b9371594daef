/** What people do to a slot: skip, regenerate, caption, publish, generate (DECISIONS "Slot verbs"). */
import { z } from "zod";
import { SECOND } from "../calendar.ts";
import { ServiceError } from "../errors.ts";
import { type Commit, reader, transact } from "../kv.ts";
import { type Context, operation } from "../operation.ts";
import { getSocialAccount } from "../social.ts";
import { captionFor } from "./caption.ts";
import { claimSlot, hasAllImages, LATE } from "./publishing.ts";
import { requireSeries, requireSlot, type StoredSlot } from "./records.ts";
import { SlotCaption } from "./shape.ts";
import { moveSlot, requireMove } from "./states.ts";
import { awaitMoved } from "./wait.ts";

const GROUP = "Series items";
const Ids = z.object({ id: z.string().describe("The series."), itemId: z.string() });
type Ids = z.output<typeof Ids>;

/** How long a publish request waits for the work; real time, for a client that holds the line. */
const PUBLISH_WAIT = 25 * SECOND;

/** Reads series and slot through one commit and changes the slot. */
function changeSlot<T>(
  { kv, brand }: Context,
  { id, itemId }: Ids,
  change: (commit: Commit, slot: StoredSlot) => Promise<T> | T,
): Promise<T> {
  return transact(kv, async (commit) => {
    await requireSeries(commit, brand.id, id);
    return await change(commit, await requireSlot(commit, brand.id, id, itemId));
  });
}

export const skipItem = operation({
  id: "skipItem",
  group: GROUP,
  summary: "Opt a slot out for good.",
  description: "Planning never makes it again. Planned, generating, ready and held slots can be " +
    "skipped; skipping a skipped one changes nothing.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound", "conflict"],
  input: Ids,
  output: null,
  run: (context, ids) =>
    changeSlot(context, ids, (commit, slot) => {
      requireMove(slot, "skip");
      if (slot.status === "skipped") return;
      const note = { at: context.now(), cause: "Skipped by hand." };
      moveSlot(commit, slot, "skip", note, { error: null, heldFor: null });
    }),
});

export const regenerateItem = operation({
  id: "regenerateItem",
  group: GROUP,
  summary: "Send a ready or held slot back to planned, for new images.",
  description: "The next pass makes them, at the usual credits; old images stay in the slot's " +
    "history. The caption is kept.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound", "conflict"],
  input: Ids,
  output: null,
  run: (context, ids) =>
    changeSlot(context, ids, (commit, slot) => {
      requireMove(slot, "regenerate");
      if (slot.status === "planned") return;
      const note = { at: context.now(), cause: "Sent back by hand; the next pass makes images." };
      moveSlot(commit, slot, "regenerate", note, {
        regenerated: true,
        error: null,
        heldFor: null,
      });
    }),
});

export const captionItem = operation({
  id: "captionItem",
  group: GROUP,
  summary: "Rewrite caption and hashtags of a ready or held slot.",
  description: "From the series' current goal and guidance. Images are kept; it costs no credit.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound", "conflict", "serviceUnavailable"],
  input: Ids,
  output: SlotCaption,
  run: async (context, ids) => {
    const { kv, brand, client } = context;
    const series = await requireSeries(reader(kv), brand.id, ids.id);
    const before = await requireSlot(reader(kv), brand.id, ids.id, ids.itemId);
    requireMove(before, "caption");
    const text = await captionFor(context, series, before, client.signal);
    return await changeSlot(context, ids, (commit, slot) => {
      const note = { at: context.now(), cause: "Caption rewritten by hand." };
      const cured = slot.heldFor === "captionFailed" ? { error: null } : {};
      // What was sent before bore the old text; only an unknown outcome must still be looked up.
      const publication = slot.publication?.outcome === "unknown" ? slot.publication : null;
      moveSlot(commit, slot, "caption", note, { ...text, ...cured, publication });
      return { id: slot.id, ...text };
    });
  },
});

export const publishItem = operation({
  id: "publishItem",
  group: GROUP,
  summary: "Publish a ready or held slot now, on the series' account.",
  description: "Public at once. The answer waits up to 25 seconds: 204 when it is published or " +
    "still at work; 409 with the platform's words when it refused; 503 when it did not take the " +
    "post or did not say. Nothing is ever sent twice without looking first.",
  scopes: ["publishWrite"],
  costs: "request",
  errors: ["notFound", "conflict", "serviceUnavailable"],
  input: Ids,
  output: null,
  run: async (context, ids) => {
    const slot = await changeSlot(context, ids, async (commit, stored) => {
      requireMove(stored, "publish");
      const series = await requireSeries(commit, context.brand.id, ids.id);
      const account = await getSocialAccount(
        commit,
        context.brand.id,
        series.socialAccountId ?? "",
      );
      if (!(await hasAllImages(context.kv, stored))) {
        throw new ServiceError(
          "conflict",
          "The slot lacks images. Regenerate it, or retry its failed creations.",
        );
      }
      const claim = { cause: "Published by hand.", goodUntil: context.now() + LATE };
      return await claimSlot(context, commit, stored, account, claim);
    });
    await concluded(context, slot);
  },
});

/** Waits for the attempt's outcome and answers for it. */
async function concluded(context: Context, claimed: StoredSlot): Promise<void> {
  const slot = await awaitMoved(context, claimed, PUBLISH_WAIT);
  const publication = slot?.publication;
  if (publication?.attemptId !== claimed.publication!.attemptId) return;
  const words = slot!.error ?? "";
  if (["refused", "outdated"].includes(publication.outcome)) {
    throw new ServiceError("conflict", words);
  }
  if (publication.outcome === "later") {
    const wait = Math.ceil(((publication.retryAt ?? 0) - context.now()) / SECOND);
    throw new ServiceError("serviceUnavailable", words, { retryAfter: Math.max(1, wait) });
  }
  if (["untaken", "unknown"].includes(publication.outcome)) {
    throw new ServiceError("serviceUnavailable", words);
  }
}
