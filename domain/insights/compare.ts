/** Compares the brand's posts by a trait, and by the hour of the week, at equal age. */
import { Platform, PostFormat } from "../posts/shape.ts";
import { judgedGroups } from "./effects.ts";
import { localTime } from "./local_time.ts";
import { chosen } from "./periods.ts";
import type { CompareBy, CompareQuery, Comparison, Effect, When, WhenQuery } from "./shape.ts";
import { formatOf, type InsightTable, platformOf } from "./table.ts";
import { againstUsual, type Likeness } from "./usual.ts";

/** Groups of an answer. Among more, hardly any difference would be certain. */
const MOST_GROUPS = 100;
const HOURS = 24;
const WEEKDAYS = 7;
const NONE: readonly number[] = [];

/** A trait of posts: its values by number, and the numbers of a row. */
interface Trait {
  names: readonly string[];
  of: (row: number) => ArrayLike<number>;
}

/** What the posts of the brand's series were: post id → its series or template. */
export type Labels = ReadonlyMap<string, string>;

/** @param labels for `series` and `template`, which posts don't know themselves */
export async function compareBy(
  table: InsightTable,
  { by, platform }: CompareQuery,
  { timeZone, labels }: { timeZone: string; labels: Labels },
): Promise<Comparison> {
  const { names, of } = traitOf(table, by, timeZone, labels);
  const compared = await againstUsual(table, chosen(platform), likenessFor(by));
  const judged = await judgedGroups(compared, names.length, of, mostPosts);
  return {
    by,
    age: "48h",
    groups: judged.map(({ group, posts, effect, verdict }) => ({
      value: names[group] ?? "",
      posts,
      effect: rounded(effect),
      verdict,
    })),
  };
}

/** Against a usual of its own format, every format would be average; the same for platforms. */
function likenessFor(by: CompareBy): Likeness {
  if (by === "platform") return "brand";
  return by === "format" ? "platform" : "kind";
}

function traitOf(table: InsightTable, by: CompareBy, timeZone: string, labels: Labels): Trait {
  switch (by) {
    case "format":
      return { names: PostFormat.options, of: (row) => [formatOf(table.kinds.at(row))] };
    case "platform":
      return { names: Platform.options, of: (row) => [platformOf(table.kinds.at(row))] };
    case "hashtag":
      return { names: table.tagNames, of: (row) => table.tagsOf(row) };
    case "hour":
    case "weekday": {
      const local = localTime(timeZone);
      const isHour = by === "hour";
      return {
        names: Array.from(
          { length: isHour ? HOURS : WEEKDAYS },
          (_, at) => `${at + (isHour ? 0 : 1)}`,
        ),
        of: (row) => [local(table.published.at(row))[by]],
      };
    }
    case "series":
    case "template":
      return labelled(table, labels);
  }
}

function labelled(table: InsightTable, labels: Labels): Trait {
  const names = [...new Set(labels.values())];
  const numbers = new Map(names.map((name, number) => [name, [number]]));
  const groups = new Map<number, readonly number[]>();
  for (const [id, label] of labels) {
    const row = table.rowOf(id);
    if (row !== undefined) groups.set(row, numbers.get(label) ?? NONE);
  }
  return { names, of: (row) => groups.get(row) ?? NONE };
}

/** The groups with the most posts, first those. */
function mostPosts(counts: Uint32Array): number[] {
  const withPosts: number[] = [];
  for (let group = 0; group < counts.length; group++) if (counts[group]! > 0) withPosts.push(group);
  return withPosts.sort((a, b) => counts[b]! - counts[a]! || a - b).slice(0, MOST_GROUPS);
}

export async function whenOf(
  table: InsightTable,
  { platform }: WhenQuery,
  timeZone: string,
): Promise<When> {
  const local = localTime(timeZone);
  const cellOf = (row: number) => {
    const { weekday, hour } = local(table.published.at(row));
    return [weekday * HOURS + hour];
  };
  const compared = await againstUsual(table, chosen(platform), "kind");
  const withPosts = (counts: Uint32Array) => [...counts.keys()].filter((cell) => counts[cell]! > 0);
  const judged = await judgedGroups(compared, WEEKDAYS * HOURS, cellOf, withPosts);
  return {
    timeZone,
    cells: judged.map(({ group, posts, effect }) => ({
      weekday: Math.floor(group / HOURS) + 1,
      hour: group % HOURS,
      posts,
      effect: rounded(effect),
    })),
  };
}

/** With four decimals, the lower end down and the upper end up. */
function rounded(effect: Effect | null): Effect | null {
  if (effect === null) return null;
  const { low, mid, high } = effect;
  return {
    low: Math.floor(low * 10_000) / 10_000,
    mid: Math.round(mid * 10_000) / 10_000,
    high: Math.ceil(high * 10_000) / 10_000,
  };
}
