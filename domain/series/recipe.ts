/** What a slot is made by: its series as it is now, not as it was when the slot was planned. */
import type { SeriesFormat } from "../platforms/contract/format.ts";
import { imagesOf, ratioOf } from "./format.ts";
import { aboutOf, isManual } from "./facts.ts";
import type { StoredSeries, StoredSlot } from "./records.ts";

/** What decides a slot's images. */
export type Recipe = Pick<StoredSlot, "format" | "aspectRatio" | "images" | "decision" | "story">;

/** A planned slot of a series with the recipe of today; any other slot unchanged. */
export function slotNow(series: StoredSeries | null, slot: StoredSlot): StoredSlot {
  if (series === null || slot.status !== "planned") return slot;
  return { ...slot, ...recipeNow(series, slot) };
}

/**
 * A manual series is the recipe itself. A slot of an autopilot keeps what the strategist decided, within
 * the formats and with the overlay that the series has now.
 */
export function recipeNow(
  series: StoredSeries,
  planned: Recipe & Pick<StoredSlot, "overlay">,
): Recipe {
  const manual = isManual(series);
  const format = manual ? series.format : allowedFormat(series, planned.format);
  const { direction, overlayTemplate } = planned.decision;
  const ownTemplate = planned.overlay === null ? "none" : planned.overlay?.template;
  return {
    format,
    aspectRatio: ratioOf(format, series.aspectRatio),
    images: imagesOf(format, [series.guidance, aboutOf(series)]),
    ...planned.story === undefined ? {} : { story: planned.story },
    decision: {
      ...planned.decision,
      direction: manual ? series.theme : direction,
      overlayTemplate: ownTemplate ?? series.overlay?.template ??
        (manual ? "none" : overlayTemplate),
    },
  };
}

function allowedFormat({ formats }: StoredSeries, planned: SeriesFormat): SeriesFormat {
  return formats.includes(planned) ? planned : formats[0] ?? planned;
}
