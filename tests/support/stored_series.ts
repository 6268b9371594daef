/** Series, slots and posts written straight to the store, for tests of what only reads them. */
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { newId } from "../../domain/foundation/ids.ts";
import { NEW_SLOT } from "../../domain/series/new_slot.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import {
  seriesKey,
  slotId,
  slotKey,
  type StoredSeries,
  type StoredSlot,
} from "../../domain/series/records.ts";
import type { Service } from "../../domain/service/service.ts";

export async function storeSeries(
  { kv, now }: Service,
  brandId: string,
  change: Partial<StoredSeries> = {},
): Promise<StoredSeries> {
  const series: StoredSeries = {
    id: newId("series", now()),
    brandId,
    name: "Weekly",
    mode: "autopilot",
    active: true,
    theme: null,
    goal: "Sell more weekend pottery classes",
    guidance: "Warm tone. Show the people at the wheel. No prices.",
    caption: null,
    format: null,
    formats: ["post", "carousel"],
    aspectRatio: "portrait",
    cadenceDays: null,
    hourUtc: 9,
    maxPerWeek: null,
    postsPerWeek: null,
    creditBudgetMonthly: null,
    castMemberId: null,
    inspirationAssetIds: [],
    overlay: null,
    socialAccountId: null,
    createdAt: iso(now()),
    deletedAt: null,
    slotsPlanned: 0,
    drops: 0,
    ...change,
  };
  await kv.set(seriesKey(brandId, series.id), series);
  return series;
}

export async function storeSlot(
  { kv }: Service,
  series: StoredSeries,
  at: number,
  change: Partial<StoredSlot> = {},
): Promise<StoredSlot> {
  const slot: StoredSlot = {
    ...NEW_SLOT,
    id: slotId(series, at),
    brandId: series.brandId,
    seriesId: series.id,
    scheduledFor: iso(at),
    format: "post",
    aspectRatio: "portrait",
    decision: { direction: "Behind the scenes", overlayTemplate: "none", rationale: "" },
    reviewId: null,
    images: 1,
    createdAt: iso(at),
    ...change,
  };
  await kv.set(slotKey(series.brandId, series.id, slot.id), slot);
  return slot;
}

/** A post read twice: a day after publication, when it had earned half, and three days after. */
export function postOf(
  externalId: string,
  publishedAt: number,
  engagement: number,
  format: IncomingPost["format"] = "image",
): IncomingPost {
  const reading = (age: number, likes: number) => ({
    capturedAt: iso(publishedAt + age),
    views: likes * 10,
    impressions: likes * 10,
    reach: null,
    likes,
    comments: 0,
    shares: 0,
    saves: null,
    clicks: null,
  });
  return {
    externalId,
    platform: "instagram",
    format,
    title: null,
    url: `https://instagram.example/p/${externalId}`,
    caption: `Caption of ${externalId}`,
    hashtags: [],
    thumbnailUrl: null,
    mediaUrls: [],
    publishedAt: iso(publishedAt),
    readings: [reading(DAY, engagement / 2), reading(3 * DAY - HOUR, engagement)],
  };
}
