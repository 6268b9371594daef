/** The way back to the calendar as it was left: its view, its day and its filters. */

const KEPT = ["view", "day", "account", "series", "state", "likely"];

/** @param back the calendar's query as a form or an address kept it; @param news what it shall say */
export function calendarAt(back: string, news: Record<string, string> = {}): string {
  const given = new URLSearchParams(back);
  const kept = KEPT.flatMap((name) => {
    const value = given.get(name);
    return value === null || value === "" ? [] : [[name, value.slice(0, 100)]];
  });
  const query = new URLSearchParams([...kept, ...Object.entries(news)]);
  return query.size === 0 ? "/calendar" : `/calendar?${query}`;
}
