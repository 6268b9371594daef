/** Series and slots as the wire shows them. */
import { DAY } from "../calendar.ts";
import { readCreations } from "../creations/store.ts";
import { reader } from "../kv.ts";
import type { Service } from "../service.ts";
import {
  listSlotCreations,
  listSlots,
  readStrategy,
  type StoredSeries,
  type StoredSlot,
  type Strategy,
} from "./records.ts";
import { slotNow } from "./recipe.ts";
import type { Series, Slot } from "./shape.ts";

/** Slots shown with their series (DECISIONS "Series"). */
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
  return await Promise.all(
    slots.slice(-SHOWN_MOST).map((slot) => showSlot(service, slotNow(series, slot))),
  );
}

export async function showSlot(
  service: Pick<Service, "kv" | "storage">,
  slot: StoredSlot,
): Promise<Slot> {
  const ids = slot.generation > 1
    ? await listSlotCreations(service.kv, slot.brandId, slot.id)
    : slot.creationIds;
  return {
    id: slot.id,
    status: slot.status,
    scheduledFor: slot.scheduledFor,
    format: slot.format,
    caption: slot.caption,
    hashtags: slot.hashtags,
    decision: slot.decision,
    error: slot.error,
    publishedAt: slot.publishedAt,
    externalPostId: slot.externalPostId,
    creations: await readCreations(service, slot.brandId, ids),
  };
}
