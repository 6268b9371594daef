/** The door to the strategist: where series ask for reviews. */
import type { Brand } from "../brands.ts";
import { iso } from "../calendar.ts";
import { newId } from "../ids.ts";
import { listValues, transact } from "../kv.ts";
import type { Service } from "../service.ts";
import { allocationOf, type Review, shownReview, type StoredReview } from "../strategist/shape.ts";
import type { StoredSeries } from "./records.ts";
import { adoptPlaybook } from "./strategy.ts";

export function listReviews(kv: Deno.Kv, brandId: string, seriesId: string, limit: number) {
  return listValues<StoredReview>(kv, ["review", brandId, seriesId], { reverse: true, limit });
}

// deno-lint-ignore require-await -- a text model may write it
export async function draftReview(
  service: Service,
  _brand: Brand,
  series: StoredSeries,
  _signal?: AbortSignal,
): Promise<StoredReview> {
  const at = service.now();
  const playbook = {
    cadencePerWeek: 3,
    formatWeights: series.formats.map((format) => ({ format, weight: 1 / series.formats.length })),
    postHoursUtc: [series.hourUtc],
    directions: ["Behind the scenes", "A question", "A tip"].map((direction) => ({
      direction,
      action: "test" as const,
      rationale: "Nothing was published yet.",
    })),
    overlayGuidance: "",
    experiments: [],
    summary: "",
  };
  return {
    id: newId("review", at),
    brandId: series.brandId,
    seriesId: series.id,
    rationale: "Nothing was published yet.",
    scoredItems: 0,
    playbook,
    periodStart: series.createdAt,
    periodEnd: iso(at),
    createdAt: iso(at),
    goal: series.goal ?? "",
    seed: "",
    figures: [],
    allocation: allocationOf(playbook),
  };
}

export async function reviewSeries(
  service: Service,
  brand: Brand,
  series: StoredSeries,
): Promise<Review> {
  const review = await draftReview(service, brand, series);
  return await transact(service.kv, async (commit) => {
    commit.set(["review", series.brandId, series.id, review.id], review);
    await adoptPlaybook(service, commit, series, review);
    return shownReview(review);
  });
}
