/** Turns what a platform reported into a reading, field by field (PLATFORMS H). */
import { iso } from "../../foundation/calendar.ts";
import type { Reading } from "../../posts/shape.ts";
import type { Found, Measured } from "./platform.ts";

/**
 * A field that was not reported keeps its previous value. On a post's first reading it takes the
 * count from the listing, or else the documented substitute, or else 0. Nullable fields become null.
 * Returns null without any views: a first reading without them is none.
 */
export function toReading(
  { hints }: Found,
  measured: Measured,
  previous: Reading | null,
  at: number,
): Reading | null {
  const views = count(measured.views) ?? previous?.views ?? count(hints.views) ??
    count(measured.impressions);
  if (views === undefined) return null;
  return {
    views,
    impressions: count(measured.impressions) ?? previous?.impressions ?? views,
    reach: count(measured.reach) ?? null,
    likes: count(measured.likes) ?? previous?.likes ?? hints.likes ?? 0,
    comments: count(measured.comments) ?? previous?.comments ?? hints.comments ?? 0,
    shares: count(measured.shares) ?? previous?.shares ?? 0,
    saves: count(measured.saves) ?? null,
    clicks: count(measured.clicks) ?? null,
    capturedAt: iso(at),
  };
}

/** Platforms correct counts, and for a while one may be negative; a stored count never is. */
function count(value: number | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Math.max(0, Math.round(value));
}
