/** The twin guard: whether a post that is about to become ready says or shows what another one does. */
import type { StoredCreation } from "../../creations/shape.ts";
import { readLikeness, twinSlot } from "../../creations/twins.ts";
import { DAY } from "../../foundation/calendar.ts";
import { sharedOf, shinglesOf } from "../../foundation/shingles.ts";
import { reader } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { readSlot, type StoredSeries, type StoredSlot } from "../records.ts";
import { listSlots } from "../slot_list.ts";

/** Posts of this time, and all that are planned, are looked at. */
const LOOK_BACK = 90 * DAY;
/** More in common, and two captions say the same. */
const ALIKE = 0.5;

/** The post of the series whose caption says the same as `caption`, or null. */
export async function captionTwin(
  { kv, now }: Pick<Service, "kv" | "now">,
  series: StoredSeries,
  { id }: StoredSlot,
  caption: string,
): Promise<StoredSlot | null> {
  const own = ownWords(series);
  const said = shinglesOf(caption).difference(own);
  if (said.size === 0) return null;
  const slots = await listSlots(kv, series.brandId, series.id, { from: now() - LOOK_BACK });
  return slots.find((other) =>
    other.id !== id && other.status !== "skipped" && other.caption !== "" &&
    sharedOf(said, shinglesOf(other.caption).difference(own)) > ALIKE
  ) ?? null;
}

/** What the series itself says belongs into each of its captions, so it makes no twins. */
function ownWords({ caption, theme, goal, guidance }: StoredSeries): Set<string> {
  const texts = [caption, theme, goal, guidance].filter((text) => text !== null);
  return texts.map(shinglesOf).reduce((all, each) => all.union(each), new Set<string>());
}

/** The post of the series with a picture like one of `creations`, or null. */
export async function pictureTwin(
  service: Pick<Service, "kv" | "now">,
  creations: StoredCreation[],
): Promise<StoredSlot | null> {
  const { kv } = service;
  for (const creation of creations) {
    const { brandId, slot } = creation;
    const likeness = await readLikeness(kv, creation);
    if (slot === null || likeness === null) continue;
    const twin = await twinSlot(service, brandId, slot, likeness);
    const found = twin === null ? null : await readSlot(reader(kv), brandId, slot.seriesId, twin);
    if (found !== null && found.status !== "skipped") return found;
  }
  return null;
}
