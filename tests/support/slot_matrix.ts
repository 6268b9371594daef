/** What each request to a slot's verbs does to a slot of each status (DECISIONS "Slot verbs"). */
import type { SlotStatus } from "../../domain/series/records.ts";

export type Verb = "skip" | "regenerate" | "caption" | "publish";

/** The status of the answer, and the slot's status after it. */
export const SLOT_MATRIX: Record<SlotStatus, Record<Verb, [number, SlotStatus]>> = {
  planned: {
    skip: [204, "skipped"],
    regenerate: [204, "planned"],
    caption: [409, "planned"],
    publish: [409, "planned"],
  },
  generating: {
    skip: [204, "skipped"],
    regenerate: [409, "generating"],
    caption: [409, "generating"],
    publish: [409, "generating"],
  },
  ready: {
    skip: [204, "skipped"],
    regenerate: [204, "planned"],
    caption: [200, "ready"],
    publish: [204, "published"],
  },
  held: {
    skip: [204, "skipped"],
    regenerate: [204, "planned"],
    caption: [200, "held"],
    publish: [204, "published"],
  },
  publishing: {
    skip: [409, "publishing"],
    regenerate: [409, "publishing"],
    caption: [409, "publishing"],
    publish: [409, "publishing"],
  },
  published: {
    skip: [409, "published"],
    regenerate: [409, "published"],
    caption: [409, "published"],
    publish: [409, "published"],
  },
  skipped: {
    skip: [204, "skipped"],
    regenerate: [409, "skipped"],
    caption: [409, "skipped"],
    publish: [409, "skipped"],
  },
};
