/** What a series will do in the days to come, calculated by the planner that the pass runs. */
import { z } from "zod";
import { AspectRatio } from "../../media/images/aspect.ts";
import {
  DAY,
  dayOf,
  iso,
  monthOf,
  startOfNextMonth,
  startOfWeek,
  WEEK,
} from "../../foundation/calendar.ts";
import { readCredits } from "../../brands/credits.ts";
import { reader } from "../../kv/transact.ts";
import type { Brand } from "../../brands/brands.ts";
import type { Service } from "../../service/service.ts";
import { readSpent } from "../budget.ts";
import { COLLISION } from "../collisions.ts";
import { SeriesFormat } from "../../platforms/contract/format.ts";
import { project, type ProjectedSlot, type Projection } from "../planning/project.ts";
import { listSeries, readStrategy, type StoredSeries, type Strategy } from "../records.ts";
import { listPlaces } from "../slot_list.ts";
import { isUnmade } from "../facts.ts";
import { slotNow } from "../recipe.ts";

/** Bounds on the work for one request: other series that are compared, and collisions that are shown. */
const MOST_COMPARED = 50;
const MOST_COLLISIONS = 200;

const day = z.string().describe("UTC day, yyyy-mm-dd.");

export const Simulation = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  slots: z.array(z.object({
    id: z.string().nullable().describe("The item, when it is planned already."),
    scheduledFor: z.iso.datetime(),
    format: SeriesFormat,
    aspectRatio: AspectRatio,
    direction: z.string(),
    overlayTemplate: z.string(),
    rationale: z.string(),
    credits: z.int().describe("Credits still to be debited for it."),
  })),
  credits: z.int().describe("Credits of all days."),
  creditsPerDay: z.array(z.object({ day, credits: z.int() })).describe(
    "Days on which images are made; they are made up to 24 hours ahead.",
  ),
  budgetEndsOn: day.nullable().describe(
    "Day of the first slot that is left out because creditBudgetMonthly is spent; null: none is.",
  ),
  creditsEndOn: day.nullable().describe(
    "Day on which the brand's credits no longer cover this series' images; null: they do.",
  ),
  collisions: z.array(z.object({
    scheduledFor: z.iso.datetime(),
    seriesId: z.string(),
    seriesName: z.string(),
    otherScheduledFor: z.iso.datetime(),
    sameAccount: z.boolean(),
  })).describe(
    "Slots of other active series of the brand less than an hour away, the first " +
      `${MOST_COLLISIONS}; of more than ${MOST_COMPARED} series those on the same account are ` +
      "looked at first, then the newest.",
  ),
  assumptions: z.array(z.string()),
}).meta({ id: "Simulation" });
export type Simulation = z.output<typeof Simulation>;

/**
 * Projects the series for the coming `days`; writes nothing and debits nothing.
 * @param series as stored, or one that is not stored yet
 * @throws ServiceError `serviceUnavailable` when a review that is due can't be drafted
 */
export async function simulate(
  service: Service,
  brand: Brand,
  series: StoredSeries,
  days: number,
  signal: AbortSignal,
): Promise<Simulation> {
  const at = service.now();
  const until = at + days * DAY;
  const assumptions: string[] = [];
  const strategy = await strategyNow(service, brand, series, at, assumptions, signal);
  const projection = await projected(service, series, strategy, at, until);
  const perDay = creditsPerDay(projection.slots);
  const [firstUnpaid] = projection.unpaid;
  return {
    from: iso(at),
    to: iso(until),
    slots: projection.slots.map(shownSlot),
    credits: perDay.reduce((sum, { credits }) => sum + credits, 0),
    creditsPerDay: perDay,
    budgetEndsOn: firstUnpaid === undefined ? null : dayOf(firstUnpaid),
    creditsEndOn: await creditsEndOn(service.kv, brand, projection.slots, at),
    collisions: await collisions(service, series, projection.slots, at, until, assumptions),
    assumptions,
  };
}

/** The strategy by which the next pass plans. A review that is due is drafted, but not stored. */
async function strategyNow(
  service: Service,
  brand: Brand,
  series: StoredSeries,
  at: number,
  assumptions: string[],
  signal: AbortSignal,
): Promise<{ strategy: Strategy | null; isNew: boolean }> {
  if (!series.active) assumptions.push("The series is resumed now.");
  if (series.mode === "manual") return { strategy: null, isNew: false };
  assumptions.push("The strategy stays as it is; weekly reviews will change it.");
  const strategy = await readStrategy(reader(service.kv), series.brandId, series.id);
  if (strategy !== null && at - strategy.reviewedAt < WEEK) return { strategy, isNew: false };
  const { draftReview } = await import("./review.ts");
  const review = await draftReview(service, brand, series, signal);
  assumptions.push("The review that is due comes out as it would now.");
  const { playbook, allocation } = review;
  return { strategy: { reviewId: review.id, reviewedAt: at, playbook, allocation }, isNew: true };
}

