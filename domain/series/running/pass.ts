/** The pass over one series: reviews when due, plans, holds what is late, makes images, publishes. */
import { type Brand, requireBrand } from "../../brands/brands.ts";
import { iso, startOfWeek, WEEK } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { reader, transact } from "../../kv/transact.ts";
import { faultFields } from "../../foundation/log.ts";
import type { Service } from "../../service/service.ts";
import { readSpent } from "../budget.ts";
import { type PlannedSlot, planSlots } from "../planning/planner.ts";
import { NEW_SLOT } from "../new_slot.ts";
import { giveTopics } from "../making/topics.ts";
import { reviewSeries } from "./review.ts";
import { attendAll, type Started } from "./attend.ts";
import {
  LOOK_BACK,
  readSeries,
  readStrategy,
  seriesKey,
  slotId,
  slotsVersionKey,
  type StoredSeries,
  type StoredSlot,
} from "../records.ts";
import { listPlaces, listSlots } from "../slot_list.ts";
import { slotNow } from "../recipe.ts";
import { PLAN_AHEAD } from "../timing.ts";
import { addSlot } from "../states.ts";
import { dropSlot } from "../strategy.ts";

interface SeriesPass {
  planned: number;
  held: number;
}

/** Runs the pass over an active series. Does nothing for a paused or deleted one. */
export async function passSeries(
  service: Service,
  brandId: string,
  seriesId: string,
  started: Started,
): Promise<SeriesPass> {
  const series = await readSeries(reader(service.kv), brandId, seriesId);
  if (series === null || !series.active) return { planned: 0, held: 0 };
  const brand = await requireBrand(reader(service.kv), brandId);
  await reviewWhenDue(service, brand, series);
  const planned = await plan(service, brandId, seriesId);
  const list = () => listSlots(service.kv, brandId, seriesId, { from: service.now() - LOOK_BACK });
  const known = await list();
  const isNew = await giveTopics(service, series, known.map((slot) => slotNow(series, slot)));
  const slots = isNew ? await list() : known;
  return { planned, held: await attendAll(service, brand, series, slots, started) };
}

/** Reviews before the first plan, then weekly. If a review fails, the strategy in force stays. */
async function reviewWhenDue(service: Service, brand: Brand, series: StoredSeries) {
  if (series.mode !== "autopilot") return;
  const strategy = await readStrategy(reader(service.kv), series.brandId, series.id);
  if (strategy !== null && service.now() - strategy.reviewedAt < WEEK) return;
  try {
    await reviewSeries(service, brand, series);
  } catch (error) {
    // The text model did not answer, or the series was changed meanwhile: the next pass tries again.
    if (!(error instanceof ServiceError)) throw error;
    service.log.warn("series.review", { series: series.id, ...faultFields(error) });
  }
}

/** Adds the slots that the planner wants and drops those it can't pay. Returns how many were added. */
function plan(service: Service, brandId: string, seriesId: string): Promise<number> {
  const { kv, now } = service;
  return transact(kv, async (commit) => {
    const series = await readSeries(commit, brandId, seriesId);
    if (series === null || !series.active) return 0;
    const at = now();
    const strategy = await readStrategy(commit, brandId, seriesId);
    // Every change to a slot also writes this, so this read guards the list below.
    await commit.get(slotsVersionKey(brandId, seriesId));
    const until = at + PLAN_AHEAD;
    const slots = (await listPlaces(kv, brandId, seriesId, { from: startOfWeek(at) }))
      .map((slot) => slotNow(series, slot));
    const spent = series.creditBudgetMonthly === null
      ? new Map<string, number>()
      : await readSpent(kv, series, [at, until]);
    const { add, drop } = planSlots({ series, strategy, slots, spent, now: at, until });
    if (add.length === 0 && drop.length === 0) return 0;
    const dropped = new Set(drop.map(({ id }) => id));
    for (const slot of slots) if (dropped.has(slot.id)) dropSlot(commit, slot);
    const drops = series.drops + (drop.length > 0 ? 1 : 0);
    for (const planned of add) {
      const slot = newSlot({ ...series, drops }, planned, at);
      addSlot(commit, slot, { at, cause: slot.decision.rationale });
    }
    const slotsPlanned = series.slotsPlanned - drop.length + add.length;
    commit.set(seriesKey(brandId, seriesId), { ...series, slotsPlanned, drops });
    return add.length;
  });
}

function newSlot(series: StoredSeries, planned: PlannedSlot, at: number): StoredSlot {
  return {
    ...NEW_SLOT,
    id: slotId(series, planned.at),
    brandId: series.brandId,
    seriesId: series.id,
    scheduledFor: iso(planned.at),
    format: planned.format,
    aspectRatio: planned.aspectRatio,
    decision: planned.decision,
    reviewId: planned.reviewId,
    images: planned.images,
    createdAt: iso(at),
  };
}
