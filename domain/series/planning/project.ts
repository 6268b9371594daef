/** The planner on a virtual clock: what future passes will plan and debit. Stores nothing. */
import { DAY, iso, monthOf, startOfDay } from "../../foundation/calendar.ts";
import type { StoredSeries, StoredSlot, Strategy } from "../records.ts";
import { LATE, MAKE_AHEAD, PLAN_AHEAD } from "../timing.ts";
import { type PlannedSlot, planSlots } from "./planner.ts";
import type { PlannerSlot } from "./week.ts";

export interface ProjectedSlot extends PlannedSlot {
  /** Null for a slot that is not planned yet. */
  id: string | null;
  /** When its images will be debited, ms; null when they were debited already, or never will be. */
  debitAt: number | null;
}

export interface Projection {
  slots: ProjectedSlot[];
  /** Instants (ms) of slots that are left out because the month's budget is spent. */
  unpaid: number[];
}

interface ProjectInput {
  series: StoredSeries;
  strategy: Strategy | null;
  /** All slots from the start of the present ISO week on. */
  slots: StoredSlot[];
  spent: ReadonlyMap<string, number>;
  /** Instants, ms. */
  now: number;
  until: number;
}

type Entry = ProjectedSlot & { plannedAs: PlannerSlot };

/**
 * Runs the passes at `now` and at every midnight until `until`. The passes between are left out, because
 * they only plan what the pass at the next midnight plans as well. Months and budgets begin at midnight.
 */
export function project(input: ProjectInput): Projection {
  const { now, until } = input;
  const spent = new Map(input.spent);
  let entries: Entry[] = input.slots.map((slot) => existing(input.series, slot, now));
  const unpaid = new Set<number>();
  let place = input.series.slotsPlanned;
  for (let at = now; at <= until; at = startOfDay(at) + DAY) {
    for (const entry of entries) {
      const { debitAt } = entry;
      if (isPlanned(entry) && debitAt !== null && debitAt < at) pay(entry, spent, debitAt);
    }
    const plan = planSlots({
      series: { ...input.series, slotsPlanned: place },
      strategy: input.strategy,
      slots: entries.map(({ plannedAs }) => plannedAs),
      spent,
      now: at,
      until: Math.min(at + PLAN_AHEAD, until),
    });
    entries = entries.filter(({ plannedAs }) => !plan.drop.includes(plannedAs));
    place += plan.add.length - plan.drop.length;
    for (const slot of plan.add) entries.push(fresh(slot, at));
    for (const left of plan.unpaid) unpaid.add(left);
    for (const entry of entries) {
      if (entry.debitAt === at && isPlanned(entry)) pay(entry, spent, at);
    }
  }
  const made = new Set(entries.map((entry) => entry.at));
  return {
    slots: entries.filter(({ at }) => at > now && at <= until).sort((a, b) => a.at - b.at)
      .map(({ plannedAs: _, ...slot }) => slot),
    unpaid: [...unpaid].filter((at) => !made.has(at)).sort((a, b) => a - b),
  };
}

function existing(series: StoredSeries, slot: StoredSlot, now: number): Entry {
  const at = Date.parse(slot.scheduledFor);
  const late = now - at > LATE && series.socialAccountId !== null && !slot.regenerated;
  const debitAt = slot.status !== "planned" || late
    ? null
    : slot.regenerated
    ? now
    : Math.max(now, at - MAKE_AHEAD);
  const { id, format, aspectRatio, images, decision, reviewId } = slot;
  return { id, at, format, aspectRatio, images, decision, reviewId, debitAt, plannedAs: slot };
}

function fresh(slot: PlannedSlot, now: number): Entry {
  return {
    ...slot,
    id: null,
    debitAt: Math.max(now, slot.at - MAKE_AHEAD),
    plannedAs: {
      id: "",
      scheduledFor: iso(slot.at),
      status: "planned",
      images: slot.images,
      generation: 0,
      regenerated: false,
    },
  };
}

const isPlanned = ({ plannedAs }: Entry) => plannedAs.status === "planned";

/** Debits the slot as if its images were made, so that the planner no longer reserves credits for it. */
function pay(entry: Entry, spent: Map<string, number>, at: number): void {
  const month = monthOf(at);
  spent.set(month, (spent.get(month) ?? 0) + entry.images);
  entry.plannedAs = { ...entry.plannedAs, status: "generating", generation: 1 };
}