/** What the series will plan and debit from `now` until `until`. */
export async function projected(
  { kv }: Pick<Service, "kv">,
  series: StoredSeries,
  { strategy, isNew }: { strategy: Strategy | null; isNew: boolean },
  now: number,
  until: number,
): Promise<Projection> {
  const all = await listPlaces(kv, series.brandId, series.id, { from: startOfWeek(now) });
  // A new review drops planned slots without images.
  const dropped = isNew ? all.filter(isUnmade) : [];
  const slots = all.filter((slot) => !dropped.includes(slot)).map((slot) => slotNow(series, slot));
  const months = [now, startOfNextMonth(now), until];
  const spent = await readSpent(kv, series, months);
  const slotsPlanned = series.slotsPlanned - dropped.length;
  return project({ series: { ...series, slotsPlanned }, strategy, slots, spent, now, until });
}

function shownSlot(slot: ProjectedSlot): Simulation["slots"][number] {
  const { id, at, format, aspectRatio, images, debitAt } = slot;
  const { direction, overlayTemplate, rationale } = slot.decision;
  const credits = debitAt === null ? 0 : images;
  const decision = { direction, overlayTemplate, rationale };
  return { id, scheduledFor: iso(at), format, aspectRatio, ...decision, credits };
}

function creditsPerDay(slots: ProjectedSlot[]): { day: string; credits: number }[] {
  const days = new Map<string, number>();
  for (const { debitAt, images } of slots) {
    if (debitAt !== null) days.set(dayOf(debitAt), (days.get(dayOf(debitAt)) ?? 0) + images);
  }
  return [...days].sort(([a], [b]) => a < b ? -1 : 1).map(([day, credits]) => ({ day, credits }));
}

/** The UTC day on which the brand's credits no longer cover the images of these slots; null: they do. */
export async function creditsEndOn(
  kv: Deno.Kv,
  brand: Brand,
  slots: ProjectedSlot[],
  now: number,
): Promise<string | null> {
  const left = new Map<string, number>();
  const debits = slots
    .flatMap(({ debitAt, images }) => debitAt === null ? [] : [{ debitAt, images }])
    .sort((a, b) => a.debitAt - b.debitAt);
  for (const { debitAt, images } of debits) {
    const month = monthOf(debitAt);
    const before = left.get(month) ??
      (await readCredits(kv, brand, Math.max(now, debitAt))).remaining;
    left.set(month, before - images);
    if (before < images) return dayOf(debitAt);
  }
  return null;
}

async function collisions(
  { kv }: Pick<Service, "kv">,
  series: StoredSeries,
  slots: ProjectedSlot[],
  now: number,
  until: number,
  assumptions: string[],
): Promise<Simulation["collisions"]> {
  const sharesAccount = ({ socialAccountId }: StoredSeries) =>
    socialAccountId !== null && socialAccountId === series.socialAccountId;
  const others = (await listSeries(kv, series.brandId))
    .filter((other) => other.id !== series.id && other.active)
    .sort((a, b) => Number(sharesAccount(b)) - Number(sharesAccount(a)));
  if (others.length > MOST_COMPARED) {
    assumptions.push(
      `Only ${MOST_COMPARED} of ${others.length} other series are checked for collisions.`,
    );
  }
  const found: Simulation["collisions"] = [];
  for (const other of others.slice(0, MOST_COMPARED)) {
    const strategy = await readStrategy(reader(kv), other.brandId, other.id);
    const theirs = await projected({ kv }, other, { strategy, isNew: false }, now, until);
    for (const { at } of slots) {
      for (const near of theirs.slots) {
        if (Math.abs(near.at - at) >= COLLISION) continue;
        found.push({
          scheduledFor: iso(at),
          seriesId: other.id,
          seriesName: other.name,
          otherScheduledFor: iso(near.at),
          sameAccount: sharesAccount(other),
        });
      }
    }
  }
  if (found.length > MOST_COLLISIONS) {
    assumptions.push(`The first ${MOST_COLLISIONS} of ${found.length} collisions are shown.`);
  }
  return found.sort((a, b) => a.scheduledFor.localeCompare(b.scheduledFor))
    .slice(0, MOST_COLLISIONS);
}
