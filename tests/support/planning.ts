/** Series, strategies and passes without a store, for tests of the planner. */
import { assert } from "@std/assert";
import { DAY, iso, monthOf } from "../../domain/foundation/calendar.ts";
import { type PlannedSlot, planSlots } from "../../domain/series/planning/planner.ts";
import type { PlannerSlot } from "../../domain/series/planning/week.ts";
import type { StoredSeries, Strategy } from "../../domain/series/records.ts";
import { UNSET } from "../../domain/series/rules.ts";
import { MAKE_AHEAD, PLAN_AHEAD } from "../../domain/series/timing.ts";
import { shares } from "../../domain/series/playbook.ts";
import { NOON } from "./service.ts";

/** A small generator of numbers: each round differs, but every run is the same. */
export function generator(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 % 2 ** 32;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor(state / 2 ** 32 * below);
  };
}

function seriesOf(fields: Partial<StoredSeries>): StoredSeries {
  return {
    ...UNSET,
    id: "ser_01",
    brandId: "brd_01",
    name: "S",
    active: true,
    createdAt: iso(NOON),
    deletedAt: null,
    slotsPlanned: 0,
    drops: 0,
    ...fields,
  };
}

export const manual = (fields: Partial<StoredSeries> = {}) =>
  seriesOf({ mode: "manual", theme: "Bread", format: "post", cadenceDays: 2, ...fields });
export const autopilot = (fields: Partial<StoredSeries> = {}) =>
  seriesOf({ mode: "autopilot", goal: "Sell bread", ...fields });

interface Weights {
  formats?: Record<string, number>;
  directions?: Record<string, number>;
  hours?: Record<string, number>;
  cadence?: number;
}

export function strategyOf(
  { formats = { post: 1 }, directions = { A: 1 }, hours = { 9: 1 }, cadence = 3 }: Weights,
): Strategy {
  const of = (weights: Record<string, number>) =>
    shares(Object.entries(weights).map(([arm, share]) => ({ arm, share })));
  return {
    reviewId: "rev_01",
    reviewedAt: NOON,
    playbook: {
      cadencePerWeek: cadence,
      formatWeights: [],
      postHoursUtc: Object.keys(hours).map(Number),
      directions: [],
      overlayGuidance: "",
      experiments: [],
      summary: "",
    },
    allocation: {
      formats: of(formats),
      directions: of(directions),
      hours: of(hours),
      templates: [],
    },
  };
}

interface Run {
  series: StoredSeries;
  strategy: Strategy | null;
  days: number;
  /** How far apart the passes are, ms. */
  step: number;
  /** What happens to the slots between two passes. */
  meanwhile?: (slots: Planned[], at: number) => void;
}

export type Planned = PlannedSlot & PlannerSlot;

/** Runs one pass after another and keeps their slots, as the store would. */
export function passes({ series, strategy, days, step, meanwhile }: Run): Planned[] {
  let slots: Planned[] = [];
  const spent = new Map<string, number>();
  let place = 0;
  const start = Date.parse(series.createdAt);
  for (let now = start; now <= start + days * DAY; now += step) {
    for (const slot of slots) {
      if (slot.status === "planned" && slot.at - now <= MAKE_AHEAD) make(slot, now, spent);
    }
    const input = { series: { ...series, slotsPlanned: place }, strategy, slots, spent, now };
    const plan = planSlots({ ...input, until: now + PLAN_AHEAD });
    slots = slots.filter((slot) => !plan.drop.includes(slot));
    place += plan.add.length - plan.drop.length;
    for (const slot of plan.add) slots.push(stored(slot));
    for (const slot of slots) {
      if (slot.status === "planned" && slot.at - now <= MAKE_AHEAD) make(slot, now, spent);
    }
    meanwhile?.(slots, now);
  }
  return slots.sort((a, b) => a.at - b.at);
}

function make(slot: Planned, now: number, spent: Map<string, number>): void {
  slot.status = "ready";
  slot.generation = 1;
  spent.set(monthOf(now), (spent.get(monthOf(now)) ?? 0) + slot.images);
}

export function stored(slot: PlannedSlot): Planned {
  return {
    ...slot,
    id: String(slot.at),
    scheduledFor: iso(slot.at),
    status: "planned",
    generation: 0,
    regenerated: false,
  };
}

export function assertShares(
  arms: string[],
  wanted: readonly { arm: string; share: number }[],
): void {
  for (const { arm, share } of wanted) {
    const got = arms.filter((other) => other === arm).length / arms.length;
    assert(Math.abs(got - share) <= 0.05, `${arm}: ${got} for a weight of ${share}`);
  }
}
