/** What the series will probably add to the calendar, from their own simulations. */
import { DAY } from "../../domain/foundation/calendar.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { simulateSeries } from "../../domain/operations/series.ts";
import type { Series } from "../../domain/series/shape.ts";
import type { Studio } from "./studio.ts";
import { dayIn } from "./when.ts";

/** A post that nobody has planned yet. */
export interface LikelyPost {
  /** ISO instant. */
  scheduledFor: string;
  seriesId: string;
  seriesName: string;
  direction: string;
}

export interface Likely {
  posts: LikelyPost[];
  /** The first day on which the brand's credits no longer cover a series, yyyy-mm-dd; null: they do. */
  creditsEndOn: string | null;
}

/** Bounds on the work for one look: each simulation also walks all other series, for collisions. */
const MOST_SERIES = 4;
const MOST_DAYS = 60;

/** The days of the brand's zone from `from` to `to`, both yyyy-mm-dd. */
export async function likelyBetween(
  studio: Studio,
  series: Series[],
  { from, to }: { from: string; to: string },
): Promise<Likely> {
  const { now, zone } = studio;
  const days = Math.min(MOST_DAYS, Math.ceil((Date.parse(`${to}T00:00Z`) + 2 * DAY - now) / DAY));
  if (days < 1) return { posts: [], creditsEndOn: null };
  // An autopilot without a playbook would be reviewed for it, which a look must not cost.
  const shown = series.filter(({ active, mode, playbook }) =>
    active && (mode === "manual" || playbook !== null)
  ).slice(0, MOST_SERIES);
  const all = await Promise.all(shown.map((one) => simulated(studio, one, days)));
  const isShown = (day: string) => day >= from && day <= to;
  const ends = all.flatMap(({ creditsEndOn }) => creditsEndOn ?? []).sort();
  const [creditsEndOn = null] = ends.filter(isShown);
  const posts = all.flatMap((one) => one.posts)
    .filter(({ scheduledFor }) => isShown(dayIn(scheduledFor, zone)));
  return { posts, creditsEndOn: ends[0] === creditsEndOn ? creditsEndOn : null };
}

async function simulated(
  { call }: Studio,
  { id, name }: Series,
  days: number,
): Promise<Likely> {
  try {
    const { slots, creditsEndOn } = await call(simulateSeries, { id, days });
    const posts = slots.filter((slot) => slot.id === null).map(({ scheduledFor, direction }) => ({
      ...{ scheduledFor, direction, seriesId: id, seriesName: name },
    }));
    return { posts, creditsEndOn };
  } catch (error) {
    // Without it the calendar shows what is planned, which is what people came for.
    if (error instanceof ServiceError) return { posts: [], creditsEndOn: null };
    throw error;
  }
}
