/** A post's readings as numbers, and where they are read from: the one place that knows which there are. */
import { batchesOf } from "../posts/batches.ts";
import { listValues } from "../kv/transact.ts";
import { turns } from "./slices.ts";
import { eachEarly, earlyReadings, earlyReadingsOf, inOrder } from "../posts/early.ts";
import { readingPrefix } from "../posts/records.ts";
import { type Reading, READING_NUMBERS } from "../posts/shape.ts";

/** The numbers of a reading, in the order in which a history holds them. */
export const METRICS = READING_NUMBERS;
export type Metric = typeof METRICS[number];
export const WIDTH = METRICS.length;
const [LIKES, COMMENTS, SHARES, SAVES] = [3, 4, 5, 6];

/** Readings, oldest first: each has an instant and `WIDTH` numbers. NaN: not reported. */
export interface History {
  /** Instants, ms. */
  readonly at: readonly number[];
  readonly values: readonly number[];
}

export function toHistory(readings: readonly Reading[]): History {
  return {
    at: readings.map(({ capturedAt }) => Date.parse(capturedAt)),
    values: readings.flatMap((reading) => METRICS.map((metric) => reading[metric] ?? NaN)),
  };
}

/** One number of one reading. NaN: not reported. */
export function valueOf({ values }: History, reading: number, metric: number): number {
  return values[reading * WIDTH + metric] ?? NaN;
}

/** Likes, comments, shares and saves of a reading. Those that were not reported count as 0. */
export function engagementIn(history: History, reading: number): number {
  let sum = 0;
  for (const metric of [LIKES, COMMENTS, SHARES, SAVES]) {
    sum += valueOf(history, reading, metric) || 0;
  }
  return sum;
}

/** All readings of a post, oldest first: the last of each day, and those of the first 72 hours. */
export async function readReadings(kv: Deno.Kv, brandId: string, id: string): Promise<Reading[]> {
  const [daily, early] = await Promise.all([
    listValues<Reading>(kv, readingPrefix(brandId, id)),
    earlyReadings(kv, brandId, id),
  ]);
  return inOrder([...daily, ...early]);
}

/** The readings of each of these posts, as `readReadings` has them. */
export async function readingsOfEach(
  kv: Deno.Kv,
  brandId: string,
  ids: readonly string[],
): Promise<Reading[][]> {
  const [early, daily] = await Promise.all([
    earlyReadingsOf(kv, brandId, ids),
    Promise.all(ids.map((id) => listValues<Reading>(kv, readingPrefix(brandId, id)))),
  ]);
  return daily.map((readings, at) => inOrder([...readings, ...early[at] ?? []]));
}

/** Calls `found` with all readings of each of the brand's posts, by id. */
export async function eachHistory(
  kv: Deno.Kv,
  brandId: string,
  found: (id: string, readings: readonly Reading[]) => void,
): Promise<void> {
  const prefix = readingPrefix(brandId, "").slice(0, -1);
  const turn = turns();
  // Both lists are by id. A post with early readings has daily ones, too.
  const early = eachEarly(kv, brandId);
  let next = await early.next();
  const ended = async (id: string, daily: readonly Reading[]) => {
    while (!next.done && next.value.id < id) next = await early.next();
    const own = !next.done && next.value.id === id ? next.value.readings : [];
    found(id, own.length === 0 ? daily : inOrder([...daily, ...own]));
  };
  let [id, readings]: [string, Reading[]] = ["", []];
  for await (const entries of batchesOf<Reading>(kv, prefix)) {
    for (const { key, value } of entries) {
      const of = String(key[prefix.length]);
      if (of !== id) {
        if (readings.length > 0) await ended(id, readings);
        await turn();
        [id, readings] = [of, []];
      }
      readings.push(value);
    }
  }
  if (readings.length > 0) await ended(id, readings);
}
