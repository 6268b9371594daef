/** Series and slots in the shapes that clients see. */
import { DAY } from "../../foundation/calendar.ts";
import { readShown } from "../../creations/store.ts";
import { reader } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import {
  type Decision,
  readStrategy,
  type StoredSeries,
  type StoredSlot,
  type Strategy,
} from "../records.ts";
import { postIdsOf } from "../../posts/store.ts";
import type { Item } from "../item_list.ts";
import { accountIdOf, isApproved } from "../steering.ts";
import { contentFrom, shownHash } from "./content.ts";
import { listSlots } from "../slot_list.ts";
import { listSlotCreations } from "../slot_rows.ts";
import { slotNow } from "../recipe.ts";
import type { Series, Slot } from "../shape.ts";

/** A series is shown with its newest slots from this far back (DECISIONS "Series"). */
const SHOWN_SINCE = 30 * DAY;
const SHOWN_MOST = 200;

export function shownSeries(series: StoredSeries, strategy: Strategy | null): Series {
  return {
    id: series.id,
    name: series.name,
    mode: series.mode,
    active: series.active,
    theme: series.theme,
    goal: series.goal,
    guidance: series.guidance,
    caption: series.caption,
    format: series.format,
    formats: series.formats,
    aspectRatio: series.aspectRatio,
    cadenceDays: series.cadenceDays,
    hourUtc: series.hourUtc,
    maxPerWeek: series.maxPerWeek,
    postsPerWeek: series.postsPerWeek,
    creditBudgetMonthly: series.creditBudgetMonthly,
    castMemberId: series.castMemberId,
    inspirationAssetIds: series.inspirationAssetIds,
    playbook: series.mode === "autopilot" ? strategy?.playbook ?? null : null,
    overlay: series.overlay,
    socialAccountId: series.socialAccountId,
    needsApproval: series.needsApproval ?? false,
    publishDrafts: series.publishDrafts ?? true,
    createdAt: series.createdAt,
  };
}

export async function showSeries(kv: Deno.Kv, series: StoredSeries): Promise<Series> {
  return shownSeries(series, await readStrategy(reader(kv), series.brandId, series.id));
}

/** The recent slots of a series, by time, each with its creations. */
export async function showItems(
  service: Pick<Service, "kv" | "storage" | "now">,
  series: StoredSeries,
): Promise<Slot[]> {
  const from = service.now() - SHOWN_SINCE;
  const slots = await listSlots(service.kv, series.brandId, series.id, { from });
  return await showSlots(service, slots.slice(-SHOWN_MOST).map((slot) => ({ slot, series })));
}

/** @param series null for a one-off post */
export async function showSlot(
  service: Pick<Service, "kv" | "storage">,
  slot: StoredSlot,
  series: StoredSeries | null,
): Promise<Slot> {
  const [shown] = await showSlots(service, [{ slot, series }]);
  return shown!;
}

/** The slots of a list, all of one brand, in its order: what belongs to them is read for all together. */
export async function showSlots(
  service: Pick<Service, "kv" | "storage">,
  items: readonly Item[],
): Promise<Slot[]> {
  const [first] = items;
  if (first === undefined) return [];
  const { kv } = service;
  const { brandId } = first.slot;
  const slots = items.map(({ slot, series }) => slotNow(series, slot));
  const [creationIds, postIds] = await Promise.all([
    Promise.all(slots.map((slot) => creationIdsOf(kv, slot))),
    publishedAs(kv, brandId, slots),
  ]);
  const creations = await readShown(service, brandId, creationIds.flat());
  return items.map(({ series }, at) => {
    const slot = slots[at]!;
    const current = slot.creationIds.flatMap((id) => creations.get(id)?.stored ?? []);
    const isOut = slot.status === "publishing" || slot.status === "published";
    const accountId = isOut ? slot.socialAccountId : accountIdOf(slot, series);
    const contentHash = shownHash(slot, contentFrom(slot, current, accountId));
    const approval = isApproved(slot, contentHash) ? slot.approval : null;
    return {
      id: slot.id,
      seriesId: slot.seriesId,
      status: slot.status,
      scheduledFor: slot.scheduledFor,
      format: slot.format,
      socialAccountId: accountId,
      caption: slot.caption,
      hashtags: slot.hashtags,
      overlay: slot.overlay === undefined ? current[0]?.overlay ?? null : slot.overlay,
      altText: slot.altText ?? null,
      decision: shownDecision(slot.decision),
      approvedAt: approval?.at ?? null,
      approvedBy: approval?.by ?? null,
      contentHash,
      error: slot.error,
      publishedAt: slot.publishedAt,
      externalPostId: slot.externalPostId,
      url: slot.url,
      postId: postIds.get(slot.id) ?? null,
      // A planned slot with images was sent back for new ones.
      creationIds: slot.status === "planned" ? [] : slot.creationIds,
      creations: creationIds[at]!.flatMap((id) => creations.get(id)?.shown ?? []),
    };
  });
}

/** First those of earlier generations, then those of the last one. */
async function creationIdsOf(kv: Deno.Kv, slot: StoredSlot): Promise<string[]> {
  const { brandId, id, generation, creationIds } = slot;
  const all = generation > 1 ? await listSlotCreations(kv, brandId, id) : [];
  return [...all.filter((one) => !creationIds.includes(one)), ...creationIds];
}

/** Slot's id → the id of the post that it was published as, where that is known here. */
async function publishedAs(
  kv: Deno.Kv,
  brandId: string,
  slots: readonly StoredSlot[],
): Promise<ReadonlyMap<string, string>> {
  const published = slots.flatMap(({ id, platform, externalPostId: externalId }) =>
    platform === null || externalId === null ? [] : [{ id, platform, externalId }]
  );
  const postIds = await postIdsOf(kv, brandId, published);
  return new Map(published.flatMap(({ id }, at): [string, string][] => {
    const postId = postIds[at] ?? null;
    return postId === null ? [] : [[id, postId]];
  }));
}

function shownDecision(
  { direction, overlayTemplate, rationale, topic, onImage, draft = false }: Decision,
): Slot["decision"] {
  const told = { topic: topic ?? null, onImage: onImage ?? null };
  return { direction, overlayTemplate, rationale, ...told, draft };
}
