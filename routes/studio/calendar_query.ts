/** What the address of the calendar asks for: a view, its days, and filters. */
import { calendarAt } from "./back.ts";
import { queryOf, type Studio } from "./studio.ts";
import { dayAfter, dayIn, dayWords, mondayOf, monthWords } from "./when.ts";

export type View = "month" | "week" | "list";

interface Range {
  view: View;
  /** The day that the address names; its month or week is shown. */
  day: string;
  from: string;
  to: string;
  before: string;
  after: string;
  title: string;
}

interface Filter {
  accountId: string;
  seriesId: string;
  status: string;
}

export type CalendarQuery = Range & Filter & {
  /** Whether the page itself shows what is likely, as it does for browsers without script. */
  showsLikely: boolean;
};

export const calendarQuery = (studio: Studio): CalendarQuery => ({
  ...rangeOf(studio),
  accountId: queryOf(studio, "account"),
  seriesId: queryOf(studio, "series"),
  status: queryOf(studio, "state"),
  showsLikely: queryOf(studio, "likely") === "yes",
});

function rangeOf(studio: Studio): Range {
  const asked = queryOf(studio, "view");
  const view: View = asked === "week" || asked === "list" ? asked : "month";
  const given = queryOf(studio, "day");
  const isDay = /^20\d\d-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given));
  const day = isDay ? given : dayIn(studio.now, studio.zone);
  if (view === "week") {
    const from = mondayOf(day);
    const to = dayAfter(from, 6);
    const title = `${dayWords(`${from}T12:00Z`, "UTC")} to ${dayWords(`${to}T12:00Z`, "UTC")}`;
    return { view, day, from, to, before: dayAfter(day, -7), after: dayAfter(day, 7), title };
  }
  const first = `${day.slice(0, 8)}01`;
  const next = `${dayAfter(first, 31).slice(0, 8)}01`;
  const before = `${dayAfter(first, -1).slice(0, 8)}01`;
  const title = monthWords(`${first}T12:00Z`, "UTC");
  const lastWeek = mondayOf(dayAfter(next, -1));
  return view === "list"
    ? { view, day, from: first, to: dayAfter(next, -1), before, after: next, title }
    : { view, day, from: mondayOf(first), to: dayAfter(lastWeek, 6), before, after: next, title };
}

export const isFiltered = ({ accountId, seriesId, status }: Filter): boolean =>
  accountId !== "" || seriesId !== "" || status !== "";

/** The calendar's query, by which it is found again. */
export function queryWords(query: CalendarQuery): string {
  const { view, day, accountId: account, seriesId: series, status: state } = query;
  const likely = query.showsLikely ? { likely: "yes" } : {};
  return new URLSearchParams({ view, day, account, series, state, ...likely }).toString();
}

export const addressOf = (studio: Studio, query: CalendarQuery): string =>
  studio.at(calendarAt(queryWords(query)));

/** The days of the range from today on. */
export function daysToCome({ now, zone }: Studio, { from, to }: Range): string[] {
  const today = dayIn(now, zone);
  const days: string[] = [];
  for (let day = from < today ? today : from; day <= to; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** The same days with all posts. */
export const allPostsAt = (studio: Studio, query: CalendarQuery): string =>
  addressOf(studio, { ...query, accountId: "", seriesId: "", status: "" });
