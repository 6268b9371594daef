/** The strategist: reviews what really happened and sets the playbook of an autopilot series. */
import type { Brand } from "../brands.ts";
import { iso } from "../calendar.ts";
import { ServiceError } from "../errors.ts";
import { newId } from "../ids.ts";
import { type Commit, listValues, reader, transact } from "../kv.ts";
import { write } from "../models/write.ts";
import { imagesOf } from "../series/format.ts";
import {
  readStrategy,
  requireSeries,
  type StoredSeries,
  type Strategy,
} from "../series/records.ts";
import { adoptPlaybook } from "../series/strategy.ts";
import type { Service } from "../service.ts";
import type { Situation } from "./arms.ts";
import { gatherEvidence, periodOf } from "./gather.ts";
import { type Draft, draftPlaybook, type Ground, standing } from "./playbook.ts";
import { proposeDirections } from "./directions.ts";
import type { StoredReview } from "./shape.ts";
import { directionsFrom, playbookTask, worded } from "./writing.ts";

const reviewPrefix = (brandId: string, seriesId: string): Deno.KvKey => [
  "review",
  brandId,
  seriesId,
];

/** The series' reviews, newest first. */
export function listReviews(
  kv: Deno.Kv,
  brandId: string,
  seriesId: string,
  limit: number,
): Promise<StoredReview[]> {
  return listValues(kv, reviewPrefix(brandId, seriesId), { reverse: true, limit });
}

/**
 * Reviews an autopilot series now. The review is stored, its playbook adopted and planned slots
 * without images dropped, all in one commit.
 * @throws ServiceError `conflict` for a manual series, or one that was changed or reviewed meanwhile;
 *   `serviceUnavailable` when the text model does not answer: nothing has changed then
 */
export async function reviewSeries(
  service: Service,
  brand: Pick<Brand, "id">,
  series: StoredSeries,
  signal?: AbortSignal,
): Promise<StoredReview> {
  const { kv } = service;
  const before = await readStrategy(reader(kv), brand.id, series.id);
  const review = await draftReview(service, brand, series, signal);
  await transact(kv, async (commit) => {
    await requireUnchanged(commit, series, before);
    await adoptPlaybook(service, commit, series, review);
    commit.set([...reviewPrefix(brand.id, series.id), review.id], review);
  });
  return review;
}

/** Writing takes the model's time: what a review rests on may be another by then. */
async function requireUnchanged(
  commit: Commit,
  series: StoredSeries,
  before: Strategy | null,
): Promise<void> {
  const { brandId, id } = series;
  const current = await requireSeries(commit, brandId, id);
  const strategy = await readStrategy(commit, brandId, id);
  const groundOf = (each: StoredSeries) => JSON.stringify([each.mode, situationOf(each)]);
  if (groundOf(current) === groundOf(series) && strategy?.reviewId === before?.reviewId) return;
  throw new ServiceError(
    "conflict",
    "The series was changed or reviewed while this review was being written, so it was not " +
      "adopted; read the series and review it again if it needs it.",
  );
}

/** The review as it would be now, without storing it: for simulations. Refuses like `reviewSeries`. */
export async function draftReview(
  service: Service,
  brand: Pick<Brand, "id">,
  series: StoredSeries,
  signal?: AbortSignal,
): Promise<StoredReview> {
  const { kv, now } = service;
  if (series.mode !== "autopilot") {
    throw new ServiceError(
      "conflict",
      "A manual series has no strategist; only an autopilot series can be reviewed.",
    );
  }
  const at = now();
  const period = periodOf(series, at);
  const [strategy, [last]] = await Promise.all([
    readStrategy(reader(kv), brand.id, series.id),
    listReviews(kv, brand.id, series.id, 1),
  ]);
  const situation = situationOf(series);
  const ground: Ground = {
    situation,
    evidence: await gatherEvidence(service, series, period),
    // Directions serve a goal: when it has changed they are proposed anew.
    previous: last?.goal === situation.goal ? strategy?.playbook ?? null : null,
    // Of the series' state, not of the instant: a simulation sees what the review will be.
    seed: `${series.id} after ${last?.id ?? "none"}`,
  };
  const { playbook, figures, allocation, rationale } = await decide(service, ground, signal);
  return {
    id: newId("review", at),
    brandId: brand.id,
    seriesId: series.id,
    goal: situation.goal,
    rationale,
    scoredItems: ground.evidence.scored.length,
    playbook,
    periodStart: iso(period.start),
    periodEnd: iso(period.end),
    createdAt: iso(at),
    seed: ground.seed,
    figures,
    allocation,
  };
}

/** Figures first, words second: what the text model writes never moves a share. */
async function decide(
  service: Pick<Service, "textModel">,
  ground: Ground,
  signal: AbortSignal | undefined,
): Promise<Draft> {
  const plan = standing(ground);
  const { goal, guidance } = ground.situation;
  const known = [...plan.kept, ...plan.dropped];
  const local = proposeDirections(goal, guidance, known, plan.wanted);
  const words = await write(
    service,
    playbookTask(ground, draftPlaybook(ground, plan, local), local),
    signal,
  );
  const fresh = directionsFrom(words.newDirections, known, local);
  return worded(draftPlaybook(ground, plan, fresh), words, ground);
}

function situationOf(series: StoredSeries): Situation {
  return {
    id: series.id,
    goal: series.goal ?? "",
    guidance: series.guidance,
    formats: series.formats,
    hourUtc: series.hourUtc,
    maxPerWeek: series.maxPerWeek,
    postsPerWeek: series.postsPerWeek,
    creditBudgetMonthly: series.creditBudgetMonthly,
    overlay: series.overlay,
    carouselImages: imagesOf("carousel", [series.guidance, series.goal]),
  };
}
