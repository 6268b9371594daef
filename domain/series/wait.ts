/** Waiting for a slot to leave its status, for a client that holds the line. */
import { reader } from "../kv.ts";
import type { Context } from "../operation.ts";
import { awaitEntry } from "../waiting.ts";
import { readSlot, slotKey, type StoredSlot } from "./records.ts";

/** The slot once it has another status, or as it is after `waitMs` of real time; null: it is gone. */
export function awaitMoved(
  { kv, client, stopping }: Context,
  { brandId, seriesId, id, status }: StoredSlot,
  waitMs: number,
): Promise<StoredSlot | null> {
  return awaitEntry(
    kv,
    slotKey(brandId, seriesId, id),
    () => readSlot(reader(kv), brandId, seriesId, id),
    (slot) => slot?.status !== status,
    { waitMs, signal: AbortSignal.any([client.signal, stopping]) },
  );
}
