/** What the series will probably add to the calendar. It takes longer than the posts themselves. */
import { DAY } from "../../domain/foundation/calendar.ts";
import { forecastPosts } from "../../domain/operations/forecast.ts";
import type { Forecast } from "../../domain/series/running/forecast.ts";
import type { CalendarQuery } from "./calendar_query.ts";
import type { Studio } from "./studio.ts";
import { dayIn } from "./when.ts";

/** A post that nobody has planned yet. */
export type LikelyPost = Forecast["posts"][number];

export interface Likely {
  /** By day of the brand's zone, yyyy-mm-dd. */
  byDay: Map<string, LikelyPost[]>;
  /** How many they are. */
  count: number;
  /** The first day on which the brand's credits no longer cover the series, yyyy-mm-dd; null: they do. */
  creditsEndOn: string | null;
  /** Series that were not looked at, because there are too many. */
  seriesLeftOut: number;
}

const MOST_DAYS = 60;

/** The days to look ahead for what a calendar shows; 0: nothing is likely there. */
export function daysAhead({ now }: Studio, { to, status }: CalendarQuery): number {
  if (status !== "" && status !== "planned") return 0;
  const days = Math.ceil((Date.parse(`${to}T00:00Z`) + 2 * DAY - now) / DAY);
  return Math.max(0, Math.min(MOST_DAYS, days));
}

/** What is likely on the days that a calendar shows, as far as its filters let it through. */
export async function likelyFor(studio: Studio, query: CalendarQuery): Promise<Likely> {
  const { from, to, accountId, seriesId } = query;
  const days = daysAhead(studio, query);
  if (days === 0) return { byDay: new Map(), count: 0, creditsEndOn: null, seriesLeftOut: 0 };
  const { posts, creditsEndOn, seriesLeftOut } = await studio.call(forecastPosts, { days });
  const shown = posts.filter((post) =>
    (seriesId === "" || post.seriesId === seriesId) &&
    (accountId === "" || post.socialAccountId === accountId)
  );
  const byDay = Map.groupBy(shown, ({ scheduledFor }) => dayIn(scheduledFor, studio.zone));
  for (const day of byDay.keys()) if (day < from || day > to) byDay.delete(day);
  const count = [...byDay.values()].reduce((sum, { length }) => sum + length, 0);
  return { byDay, count, creditsEndOn, seriesLeftOut };
}
