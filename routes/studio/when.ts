/** Times as people read and write them, in the brand's time zone. */
import { DAY, HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { LruCache } from "../../domain/foundation/lru.ts";

/** A calendar writes the time of each post several times. */
const MOST_KEPT = 2_000;

/** Writes instants in a zone; keeps what a zone's first use prepares, which is slow, and the last texts. */
function writer(options: Intl.DateTimeFormatOptions, locale = "en-GB") {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const texts = new LruCache<string, string>(MOST_KEPT);
  return (at: string | number, zone: string): string =>
    texts.getOrMake(`${zone} ${at}`, () => {
      const known = formats.get(zone) ??
        new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
      formats.set(zone, known);
      return known.format(toMs(at));
    });
}

const toMs = (at: string | number): number => typeof at === "number" ? at : Date.parse(at);

/** "Fri 20 Nov" */
export const dayWords = (at: string | number, zone: string): string =>
  writeDay(at, zone).replace(",", "");

const writeDay = writer({ weekday: "short", day: "numeric", month: "short" });

/** "09:30" */
export const timeWords = writer({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** "Fri 20 Nov, 09:30" */
export const whenWords = (at: string | number, zone: string): string =>
  `${dayWords(at, zone)}, ${timeWords(at, zone)}`;

/** "November 2026" */
export const monthWords = writer({ month: "long", year: "numeric" });

/** "in 3 hours", "2 days ago" */
export function fromNow(at: string | number, now: number): string {
  const ms = toMs(at) - now;
  const size = Math.abs(ms);
  if (size < MINUTE) return "now";
  const [count, noun] = size < HOUR
    ? [Math.round(size / MINUTE), "minute"]
    : size < DAY
    ? [Math.round(size / HOUR), "hour"]
    : [Math.round(size / DAY), "day"];
  const words = `${count} ${noun}${count === 1 ? "" : "s"}`;
  return ms > 0 ? `in ${words}` : `${words} ago`;
}

/** The day of an instant in the zone, yyyy-mm-dd. */
export const dayIn = writer(
  { year: "numeric", month: "2-digit", day: "2-digit" },
  // Swedes write days in this order.
  "sv-SE",
);

/** The instant as an `<input type="datetime-local">` writes it. */
export const localOf = (at: string | number, zone: string): string =>
  `${dayIn(at, zone)}T${timeWords(at, zone)}`;

/** The instant (ms) of a local time like "2026-11-20T09:30" in the zone, or null if it is none. */
export function instantOf(local: string, zone: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(local)) return null;
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  // The offset at the result may differ from the one at the first guess, where summer time begins.
  const first = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(first, zone);
}

/** How far the zone's clocks are ahead of UTC at an instant, ms. */
function offsetAt(at: number, zone: string): number {
  return Date.parse(`${localOf(at, zone)}Z`) - Math.floor(at / MINUTE) * MINUTE;
}

/** The day `days` after a day, yyyy-mm-dd. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return dayAfter(day, -weekday);
}
