/** What a slot's images are as its series stands now, not as it stood when the slot was planned. */
import { imagesOf, ratioOf } from "./format.ts";
import type { StoredSeries, StoredSlot } from "./records.ts";

/** What a slot is made by. */
export type Recipe = Pick<StoredSlot, "format" | "aspectRatio" | "images" | "decision">;

/** A planned slot with what it will be made by; any other as it is. */
export function slotNow(series: StoredSeries, slot: StoredSlot): StoredSlot {
  return slot.status === "planned" ? { ...slot, ...recipeNow(series, slot) } : slot;
}

/**
 * A manual series is itself the recipe. An autopilot's slot keeps what the strategist decided, within
 * the formats and with the overlay that the series has now.
 */
export function recipeNow(series: StoredSeries, planned: Recipe): Recipe {
  const isManual = series.mode === "manual";
  const allowed = isManual ? [series.format!] : series.formats;
  const format = allowed.includes(planned.format) ? planned.format : allowed[0]!;
  const { direction, overlayTemplate, rationale } = planned.decision;
  return {
    format,
    aspectRatio: ratioOf(format, series.aspectRatio),
    images: imagesOf(format, [series.guidance, isManual ? series.theme : series.goal]),
    decision: {
      direction: isManual ? series.theme! : direction,
      overlayTemplate: series.overlay?.template ?? (isManual ? "none" : overlayTemplate),
      rationale,
    },
  };
}
