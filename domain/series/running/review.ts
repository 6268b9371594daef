/** Reviews of an autopilot series: the strategist gets the evidence, and its playbook is put in force. */
import type { Brand } from "../../brands/brands.ts";
import { iso, WEEK } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import { audit } from "../../kv/audit.ts";
import { emit } from "../../kv/outbox.ts";
import { type Commit, reader, transact } from "../../kv/transact.ts";
import { write } from "../../models/write.ts";
import { imagesOf } from "../format.ts";
import { readStrategy, requireSeries, type StoredSeries, type Strategy } from "../records.ts";
import { adoptPlaybook } from "../strategy.ts";
import type { Service } from "../../service/service.ts";
import type { Situation } from "../strategist/arms.ts";
import { gather, type Gathered, periodOf } from "./gather.ts";
import { listReviews, listReviewsBetween, reviewKey } from "../reviews.ts";
import type { Ground, Proposal } from "../strategist/ground.ts";
import { candidatesFor, proposePlaybook } from "../strategist/playbook.ts";
import { directionsFrom, proposeDirections } from "../strategist/directions.ts";
import { NO_SCORE, type StoredReview } from "../playbook.ts";
import { judge, type Judged, scoreAfter, scoreWords } from "../strategist/score.ts";
import { playbookTask, worded } from "../strategist/writing.ts";

/**
 * Reviews an autopilot series now. The review is stored, its playbook adopted and planned slots
 * without images dropped, all in one commit.
 * @throws ServiceError `conflict` for a manual series, or one that was changed or reviewed meanwhile;
 *   `serviceUnavailable` when the text model does not answer. In all cases nothing has changed.
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
    commit.set(reviewKey(brand.id, series.id, review.id), review);
    audit(commit, service, { action: "series.reviewed", of: brand.id, subject: series.id });
    const data = { reviewId: review.id, seriesId: series.id };
    emit(commit, { brandId: brand.id, type: "review.created", at: service.now(), data });
  });
  return review;
}

/** The text model may take minutes to answer, and the series may have changed meanwhile. */
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
    "The series was changed or reviewed while this review was being written, so this review was " +
      "not kept. Read the series and review it again if needed.",
  );
}

/** The review as it would be now, without storing it, for simulations. Throws like `reviewSeries`. */
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
      "Only an autopilot series can be reviewed, because a manual series has no strategist.",
    );
  }
  const at = now();
  const period = periodOf(series, at);
  const [strategy, [last]] = await Promise.all([
    readStrategy(reader(kv), brand.id, series.id),
    listReviews(kv, brand.id, series.id, 1),
  ]);
  const situation = situationOf(series);
  const isSameGoal = last?.goal === situation.goal;
  const gathered = await gather(service, series, period);
  const ground: Ground = {
    situation,
    evidence: gathered.evidence,
    // A direction serves one goal, so a new goal starts with new directions.
    previous: isSameGoal ? strategy?.playbook ?? null : null,
    // The seed does not depend on the time, so a simulation shows the same review.
    seed: `${series.id} after ${last?.id ?? "none"}`,
    at,
    experiments: isSameGoal ? last?.experiments ?? [] : [],
  };
  const judged = await judgedNow(service, series, gathered, last ?? null, at);
  const score = scoreAfter(last?.score ?? NO_SCORE, judged);
  const { rationale, ...proposal } = await decide(service, ground, signal);
  return {
    id: newId("review", at),
    brandId: brand.id,
    seriesId: series.id,
    goal: situation.goal,
    rationale: `${rationale}\n${scoreWords(score)}`,
    scoredItems: ground.evidence.scored.length,
    periodStart: iso(period.start),
    periodEnd: iso(period.end),
    createdAt: iso(at),
    seed: ground.seed,
    ...proposal,
    score,
  };
}

/** Statements are judged by the posts of this long after them. */
const JUDGED_AFTER = 4 * WEEK;

/** Judges the reviews that became four weeks old since the last review, each of them once. */
async function judgedNow(
  { kv }: Service,
  { brandId, id }: StoredSeries,
  gathered: Gathered,
  last: StoredReview | null,
  at: number,
): Promise<Judged[]> {
  if (last === null) return [];
  const from = Date.parse(last.createdAt) - JUDGED_AFTER + 1;
  const due = await listReviewsBetween(kv, brandId, id, from, at - JUDGED_AFTER);
  return due.flatMap(({ figures, noise, createdAt }) => {
    const since = Date.parse(createdAt);
    return noise === undefined
      ? []
      : judge({ figures, noise }, gathered.evidenceBetween(since, since + JUDGED_AFTER));
  });
}

/** Calculates first and writes second, so that the text model's words never change a share. */
async function decide(
  service: Pick<Service, "textModel">,
  ground: Ground,
  signal: AbortSignal | undefined,
): Promise<Proposal> {
  const plan = candidatesFor(ground);
  const { goal, guidance } = ground.situation;
  const known = [...plan.kept, ...plan.dropped];
  const local = proposeDirections(goal, guidance, known, plan.wanted);
  const words = await write(
    service,
    playbookTask(ground, proposePlaybook(ground, plan, local), local),
    signal,
  );
  const fresh = directionsFrom(words.newDirections, known, local);
  return worded(proposePlaybook(ground, plan, fresh), words, ground);
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
