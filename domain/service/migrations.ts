/** Ordered steps that bring a store of an earlier schema version up to date. */
import { countPrefix, pack } from "../brands/meter/count.ts";
import { indexJobs } from "../kv/jobs/records.ts";
import type { Migration } from "../kv/open.ts";
import { retryWhileLocked } from "../kv/transact.ts";
import { orderAllByDate } from "../posts/by_date.ts";

/**
 * The first leads from schema version 1 to 2, and so on; each may run twice.
 * 1 → 2: a brand's requests were counted in an object, with the month as yyyy-mm.
 * 2 → 3: jobs were indexed by time only, not also by brand, and dead ones were not indexed.
 * 3 → 4: posts had no keys by date and no count.
 * 4 → 5: slots had no keys by time, and no pointers to their series.
 */
export const MIGRATIONS: readonly Migration[] = [
  packCounts,
  indexJobs,
  orderAllByDate,
  indexSlots,
];

async function packCounts(kv: Deno.Kv): Promise<void> {
  type Former = { second: number; inSecond: number; month: string; inMonth: number };
  for await (const entry of kv.list<Former | Uint8Array>({ prefix: countPrefix })) {
    if (entry.value instanceof Uint8Array) continue;
    const month = Number(entry.value.month.replace("-", ""));
    const packed = pack({ ...entry.value, month, changes: null });
    // If the check fails, another process that started at the same time has packed it.
    await retryWhileLocked(() => kv.atomic().check(entry).set(entry.key, packed).commit());
  }
}

/** The rows that `domain/series/slot_rows.ts` writes beside a slot, as schema version 5 has them. */
async function indexSlots(kv: Deno.Kv): Promise<void> {
  interface Slot {
    id: string;
    brandId: string;
    seriesId: string;
    status: string;
    scheduledFor: string;
    socialAccountId: string | null;
  }
  for await (const entry of kv.list<Slot>({ prefix: ["slot"] }, { batchSize: 100 })) {
    const { id, brandId, seriesId, status, scheduledFor, socialAccountId } = entry.value;
    const isOut = status === "publishing" || status === "published";
    const time = { seriesId, status, accountId: isOut ? socialAccountId : null };
    // If the check fails, the slot was written meanwhile, together with these rows.
    await retryWhileLocked(() =>
      kv.atomic().check(entry)
        .set(["slotTime", brandId, scheduledFor, id], time)
        .set(["slotSeries", brandId, id], seriesId)
        .commit()
    );
  }
}
