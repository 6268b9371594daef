/** Free days of the calendar. The day for which somebody makes a post is kept from page to page. */
import { HOUR } from "../../domain/foundation/calendar.ts";
import { queryOf, type Shown, type Studio, valueOf } from "./studio.ts";
import type { Slot } from "../../domain/series/shape.ts";
import { dayAfter, dayIn, localOf } from "./when.ts";

const USUAL_TIME = "09:00";

/** The day that the address or the form names, if it is today or later; "" without one. */
export function wantedDay(studio: Studio, shown: Shown = {}): string {
  const day = valueOf(shown, "day", queryOf(studio, "day"));
  const isDay = /^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
  return isDay && day >= dayIn(studio.now, studio.zone) ? day : "";
}

/** The address with the day, before its fragment. */
export function forDay(address: string, day: string): string {
  if (day === "") return address;
  const [path = "", fragment] = address.split("#");
  const to = `${path}${path.includes("?") ? "&" : "?"}day=${day}`;
  return fragment === undefined ? to : `${to}#${fragment}`;
}

/** A usual time on that day, as a form writes it; an hour or two ahead when it is over already. */
export function timeOn({ now, zone }: Studio, day: string): string {
  const soon = localOf(Math.ceil((now + HOUR) / HOUR) * HOUR, zone);
  const usual = `${day}T${USUAL_TIME}`;
  return usual < soon ? soon : usual;
}

/** Whether a day has room for a post: it has none, or all of them are skipped. */
export const isFree = (posts: Slot[] = []): boolean =>
  posts.every(({ status }) => status === "skipped");

/** Days without a break, both inclusive, yyyy-mm-dd. */
export interface Run {
  from: string;
  to: string;
}

/** Days in order as runs, by their first day. */
export function runsOf(days: string[]): Map<string, Run> {
  const runs = new Map<string, Run>();
  let last: Run | null = null;
  for (const day of days) {
    if (last !== null && dayAfter(last.to, 1) === day) {
      last.to = day;
      continue;
    }
    last = { from: day, to: day };
    runs.set(day, last);
  }
  return runs;
}
