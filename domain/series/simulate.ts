/** `simulate`: what a series will do in the days to come, by the planner that the pass runs. */
import { z } from "zod";
import { AspectRatio } from "../aspect.ts";
import {
  DAY,
  dayOf,
  HOUR,
  iso,
  monthOf,
  startOfNextMonth,
  startOfWeek,
  WEEK,
} from "../calendar.ts";
import { readCredits } from "../credits.ts";
import { reader } from "../kv.ts";
import { type Context, operation } from "../operation.ts";
import type { Brand } from "../brands.ts";
import type { Service } from "../service.ts";
import { readSpent } from "./budget.ts";
import { SeriesFormat } from "./format.ts";
import { project, type ProjectedSlot, type Projection } from "./project.ts";
import {
  listSeries,
  listSlots,
  readStrategy,
  requireSeries,
  type StoredSeries,
  type Strategy,
} from "./records.ts";
import { slotNow } from "./recipe.ts";
import { isUnmade } from "./strategy.ts";

/** Slots of two series that are nearer than this compete for the same people. */
const COLLISION = HOUR;
/** Other series that are projected, and collisions that are shown: an answer costs one request. */
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

export const simulateSeries = operation({
  id: "simulateSeries",
  group: "Series",
  summary: "Show what a series will do in the days to come, without doing it.",
  description: "The planner that the pass runs, on a virtual clock. Nothing is written, nothing " +
    "is debited. A paused series is shown as if it were resumed now.",
  scopes: ["createRead"],
  costs: "request",
  errors: ["notFound", "serviceUnavailable"],
  input: z.object({
    id: z.string(),
    days: z.int().min(1).max(60).default(30).describe("How far to look ahead."),
  }),
  output: Simulation,
  run: async (context, { id, days }) => {
    const { kv, brand, now } = context;
    const series = await requireSeries(reader(kv), brand.id, id);
    const at = now();
    const until = at + days * DAY;
    const assumptions: string[] = [];
    const strategy = await strategyNow(context, series, at, assumptions);
    const projection = await projected(context, series, strategy, at, until);
    const perDay = creditsPerDay(projection.slots);
    return {
      from: iso(at),
      to: iso(until),
      slots: projection.slots.map(shownSlot),
      credits: perDay.reduce((sum, { credits }) => sum + credits, 0),
      creditsPerDay: perDay,
      budgetEndsOn: projection.unpaid.length > 0 ? dayOf(projection.unpaid[0]!) : null,
      creditsEndOn: await creditsEndOn(context, brand, projection.slots, at),
      collisions: await collisions(context, series, projection.slots, at, until, assumptions),
      assumptions,
    };
  },
});

/** The strategy by which the next pass plans: a review that is due is drafted, not stored. */
async function strategyNow(
  context: Context,
  series: StoredSeries,
  at: number,
  assumptions: string[],
): Promise<{ strategy: Strategy | null; isNew: boolean }> {
  if (!series.active) assumptions.push("The series is resumed now.");
  if (series.mode === "manual") return { strategy: null, isNew: false };
  assumptions.push("The strategy stays as it is; weekly reviews will change it.");
  const strategy = await readStrategy(reader(context.kv), series.brandId, series.id);
  if (strategy !== null && at - strategy.reviewedAt < WEEK) return { strategy, isNew: false };
  const { draftReview } = await import("../strategist/strategist.ts");
  const review = await draftReview(context, context.brand, series, context.client.signal);
  assumptions.push("The review that is due comes out as it would now.");
  const { playbook, allocation } = review;
  return { strategy: { reviewId: review.id, reviewedAt: at, playbook, allocation }, isNew: true };
}

async function projected(
  { kv }: Pick<Service, "kv">,
  series: StoredSeries,
  { strategy, isNew }: { strategy: Strategy | null; isNew: boolean },
  now: number,
  until: number,
): Promise<Projection> {
  const all = await listSlots(kv, series.brandId, series.id, { from: startOfWeek(now) });
  // A new review drops what has no images yet.
  const dropped = isNew ? all.filter(isUnmade) : [];
  const slots = all.filter((slot) => !dropped.includes(slot)).map((slot) => slotNow(series, slot));
  const months = [now, startOfNextMonth(now), until];
  const spent = await readSpent(kv, series, months);
  const slotsPlanned = series.slotsPlanned - dropped.length;
  return project({ series: { ...series, slotsPlanned }, strategy, slots, spent, now, until });
}

function shownSlot(slot: ProjectedSlot): Simulation["slots"][number] {
  const { id, at, format, aspectRatio, images, debitAt, decision } = slot;
  const credits = debitAt === null ? 0 : images;
  return { id, scheduledFor: iso(at), format, aspectRatio, ...decision, credits };
}

function creditsPerDay(slots: ProjectedSlot[]): { day: string; credits: number }[] {
  const days = new Map<string, number>();
  for (const { debitAt, images } of slots) {
    if (debitAt !== null) days.set(dayOf(debitAt), (days.get(dayOf(debitAt)) ?? 0) + images);
  }
  return [...days].sort(([a], [b]) => a < b ? -1 : 1).map(([day, credits]) => ({ day, credits }));
}

async function creditsEndOn(
  { kv }: Service,
  brand: Brand,
  slots: ProjectedSlot[],
  now: number,
): Promise<string | null> {
  const left = new Map<string, number>();
  const paid = slots.filter(({ debitAt }) => debitAt !== null)
    .sort((a, b) => a.debitAt! - b.debitAt!);
  for (const { debitAt, images } of paid) {
    const month = monthOf(debitAt!);
    if (!left.has(month)) {
      left.set(month, (await readCredits(kv, brand, Math.max(now, debitAt!))).remaining);
    }
    left.set(month, left.get(month)! - images);
    if (left.get(month)! < 0) return dayOf(debitAt!);
  }
  return null;
}

async function collisions(
  { kv, brand }: Context,
  series: StoredSeries,
  slots: ProjectedSlot[],
  now: number,
  until: number,
  assumptions: string[],
): Promise<Simulation["collisions"]> {
  const sharesAccount = ({ socialAccountId }: StoredSeries) =>
    socialAccountId !== null && socialAccountId === series.socialAccountId;
  const others = (await listSeries(kv, brand.id))
    .filter((other) => other.id !== series.id && other.active)
    .sort((a, b) => Number(sharesAccount(b)) - Number(sharesAccount(a)));
  if (others.length > MOST_COMPARED) {
    assumptions.push(
      `Collisions are looked for with ${MOST_COMPARED} of ${others.length} other series.`,
    );
  }
  const found: Simulation["collisions"] = [];
  for (const other of others.slice(0, MOST_COMPARED)) {
    const strategy = await readStrategy(reader(kv), brand.id, other.id);
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
