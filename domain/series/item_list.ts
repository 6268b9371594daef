/** One page of a brand's scheduled posts, over all series and one-off posts, by time. */
import { DAY, iso } from "../foundation/calendar.ts";
import { getEach, listValues } from "../kv/transact.ts";
import { SERIES, slotKey, type SlotStatus, type StoredSeries, type StoredSlot } from "./records.ts";
import { type TimeEntry, timeKey } from "./slot_rows.ts";
import { accountIdOf, isGone } from "./steering.ts";

export interface ItemFilter {
  /** UTC days of `scheduledFor`, yyyy-mm-dd; both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  status?: SlotStatus | undefined;
  seriesId?: string | undefined;
  accountId?: string | undefined;
}

/** A slot with its series; null for a one-off post. */
export interface Item {
  slot: StoredSlot;
  series: StoredSeries | null;
}

/** The brand's series by id, deleted ones included. */
export async function seriesById(
  kv: Deno.Kv,
  brandId: string,
): Promise<ReadonlyMap<string, StoredSeries>> {
  const all = await listValues<StoredSeries>(kv, [SERIES, brandId]);
  return new Map(all.map((series) => [series.id, series]));
}

/** The page, and the number of all items that the filter lets through. */
export async function listItems(
  kv: Deno.Kv,
  brandId: string,
  filter: ItemFilter,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ items: Item[]; total: number }> {
  const known = await seriesById(kv, brandId);
  const first = (page - 1) * perPage;
  const shown: { id: string; seriesId: string | null }[] = [];
  let total = 0;
  // The keys by time know enough to choose and count, so only the page's slots are read.
  for await (const { key, value } of kv.list<TimeEntry>(rangeOf(brandId, filter), BATCHES)) {
    const series = value.seriesId === null ? null : known.get(value.seriesId) ?? null;
    if (isGone(value, series) || !isWanted(value, series, filter)) continue;
    if (total >= first && total < first + perPage) {
      shown.push({ id: String(key.at(-1)), seriesId: value.seriesId });
    }
    total++;
  }
  const keys = shown.map(({ id, seriesId }) => slotKey(brandId, seriesId, id));
  const slots = await getEach<StoredSlot>(kv, keys);
  const items = slots.flatMap((slot) =>
    slot === null ? [] : [{ slot, series: known.get(slot.seriesId ?? "") ?? null }]
  );
  return { items, total };
}

/** When a post is scheduled, and to which account it goes. */
export interface ItemTime {
  id: string;
  /** ISO instant. */
  scheduledFor: string;
  socialAccountId: string | null;
}

/** The times of the posts between two UTC days, both inclusive, without skipped ones. */
export async function itemTimes(
  kv: Deno.Kv,
  brandId: string,
  days: { from: string; to: string },
): Promise<ItemTime[]> {
  const known = await seriesById(kv, brandId);
  const times: ItemTime[] = [];
  for await (const { key, value } of kv.list<TimeEntry>(rangeOf(brandId, days), BATCHES)) {
    const series = value.seriesId === null ? null : known.get(value.seriesId) ?? null;
    if (value.status === "skipped" || isGone(value, series)) continue;
    const [scheduledFor, id] = key.slice(-2).map(String);
    if (scheduledFor === undefined || id === undefined) continue;
    times.push({ id, scheduledFor, socialAccountId: accountIdOf(value, series) });
  }
  return times;
}

const BATCHES = { batchSize: 500 };

function rangeOf(brandId: string, { from, to }: ItemFilter): Deno.KvListSelector {
  const start = from === undefined ? timeKey(brandId) : timeKey(brandId, from);
  const end = to === undefined
    ? [...timeKey(brandId), true]
    : timeKey(brandId, iso(Date.parse(to) + DAY));
  return { start, end };
}

function isWanted(
  entry: TimeEntry,
  series: StoredSeries | null,
  { status, seriesId, accountId }: ItemFilter,
): boolean {
  if (status !== undefined && entry.status !== status) return false;
  if (seriesId !== undefined && entry.seriesId !== seriesId) return false;
  return accountId === undefined || accountIdOf(entry, series) === accountId;
}
