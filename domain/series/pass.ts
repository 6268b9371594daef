/** The pass over one series: review when due, plan, hold what is late, make images, publish. */
import { type Brand, readBrand } from "../brands.ts";
import { iso, startOfWeek, WEEK } from "../calendar.ts";
import { ServiceError } from "../errors.ts";
import { type Commit, reader, transact } from "../kv.ts";
import { faultFields } from "../log.ts";
import type { Service } from "../service.ts";
import { readSocialAccount, type SocialAccount } from "../social.ts";
import { readSpent } from "./budget.ts";
import { holdSlot } from "./hold.ts";
import { makeImages } from "./make.ts";
import { MAKE_AHEAD, PLAN_AHEAD, type PlannedSlot, planSlots } from "./planner.ts";
import { claimSlot, LATE, refusalOf } from "./publishing.ts";
import { reviewSeries } from "../strategist/strategist.ts";
import {
  listSlots,
  LOOK_BACK,
  readSeries,
  readSlot,
  readStrategy,
  requireSeries,
  requireSlot,
  seriesKey,
  slotId,
  type StoredSeries,
  type StoredSlot,
} from "./records.ts";
import { slotNow } from "./recipe.ts";
import { addSlot } from "./states.ts";
import { dropSlot } from "./strategy.ts";

/** Notes a slot on which work was started, in the commit that starts it. */
export type Started = (commit: Commit, slot: StoredSlot) => void;

export interface SeriesPass {
  planned: number;
  held: number;
}

/** Runs the pass over an active series; a paused or deleted one is left alone. */
export async function passSeries(
  service: Service,
  brandId: string,
  seriesId: string,
  started: Started,
): Promise<SeriesPass> {
  const series = await readSeries(reader(service.kv), brandId, seriesId);
  const done: SeriesPass = { planned: 0, held: 0 };
  if (series === null || !series.active) return done;
  const brand = await readBrand(service.kv, brandId);
  await reviewWhenDue(service, brand, series);
  done.planned = await plan(service, brandId, seriesId);
  const account = await readSocialAccount(service.kv, brandId, series.socialAccountId ?? "");
  const from = service.now() - LOOK_BACK;
  for (const slot of await listSlots(service.kv, brandId, seriesId, { from })) {
    const held = await attend(service, brand, series, account, slot, started);
    if (held) done.held++;
  }
  return done;
}

/** Reviews before the first plan, then weekly. Without an answer the strategy in force goes on. */
async function reviewWhenDue(service: Service, brand: Brand, series: StoredSeries) {
  if (series.mode !== "autopilot") return;
  const strategy = await readStrategy(reader(service.kv), series.brandId, series.id);
  if (strategy !== null && service.now() - strategy.reviewedAt < WEEK) return;
  try {
    await reviewSeries(service, brand, series);
  } catch (error) {
    // The text model is away, or the series has changed meanwhile: the next pass reviews it.
    if (!(error instanceof ServiceError)) throw error;
    service.log.warn("series.review", { series: series.id, ...faultFields(error) });
  }
}

/** Adds what the planner says and drops what the budget no longer covers; answers how many were added. */
function plan(service: Service, brandId: string, seriesId: string): Promise<number> {
  const { kv, now } = service;
  return transact(kv, async (commit) => {
    // Whatever changes the set of slots writes the series: so this read guards the list below.
    const series = await readSeries(commit, brandId, seriesId);
    if (series === null || !series.active) return 0;
    const at = now();
    const strategy = await readStrategy(commit, brandId, seriesId);
    const until = at + PLAN_AHEAD;
    const slots = (await listSlots(kv, brandId, seriesId, { from: startOfWeek(at) }))
      .map((slot) => slotNow(series, slot));
    const spent = series.creditBudgetMonthly === null
      ? new Map<string, number>()
      : await readSpent(kv, series, [at, until]);
    const { add, drop } = planSlots({ series, strategy, slots, spent, now: at, until });
    if (add.length === 0 && drop.length === 0) return 0;
    for (const { id } of drop) {
      const slot = await readSlot(commit, brandId, seriesId, id);
      if (slot !== null) dropSlot(commit, slot);
    }
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
    id: slotId(series, planned.at),
    brandId: series.brandId,
    seriesId: series.id,
    status: "planned",
    scheduledFor: iso(planned.at),
    format: planned.format,
    aspectRatio: planned.aspectRatio,
    decision: planned.decision,
    reviewId: planned.reviewId,
    images: planned.images,
    regenerated: false,
    generation: 0,
    creationIds: [],
    caption: "",
    hashtags: [],
    error: null,
    heldFor: null,
    publication: null,
    platform: null,
    socialAccountId: null,
    publishedAt: null,
    externalPostId: null,
    url: null,
    createdAt: iso(at),
    events: 0,
  };
}

/** Does for one slot what is due; true when it was held. */
async function attend(
  service: Service,
  brand: Brand,
  series: StoredSeries,
  account: SocialAccount | null,
  slot: StoredSlot,
  started: Started,
): Promise<boolean> {
  const at = service.now();
  const due = Date.parse(slot.scheduledFor);
  const late = series.socialAccountId !== null && at - due > LATE;
  try {
    if (slot.status === "planned") {
      if (late && !slot.regenerated) return await holdLate(service, slot);
      if (slot.regenerated || due - at <= MAKE_AHEAD) {
        return await make(service, brand, slot, started);
      }
    }
    if (slot.status === "ready") {
      if (late) return await holdLate(service, slot);
      const open = (slot.publication?.retryAt ?? 0) <= at && refusalOf(account) === null;
      if (due <= at && open) await publish(service, slot, account!, started);
    }
  } catch (error) {
    // Someone else was faster, or the text model is away: the next pass looks again.
    if (!(error instanceof ServiceError)) throw error;
    service.log.info("series.slot", { slot: slot.id, ...faultFields(error) });
  }
  return false;
}

async function make(
  service: Service,
  brand: Brand,
  slot: StoredSlot,
  started: Started,
): Promise<boolean> {
  const made = await makeImages(service, brand, slot, (commit, next) => {
    if (next?.status === "generating") started(commit, next);
  });
  return made?.status === "held";
}

function holdLate(service: Service, slot: StoredSlot): Promise<boolean> {
  return transact(service.kv, async (commit) => {
    const stored = await requireSlot(commit, slot.brandId, slot.seriesId, slot.id);
    if (stored.status !== slot.status) return false;
    const cure = slot.status === "ready"
      ? "Publish it by hand, or skip it."
      : "Regenerate it and publish it by hand, or skip it.";
    await holdSlot(service, commit, stored, {
      reason: "late",
      error: `Its time passed more than 24 hours ago. ${cure}`,
    });
    return true;
  });
}

async function publish(
  service: Service,
  slot: StoredSlot,
  account: SocialAccount,
  started: Started,
): Promise<void> {
  await transact(service.kv, async (commit) => {
    const series = await requireSeries(commit, slot.brandId, slot.seriesId);
    const stored = await requireSlot(commit, slot.brandId, slot.seriesId, slot.id);
    if (!series.active || stored.status !== "ready" || series.socialAccountId !== account.id) {
      return;
    }
    const goodUntil = Date.parse(stored.scheduledFor) + LATE;
    const claim = { cause: "Due, by its schedule.", goodUntil };
    started(commit, await claimSlot(service, commit, stored, account, claim));
  });
}
