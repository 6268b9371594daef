/** The hours of a time zone, for many instants. */
import { DAY, HOUR } from "../foundation/calendar.ts";

/** An hour of the week. */
export interface WeekHour {
  /** 0 is Monday. */
  weekday: number;
  hour: number;
}

/**
 * Returns the local weekday and hour of an instant (ms).
 * @param timeZone IANA name
 */
export function localTime(timeZone: string): (instant: number) => WeekHour {
  const offsetAt = timeZone === "UTC" ? () => 0 : offsets(timeZone);
  return (instant) => {
    const local = instant + offsetAt(instant);
    // The epoch was a Thursday.
    const weekday = (((Math.floor(local / DAY) + 3) % 7) + 7) % 7;
    return { weekday, hour: Math.floor((local - Math.floor(local / DAY) * DAY) / HOUR) };
  };
}

/** Asking the calendar takes long, so each day is asked for once, and its hours only where clocks change. */
function offsets(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const days = new Map<number, number | null>();
  const exactAt = (instant: number): number => {
    const name = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value;
    const [, sign, hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)/.exec(name ?? "") ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * HOUR / 60);
  };
  return (instant) => {
    const day = Math.floor(instant / DAY);
    let offset = days.get(day);
    if (offset === undefined) {
      const [first, last] = [exactAt(day * DAY), exactAt((day + 1) * DAY - 1)];
      days.set(day, offset = first === last ? first : null);
    }
    return offset ?? exactAt(instant);
  };
}
