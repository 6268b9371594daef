/** What Insights is asked for: the period, the filters, what its chart shows; and the address of that. */
import { z } from "zod";
import { DAY } from "../../domain/foundation/calendar.ts";
import { CompareBy, TimelineMetric } from "../../domain/insights/shape.ts";
import { Direction, PostSort } from "../../domain/posts/query.ts";
import { Platform } from "../../domain/posts/shape.ts";
import { queryOf, type Studio } from "./studio.ts";
import { dayAfter } from "./when.ts";

export const PRESETS = [7, 28, 90] as const;
type Preset = typeof PRESETS[number];
const FIRST_PRESET: Preset = 28;

const Against = z.enum(["previous", "usual", "nothing"]);
export type Against = z.output<typeof Against>;

export interface Asked {
  /** Null: own dates. */
  preset: Preset | null;
  /** UTC days, both inclusive, yyyy-mm-dd. */
  from: string;
  to: string;
  platform: Platform | undefined;
  against: Against;
  metric: TimelineMetric;
  by: CompareBy;
  /** Whether all groups of the comparison are shown. */
  all: boolean;
  sort: PostSort;
  dir: Direction;
  page: number;
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** What the address asks for; what it does not name is the usual view. */
export function askedOf(studio: Studio): Asked {
  const query = (name: string) => queryOf(studio, name);
  const [from, to] = [query("from"), query("to")];
  const isOwn = isDay(from) && isDay(to);
  const preset = PRESETS.find((days) => String(days) === query("days")) ?? FIRST_PRESET;
  const page = Number(query("page"));
  return {
    ...isOwn ? { preset: null, from, to } : presetDays(studio, preset),
    platform: Platform.safeParse(query("platform")).data,
    against: Against.catch("previous").parse(query("against")),
    metric: TimelineMetric.catch("views").parse(query("metric")),
    by: CompareBy.catch("format").parse(query("by")),
    all: query("all") === "yes",
    sort: PostSort.catch("published").parse(query("sort")),
    dir: Direction.catch("desc").parse(query("dir")),
    page: Number.isSafeInteger(page) && page > 0 && page < 1e6 ? page : 1,
  };
}

/** Full days up to yesterday: today is not over, and would look worse than the days before. */
export function presetDays({ now }: Studio, preset: Preset = FIRST_PRESET) {
  const to = new Date(now - DAY).toISOString().slice(0, 10);
  return { preset, from: dayAfter(to, 1 - preset), to };
}

/** The days before the period, as many. */
export function daysBefore({ from, to }: Pick<Asked, "from" | "to">) {
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1;
  return { from: dayAfter(from, -days), to: dayAfter(from, -1), days };
}

/** The address of Insights with something else than what was asked. */
export function insightsAt(studio: Studio, asked: Asked, change: Partial<Asked> = {}): string {
  const { preset, from, to, platform, against, metric, by, all, sort, dir, page } = {
    ...asked,
    ...change,
  };
  const query = new URLSearchParams(preset === null ? { from, to } : { days: String(preset) });
  if (platform !== undefined) query.set("platform", platform);
  if (against !== "previous") query.set("against", against);
  if (metric !== "views") query.set("metric", metric);
  if (by !== "format") query.set("by", by);
  if (all) query.set("all", "yes");
  if (sort !== "published") query.set("sort", sort);
  if (dir !== "desc") query.set("dir", dir);
  if (page !== 1) query.set("page", String(page));
  return studio.at(`/insights?${query}`);
}

/** What of it selects posts: the filters of the list and of the exports. */
export function selectionOf({ from, to, platform, sort, dir }: Asked) {
  return { from, to, sort, dir, ...(platform === undefined ? {} : { platform }) };
}

/** Which part of the page a click swaps, where a script runs: the content, in its place. */
export const SWAPS = {
  "hx-boost": "true",
  "hx-target": "#main",
  "hx-select": "#main",
  "hx-swap": "outerHTML show:none",
} as const;

/** What an export of Insights selects: the same posts as its table, in the same order. */
export const exportSelection = (studio: Studio) => selectionOf(askedOf(studio));
