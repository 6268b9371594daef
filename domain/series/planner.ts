/** Which slots a series gets: a pure function of the series, its slots, its strategy and the instant. */
import type { AspectRatio } from "../aspect.ts";
import { DAY, HOUR, iso, monthOf, startOfDay, startOfWeek, WEEK } from "../calendar.ts";
import { choose, costliest, costOf, type SlotChoice } from "./choose.ts";
import { imagesOf, ratioOf, type SeriesFormat } from "./format.ts";
import type { Decision, StoredSeries, StoredSlot, Strategy } from "./records.ts";
import { isUnmade } from "./strategy.ts";
import { openParts } from "./week.ts";

/** How far ahead slots are planned, and how long before its time a slot gets its images. */
export const PLAN_AHEAD = 7 * DAY;
export const MAKE_AHEAD = 24 * HOUR;

export type PlannerSlot = Pick<
  StoredSlot,
  "id" | "scheduledFor" | "status" | "images" | "generation" | "regenerated"
>;

export interface PlanInput {
  series: StoredSeries;
  /** Null: none yet, so an autopilot has nothing to plan by. */
  strategy: Strategy | null;
  /** At least those from the start of the present ISO week on. */
  slots: PlannerSlot[];
  /** Credits that the series was debited, by UTC month, yyyy-mm. */
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

export interface Plan {
  add: PlannedSlot[];
  /** Planned slots without images that the month's budget no longer covers. */
  drop: PlannerSlot[];
  /** Instants, ms, of slots that were left out because their month's budget is spent. */
  unpaid: number[];
}

export function planSlots(input: PlanInput): Plan {
  if (input.series.mode === "manual") return { add: planGrid(input), drop: [], unpaid: [] };
  return planAutopilot(input);
}

/** The next `hourUtc` after the series' creation: where a manual series' grid begins. */
export function gridStart({ createdAt, hourUtc }: StoredSeries): number {
  const created = Date.parse(createdAt);
  const today = startOfDay(created) + hourUtc * HOUR;
  return today > created ? today : today + DAY;
}

/** Manual: every `cadenceDays` from the grid's start; what lies behind is not made up for. */
function planGrid({ series, slots, now, until }: PlanInput): PlannedSlot[] {
  const step = series.cadenceDays! * DAY;
  const start = gridStart(series);
  const taken = new Set(slots.map((slot) => Date.parse(slot.scheduledFor)));
  const first = now < start ? start : start + (Math.floor((now - start) / step) + 1) * step;
  const planned: PlannedSlot[] = [];
  for (let at = first; at <= until; at += step) {
    if (!taken.has(at)) planned.push(manualSlot(series, at));
  }
  return planned;
}

function manualSlot(series: StoredSeries, at: number): PlannedSlot {
  const format = series.format!;
  const every = series.cadenceDays === 1 ? "Every day" : `Every ${series.cadenceDays} days`;
  return {
    at,
    format,
    aspectRatio: ratioOf(format, series.aspectRatio),
    images: imagesOf(format, [series.guidance, series.theme]),
    decision: {
      direction: series.theme!,
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
      // A month ends when it can't pay for any format: else its end would favour what costs little.
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

/** Credits of each UTC month: what was debited, and what planned slots will be. */
class Budget {
  readonly #monthly: number;
  readonly #taken: Map<string, number>;
  readonly #now: number;

  constructor({ series, spent, now }: PlanInput) {
    this.#monthly = series.creditBudgetMonthly ?? Infinity;
    this.#taken = new Map(spent);
    this.#now = now;
  }

  /** Sets a planned slot's credits aside; false for one without images that can't be paid. */
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
