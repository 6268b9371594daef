/**
 * An autopilot's ISO week: one part for each post, with the instants at which the post may be published.
 * A part that has a slot gets no other. A skipped slot does not count.
 */
import { DAY, HOUR, WEEK } from "../../foundation/calendar.ts";
import type { SlotChoice } from "./choose.ts";
import type { StoredSeries, StoredSlot, Strategy } from "../records.ts";

/** What planning knows of a slot. */
export type PlannerSlot = Pick<
  StoredSlot,
  | "id"
  | "scheduledFor"
  | "plannedFor"
  | "status"
  | "images"
  | "generation"
  | "regenerated"
  | "byHand"
>;

/** The instant (ms) for which the slot was planned. Moving a post leaves its place taken. */
export function placeOf({ scheduledFor, plannedFor }: PlannerSlot): number {
  return Date.parse(plannedFor ?? scheduledFor);
}

interface WeekInput {
  series: StoredSeries;
  strategy: Strategy;
  /** Monday 00:00 UTC, ms. */
  week: number;
  slots: PlannerSlot[];
  /** Instant, ms. Instants before it are not made up for. */
  now: number;
  /** The choice for the next slot. */
  next: () => SlotChoice;
}

/** The parts of the week that still lack a slot, in order of time, each with the instant it gets. */
export function* openParts(input: WeekInput): Generator<{ at: number; choice: SlotChoice }> {
  const { week, slots, now, next } = input;
  const end = week + WEEK;
  const own = slots.map((slot) => ({ at: placeOf(slot), status: slot.status }))
    .filter(({ at }) => at >= week && at < end);
  const taken = new Set(slots.flatMap((slot) => [placeOf(slot), Date.parse(slot.scheduledFor)]));
  const counted = own.filter(({ status }) => status !== "skipped").map(({ at }) => at);
  const parts = partsOf(input);
  let left = parts.length - counted.length;
  for (const [index, part] of parts.entries()) {
    if (left <= 0) return;
    const from = index === 0 ? week : part[0] ?? end;
    const to = parts[index + 1]?.[0] ?? end;
    if (counted.some((at) => at >= from && at < to)) continue;
    const free = part.filter((at) => at > now && !taken.has(at));
    if (free.length === 0) continue;
    const choice = next();
    yield { at: nearest(free, part, choice.hour), choice };
    left--;
  }
}

/** Posts of the week. In the series' first week only the part that is left counts, rounded up. */
function quotaOf({ series, strategy }: WeekInput, start: number, end: number): number {
  const perWeek = Math.min(
    series.postsPerWeek ?? strategy.playbook.cadencePerWeek,
    series.maxPerWeek ?? Infinity,
  );
  return Math.ceil(perWeek * (end - start) / WEEK);
}

function partsOf(input: WeekInput): number[][] {
  const { series, strategy, week } = input;
  const end = week + WEEK;
  const start = Math.min(Math.max(week, Date.parse(series.createdAt)), end);
  const quota = quotaOf(input, start, end);
  const hours = strategy.allocation.hours.filter(({ share }) => share > 0)
    .map(({ arm }) => Number(arm));
  const instants = instantsOf(week, start, hours.length > 0 ? hours : [series.hourUtc], quota);
  const border = (part: number) => Math.floor(part * instants.length / quota);
  return Array.from(
    { length: quota },
    (_, part) => instants.slice(border(part), border(part + 1)),
  );
}

/** Instants of the week after `start`. Adds hours to the wanted ones when those are too few. */
function instantsOf(week: number, start: number, wanted: number[], quota: number): number[] {
  const hours = new Set(wanted);
  for (;;) {
    const ordered = [...hours].sort((a, b) => a - b);
    const instants = Array.from({ length: 7 }, (_, day) => week + day * DAY)
      .flatMap((day) => ordered.map((hour) => day + hour * HOUR))
      .filter((at) => at > start || start === week);
    if (instants.length >= quota || hours.size === 24) return instants;
    hours.add(farthest(ordered));
  }
}

/** The hour of day that is farthest from all of `hours`. */
function farthest(hours: number[]): number {
  const apart = (hour: number) =>
    Math.min(...hours.map((other) => Math.min((24 + hour - other) % 24, (24 + other - hour) % 24)));
  const all = Array.from({ length: 24 }, (_, hour) => hour);
  return all.reduce((best, hour) => apart(hour) > apart(best) ? hour : best);
}

/** The free instant nearest to the middle of the part, at the chosen hour if there is one. */
function nearest(free: number[], part: number[], hour: number): number {
  const middle = part[Math.floor(part.length / 2)] ?? 0;
  const atHour = free.filter((at) => at % DAY === hour * HOUR);
  const pool = atHour.length > 0 ? atHour : free;
  return pool.reduce((best, at) => Math.abs(at - middle) < Math.abs(best - middle) ? at : best);
}
