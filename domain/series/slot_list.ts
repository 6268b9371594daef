/** Lists of one series' slots by time, or of the one-off posts of a brand. */
import { iso } from "../foundation/calendar.ts";
import { idsFrom } from "../foundation/ids.ts";
import { getEach, listValues } from "../kv/transact.ts";
import { movedKey, slotKey, slotPrefix, type StoredSlot } from "./records.ts";

/** The last instant that an id can have, ms. */
const LATEST = 2 ** 48 - 2;

interface SlotRange {
  /** Instants of `scheduledFor`, ms; both inclusive. */
  from?: number;
  to?: number;
}

/** Slots by `scheduledFor`, ascending. */
export async function listSlots(
  kv: Deno.Kv,
  brandId: string,
  seriesId: string | null,
  { from = 0, to = LATEST }: SlotRange = {},
): Promise<StoredSlot[]> {
  return (await listPlaces(kv, brandId, seriesId, { from, to })).filter(({ scheduledFor }) => {
    const at = Date.parse(scheduledFor);
    return at >= from && at <= to;
  });
}

/** Like `listSlots`, with the slots that were planned for that time and moved away from it. */
export async function listPlaces(
  kv: Deno.Kv,
  brandId: string,
  seriesId: string | null,
  { from = 0, to = LATEST }: SlotRange = {},
): Promise<StoredSlot[]> {
  // Ids start with the planned instant, so a range of time is one of keys.
  const start = slotKey(brandId, seriesId, idsFrom("slot", from));
  const end = slotKey(brandId, seriesId, idsFrom("slot", to + 1));
  const slots = new Map<string, StoredSlot>();
  const [moved] = await Promise.all([
    movedIn(kv, brandId, seriesId, from, to),
    (async () => {
      for await (const { value } of kv.list<StoredSlot>({ start, end }, { batchSize: 200 })) {
        slots.set(value.id, value);
      }
    })(),
  ]);
  const away = moved.filter((id) => !slots.has(id)).map((id) => slotKey(brandId, seriesId, id));
  for (const slot of await getEach<StoredSlot>(kv, away)) if (slot) slots.set(slot.id, slot);
  return [...slots.values()].sort(byTime);
}

/** Ids of the moved slots whose time lies in the range. */
async function movedIn(
  kv: Deno.Kv,
  brandId: string,
  seriesId: string | null,
  from: number,
  to: number,
): Promise<string[]> {
  const start = movedKey(brandId, seriesId, iso(from));
  const end = [...movedKey(brandId, seriesId, ...(to === LATEST ? [] : [iso(to)])), true];
  const ids: string[] = [];
  for await (const { key } of kv.list({ start, end })) ids.push(String(key.at(-1)));
  return ids;
}

function byTime(a: StoredSlot, b: StoredSlot): number {
  const [one, other] = [a, b].map(({ scheduledFor, id }) => `${scheduledFor} ${id}`);
  return one === other ? 0 : (one ?? "") < (other ?? "") ? -1 : 1;
}

/** The slot that is planned last, or null. */
export async function newestSlot(
  kv: Deno.Kv,
  brandId: string,
  seriesId: string,
): Promise<StoredSlot | null> {
  const prefix = slotPrefix(brandId, seriesId);
  return (await listValues<StoredSlot>(kv, prefix, { reverse: true, limit: 1 }))[0] ?? null;
}
