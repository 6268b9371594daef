/**
 * Which slots a series gets. Pure: the result depends only on the series, its slots, its strategy, what was
 * spent and the instant. What the service calls of this folder:
 * - here: `planSlots`, what a pass adds and drops;
 * - `project.ts`: `project`, what all passes until an instant will plan and debit.
 */
import type { AspectRatio } from "../../media/images/aspect.ts";
import {
  DAY,
  HOUR,
  iso,
  monthOf,
  startOfDay,
  startOfWeek,
  WEEK,
} from "../../foundation/calendar.ts";
import { choose, costliest, costOf, type SlotChoice } from "./choose.ts";
import type { SeriesFormat } from "../../platforms/contract/format.ts";
import { imagesOf, ratioOf } from "../format.ts";
import { isManual, isUnmade, type ManualSeries } from "../facts.ts";
import type { Decision, StoredSeries, Strategy } from "../records.ts";
import { MAKE_AHEAD } from "../timing.ts";
import { openParts, placeOf, type PlannerSlot } from "./week.ts";

interface PlanInput {
  series: StoredSeries;
  /** Null before the first review; then an autopilot plans nothing. */
  strategy: Strategy | null;
  /** All slots from the start of the present ISO week on; older ones may be left out. */
  slots: PlannerSlot[];
  /** Credits debited for the series, by UTC month, yyyy-mm. */
  spent: ReadonlyMap<string, number>;
  /** Instants, ms. Slots are planned after `now`, up to `until`. */
  now: number;
  until: number;
}

export interface PlannedSlot {
  /** Instant, ms. */
  at: number;
  format: SeriesFormat;
  aspectRatio: AspectRatio;
  images: number;
  decision: Decision;
  reviewId: string | null;
}

interface Plan {
  add: PlannedSlot[];
  /** Planned slots without images that the month's budget no longer covers. */
  drop: PlannerSlot[];
  /** Instants (ms) of slots that were left out because their month's budget is spent. */
  unpaid: number[];
}

export function planSlots(input: PlanInput): Plan {
  const { series } = input;
  if (isManual(series)) return { add: planGrid(series, input), drop: [], unpaid: [] };
  return planAutopilot(input);
}

/** The next `hourUtc` after the series' creation: where a manual series' grid begins. */
function gridStart({ createdAt, hourUtc }: StoredSeries): number {
  const created = Date.parse(createdAt);
  const today = startOfDay(created) + hourUtc * HOUR;
  return today > created ? today : today + DAY;
}

/** Every `cadenceDays` from the grid's start on. Instants that have passed are not made up for. */
function planGrid(series: ManualSeries, { slots, now, until }: PlanInput): PlannedSlot[] {
  const step = series.cadenceDays * DAY;
  const start = gridStart(series);
  const taken = new Set(slots.flatMap((slot) => [placeOf(slot), Date.parse(slot.scheduledFor)]));
  const first = now < start ? start : start + (Math.floor((now - start) / step) + 1) * step;
  const planned: PlannedSlot[] = [];
  for (let at = first; at <= until; at += step) {
    if (!taken.has(at)) planned.push(manualSlot(series, at));
  }
  return planned;
}

function manualSlot(series: ManualSeries, at: number): PlannedSlot {
  const { format, theme } = series;
  const every = series.cadenceDays === 1 ? "Every day" : `Every ${series.cadenceDays} days`;
  return {
    at,
    format,
    aspectRatio: ratioOf(format, series.aspectRatio),
    images: imagesOf(format, [series.guidance, theme]),
    decision: {
      direction: theme,
      overlayTemplate: series.overlay?.template ?? "none",
      rationale: `${every} at ${clock(series.hourUtc)} UTC, counted from ${
        iso(gridStart(series)).slice(0, 10)
      }.`,
    },
    reviewId: null,
  };
}

function planAutopilot(input: PlanInput): Plan {
  const { series, strategy, slots, now, until } = input;
  const budget = new Budget(input);
  const drop = slots.filter((slot) => !budget.covers(slot));
  if (strategy === null) return { add: [], drop, unpaid: [] };
  const kept = slots.filter((slot) => !drop.includes(slot));
  const add: PlannedSlot[] = [];
  const unpaid: number[] = [];
  const most = costliest(series, strategy);
  let place = series.slotsPlanned - drop.length;
  for (let week = startOfWeek(now); week <= until; week += WEEK) {
    const next = () => choose(series, strategy, place);
    for (const { at, choice } of openParts({ series, strategy, week, slots: kept, now, next })) {
      if (at > until) break;
      const slot = autopilotSlot(series, strategy, at, choice);
      // Once a month can't pay for the costliest format it gets no more slots; otherwise its end
      // would prefer cheap formats.
      if (!budget.hasRoom(slot.at, most)) {
        unpaid.push(at);
        continue;
      }
      budget.take(slot);
      add.push(slot);
      place++;
    }
  }
  return { add, drop, unpaid };
}

function autopilotSlot(
  series: StoredSeries,
  strategy: Strategy,
  at: number,
  choice: SlotChoice,
): PlannedSlot {
  const { format, direction, template } = choice;
  return {
    at,
    format,
    aspectRatio: ratioOf(format, series.aspectRatio),
    images: costOf(series, format),
    decision: { direction, overlayTemplate: template, rationale: choice.rationale },
    reviewId: strategy.reviewId,
  };
}

/** Credits of each UTC month: those that were debited, and those that planned slots will need. */
class Budget {
  readonly #monthly: number;
  readonly #taken: Map<string, number>;
  readonly #now: number;

  constructor({ series, spent, now }: PlanInput) {
    this.#monthly = series.creditBudgetMonthly ?? Infinity;
    this.#taken = new Map(spent);
    this.#now = now;
  }

  /** Reserves a planned slot's credits. Returns false when it has no images and can't be paid. */
  covers(slot: PlannerSlot): boolean {
    if (slot.status !== "planned") return true;
    const at = Date.parse(slot.scheduledFor);
    if (isUnmade(slot) && !this.hasRoom(at, slot.images)) return false;
    this.take({ at, images: slot.images });
    return true;
  }

  hasRoom(at: number, credits: number): boolean {
    return (this.#taken.get(this.#monthOf(at)) ?? 0) + credits <= this.#monthly;
  }

  take({ at, images }: { at: number; images: number }): void {
    const month = this.#monthOf(at);
    this.#taken.set(month, (this.#taken.get(month) ?? 0) + images);
  }

  /** The month in which the images of a slot at that instant will be made. */
  #monthOf(at: number): string {
    return monthOf(Math.max(this.#now, at - MAKE_AHEAD));
  }
}

const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;
