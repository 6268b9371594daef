/** An autopilot's reviews as stored: keys, reads, and the return to the playbook of an earlier one. */
import { notFound, ServiceError } from "../foundation/errors.ts";
import { idsFrom, isId } from "../foundation/ids.ts";
import { audit } from "../kv/audit.ts";
import { listValues, type Reader, transact } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import type { StoredReview } from "./playbook.ts";
import { requireSeries } from "./records.ts";
import { adoptPlaybook } from "./strategy.ts";

export const reviewKey = (brandId: string, seriesId: string, id: string): Deno.KvKey => [
  "review",
  brandId,
  seriesId,
  id,
];

/** The series' reviews, newest first. */
export function listReviews(
  kv: Deno.Kv,
  brandId: string,
  seriesId: string,
  limit: number,
): Promise<StoredReview[]> {
  return listValues(kv, ["review", brandId, seriesId], { reverse: true, limit });
}

/** Reviews made between two instants (ms), both inclusive, oldest first. */
export async function listReviewsBetween(
  kv: Deno.Kv,
  brandId: string,
  seriesId: string,
  from: number,
  to: number,
): Promise<StoredReview[]> {
  // Ids start with the instant, so a range of time is one of keys.
  const start = reviewKey(brandId, seriesId, idsFrom("review", Math.max(0, from)));
  const end = reviewKey(brandId, seriesId, idsFrom("review", Math.max(0, to + 1)));
  const found = await Array.fromAsync(kv.list<StoredReview>({ start, end }));
  return found.map(({ value }) => value);
}

/** @throws ServiceError `notFound` */
async function requireReview(
  from: Reader,
  brandId: string,
  seriesId: string,
  id: string,
): Promise<StoredReview> {
  const review = isId("review", id)
    ? await from.get<StoredReview>(reviewKey(brandId, seriesId, id))
    : null;
  if (review === null) throw notFound("review");
  return review;
}

/**
 * Returns to the playbook of an earlier review, until the next one. Planned slots without images are
 * dropped, so that the next pass plans by it.
 * @throws ServiceError `notFound`; `conflict` for a manual series or a playbook of another goal
 */
export function adoptReview(
  service: Service,
  brandId: string,
  seriesId: string,
  reviewId: string,
): Promise<void> {
  return transact(service.kv, async (commit) => {
    const series = await requireSeries(commit, brandId, seriesId);
    const review = await requireReview(commit, brandId, seriesId, reviewId);
    if (series.mode !== "autopilot") {
      throw new ServiceError(
        "conflict",
        "Only an autopilot series can adopt a playbook, because a manual series follows its recipe.",
      );
    }
    if (review.goal !== series.goal) {
      throw new ServiceError(
        "conflict",
        "That playbook was written for another goal, so its directions don't fit. Set that goal " +
          "again first, or review the series.",
      );
    }
    await adoptPlaybook(service, commit, series, review, service.now());
    audit(commit, service, { action: "series.changed", of: brandId, subject: seriesId });
  });
}
