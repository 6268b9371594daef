/** What decides about a scheduled post: its series, or for a one-off post only what people set. */
import type { Reader } from "../kv/transact.ts";
import { requireSeries, seriesKey, type StoredSeries, type StoredSlot } from "./records.ts";

/** The live series of a slot; null for a one-off post. @throws ServiceError `notFound` */
export async function requireSeriesOf(
  from: Reader,
  { brandId, seriesId }: Pick<StoredSlot, "brandId" | "seriesId">,
): Promise<StoredSeries | null> {
  return seriesId === null ? null : await requireSeries(from, brandId, seriesId);
}

/** The series of a slot even if it was deleted; null for a one-off post. */
export async function seriesOf(
  from: Reader,
  { brandId, seriesId }: Pick<StoredSlot, "brandId" | "seriesId">,
): Promise<StoredSeries | null> {
  return seriesId === null ? null : await from.get<StoredSeries>(seriesKey(brandId, seriesId));
}

/** Whether clients no longer see the slot, because its series was deleted before it was published. */
export function isGone({ status }: Pick<StoredSlot, "status">, series: StoredSeries | null) {
  return series !== null && series.deletedAt !== null && status !== "published";
}

/** Whether passes leave the series' posts alone. One-off posts are never paused. */
export function isPaused(series: StoredSeries | null): boolean {
  return series !== null && !series.active;
}

/** The account to which the post goes, or null. */
export function accountIdOf(
  { accountId = null }: Pick<StoredSlot, "accountId">,
  series: Pick<StoredSeries, "socialAccountId"> | null,
): string | null {
  return accountId ?? series?.socialAccountId ?? null;
}

/** Why a person must release the post before a pass publishes it; null: nobody need. */
export function releaseNeeded(
  { needsApproval = false, decision }: Pick<StoredSlot, "needsApproval" | "decision">,
  series: StoredSeries | null,
): "approval" | "draft" | null {
  if (needsApproval || (series?.needsApproval ?? false)) return "approval";
  return decision.draft === true && series?.publishDrafts === false ? "draft" : null;
}

/** Whether a person approved exactly this content. */
export function isApproved(
  { approval = null }: Pick<StoredSlot, "approval">,
  contentHash: string | null,
): boolean {
  return approval !== null && approval.contentHash === contentHash;
}
