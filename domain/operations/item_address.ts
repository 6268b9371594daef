/** How a request names a scheduled post: by its id alone, or by its series and its id. */
import { z } from "zod";
import { requireMayTouch } from "../brands/budgets.ts";
import { notFound, ServiceError } from "../foundation/errors.ts";
import { type Commit, type Reader, transact } from "../kv/transact.ts";
import type { Item } from "../series/item_list.ts";
import { requireSeries, requireSlot, type StoredSlot } from "../series/records.ts";
import { findSlot } from "../series/slot_rows.ts";
import { accountIdOf, isGone, seriesOf } from "../series/steering.ts";
import type { Context } from "./operation.ts";

/** An item in the paths of its series. */
export const SeriesItem = z.object({ id: z.string().describe("The series."), itemId: z.string() });
/** An item of any series, or of none. */
export const AnyItem = z.object({ id: z.string() });

export interface ItemRef {
  itemId: string;
  /** Absent: whatever its series. */
  seriesId?: string;
}

export const inSeries = ({ id, itemId }: z.output<typeof SeriesItem>): ItemRef => ({
  seriesId: id,
  itemId,
});
export const anywhere = ({ id }: z.output<typeof AnyItem>): ItemRef => ({ itemId: id });

/** @throws ServiceError `notFound` */
export async function requireItem(
  from: Reader,
  brandId: string,
  { itemId, seriesId }: ItemRef,
): Promise<Item> {
  if (seriesId !== undefined) {
    const series = await requireSeries(from, brandId, seriesId);
    return { slot: await requireSlot(from, brandId, seriesId, itemId), series };
  }
  const slot = await findSlot(from, brandId, itemId);
  const series = slot === null ? null : await seriesOf(from, slot);
  if (slot === null || isGone(slot, series)) throw notFound("item");
  return { slot, series };
}

/** Reads the item in the commit that changes it, if the key may touch it. */
export function changeItem<T>(
  { kv, brand, key }: Context,
  ref: ItemRef,
  change: (commit: Commit, item: Item) => Promise<T> | T,
): Promise<T> {
  return transact(kv, async (commit) => {
    const item = await requireItem(commit, brand.id, ref);
    requireTouchable(key, item);
    return await change(commit, item);
  });
}

/** @throws ServiceError `forbidden` when the key's budget excludes the item's series or account */
export function requireTouchable(key: Context["key"], { slot, series }: Item): void {
  requireMayTouch(key, { seriesId: slot.seriesId, accountId: accountIdOf(slot, series) });
}

export const ExpectedHash = z.string().max(200).optional().describe(
  "The item's `contentHash` as it was looked at; other content is a conflict.",
);

/** Whether it says nothing of what the caller saw: `*` stands for any content (RFC 9110, 13.1.1). */
export const isAnyContent = (expected: string): boolean => expected.trim() === "*";

/** Compares with what the caller saw; takes an entity tag, too. @throws ServiceError `conflict` */
export function requireExpected(
  slot: StoredSlot,
  contentHash: string | null,
  expected: string | undefined,
): void {
  if (expected === undefined || isAnyContent(expected)) return;
  const hashes = expected.split(",").map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, "$1"));
  if (contentHash !== null && hashes.includes(contentHash)) return;
  throw new ServiceError(
    "conflict",
    `The content of ${slot.id} is not the expected one: its contentHash is ${contentHash}. Look ` +
      "at it again.",
  );
}
