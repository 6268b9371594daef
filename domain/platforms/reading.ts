/** What a platform reported, as a reading: PLATFORMS H, field by field. */
import { iso } from "../calendar.ts";
import type { Reading } from "../posts/shape.ts";
import type { Found, Measured } from "./platform.ts";

/**
 * A field that was not reported keeps its previous value; on a post's first reading the listing's
 * count or the documented substitute stands in, and only then 0. Nullable fields are null.
 */
export function toReading(
  { hints }: Found,
  measured: Measured,
  previous: Reading | null,
  at: number,
): Reading {
  const views = count(measured.views) ?? previous?.views ?? count(measured.impressions);
  return {
    views: views ?? 0,
    impressions: count(measured.impressions) ?? previous?.impressions ?? views ?? 0,
    reach: count(measured.reach) ?? null,
    likes: count(measured.likes) ?? previous?.likes ?? hints.likes ?? 0,
    comments: count(measured.comments) ?? previous?.comments ?? hints.comments ?? 0,
    shares: count(measured.shares) ?? previous?.shares ?? 0,
    saves: count(measured.saves) ?? null,
    clicks: count(measured.clicks) ?? null,
    capturedAt: iso(at),
  };
}

/** A platform's correction may fall below zero for a while; a count does not. */
function count(value: number | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Math.max(0, Math.round(value));
}
