/** Whether a picture looks like another one that the same series has had lately. */
import { DAY } from "../foundation/calendar.ts";
import { idsFrom } from "../foundation/ids.ts";
import { likenessOf, looksLike } from "../media/images/likeness.ts";
import type { Commit } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import type { MadeFor, StoredCreation } from "./shape.ts";

/** Pictures are compared with those of this time. */
const REMEMBERED = 90 * DAY;

/** What a picture of a series looks like; null: it has nothing to compare. */
export interface Likeness {
  slotId: string;
  likeness: string;
}

const likenessKey = (brandId: string, seriesId: string | null, id: string): Deno.KvKey => [
  "likeness",
  brandId,
  seriesId ?? "none",
  id,
];

/**
 * What the painted image looks like. Null outside of series, for a flat or unreadable image, and for the
 * embedded painter: it has one composition a subject, so its pictures of a theme are always alike.
 */
export async function likenessFor(
  { imageModel }: Pick<Service, "imageModel">,
  slot: MadeFor | null,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  if (slot === null || slot.seriesId === null || imageModel.name === "local") return null;
  // An unreadable image is refused when it is stored.
  return await likenessOf(bytes).catch(() => null);
}

/** The id of another slot of the series whose picture looks the same, or null. */
export async function twinSlot(
  { kv, now }: Pick<Service, "kv" | "now">,
  brandId: string,
  { seriesId, slotId }: MadeFor,
  likeness: string,
): Promise<string | null> {
  const start = likenessKey(brandId, seriesId, idsFrom("creation", now() - REMEMBERED));
  const end = likenessKey(brandId, seriesId, idsFrom("creation", now() + DAY));
  for await (const { value } of kv.list<Likeness>({ start, end }, { batchSize: 500 })) {
    if (value.slotId !== slotId && looksLike(value.likeness, likeness)) return value.slotId;
  }
  return null;
}

export async function readLikeness(kv: Deno.Kv, creation: StoredCreation): Promise<string | null> {
  const { brandId, id, slot } = creation;
  if (slot === null) return null;
  return (await kv.get<Likeness>(likenessKey(brandId, slot.seriesId, id))).value?.likeness ?? null;
}

/** Remembers the picture in the commit that completes its creation. */
export function noteLikeness(commit: Commit, creation: StoredCreation, likeness: string): void {
  const { brandId, id, slot } = creation;
  if (slot === null) return;
  const value: Likeness = { slotId: slot.slotId, likeness };
  commit.set(likenessKey(brandId, slot.seriesId, id), value, { expireIn: REMEMBERED });
}
