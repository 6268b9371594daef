/** Compares a post with others of its platform and format at the same age; predicts it for 7 days. */
import { HOUR } from "../foundation/calendar.ts";
import type { PostFormat, Reading } from "../posts/shape.ts";
import { AGES, valueAtAge, WEEK_AGE } from "./age.ts";
import { studentBound } from "./effects.ts";
import { engagementIn, type History, toHistory } from "./history.ts";
import { quartiles, tenths } from "./quartiles.ts";
import { turns } from "./slices.ts";
import type { Standing } from "./shape.ts";
import { type InsightTable, type Kind, kindOf } from "./table.ts";
import { FEWEST } from "./usual.ts";
import type { StoredPost } from "../posts/records.ts";

/** A projection needs a line through like posts, and a few to tell how far they scatter around it. */
const FEWEST_PROJECTED = 8;
/** Posts between two looks at the time. */
const LOOK_EVERY = 512;
const WEEK_AT = AGES.indexOf(WEEK_AGE);

type Placed = Pick<StoredPost, "id" | "platform" | "format" | "publishedAt">;

export async function standingOf(
  table: InsightTable,
  post: Placed,
  readings: readonly Reading[],
): Promise<Standing> {
  const published = Date.parse(post.publishedAt);
  const history = toHistory(readings);
  const { rows, usual } = await likePosts(table, kindOf(post));
  const own = table.rowOf(post.id) ?? -1;
  const points = pointsOf(history, published, post.format, usual);
  let [{ age, value }, peers] = [points[0] ?? { age: 0, value: 0 }, NO_PEERS];
  for (const point of points) {
    const found = peersAt(table, rows, own, point.age);
    if (found.values.length >= FEWEST) {
      [{ age, value }, peers] = [point, found];
      break;
    }
    if (point.age === age) peers = found;
  }
  return {
    postId: post.id,
    ageHours: tenths(age),
    percentile: peers.values.length < FEWEST ? null : percentileOf(value, peers.values),
    among: peers.values.length,
    own: history.at.flatMap((at, reading) =>
      at <= published ? [] : [{
        ageHours: tenths((at - published) / HOUR),
        engagement: engagementIn(history, reading),
      }]
    ),
    usual,
    projection: (points[0]?.age ?? 0) >= WEEK_AGE
      ? null
      : projectionOf(value, peers.values, peers.ends),
  };
}

interface Point {
  /** Hours. */
  age: number;
  value: number;
}

/**
 * The ages at which the post may be compared, best first: that of its newest reading, then earlier ones
 * at which enough like posts are known.
 */
function pointsOf(
  history: History,
  published: number,
  format: PostFormat,
  usual: Standing["usual"],
): Point[] {
  const last = history.at.length - 1;
  const newest = ((history.at[last] ?? published) - published) / HOUR;
  if (newest <= 0) return [];
  const earlier = usual.map(({ ageHours }) => ageHours).filter((age) => age < newest).toReversed()
    .map((age) => ({ age, value: valueAtAge(history, published, age * HOUR, format) }))
    .filter(({ value }) => !Number.isNaN(value));
  const now = { age: newest, value: engagementIn(history, last) };
  return newest <= (AGES.at(-1) ?? 0) ? [now, ...earlier] : earlier.length > 0 ? earlier : [now];
}

interface LikePosts {
  rows: Uint32Array;
  usual: Standing["usual"];
}

/** The posts of that platform and format, and their usual at each age; computed once until one changes. */
async function likePosts(
  table: InsightTable,
  kind: Kind,
): Promise<LikePosts> {
  return await table.result(`standing ${kind}`, async () => {
    const turn = turns();
    const { size } = table;
    const rows = new Uint32Array(size);
    let count = 0;
    for (let row = 0; row < size; row++) {
      if (row % LOOK_EVERY === 0) await turn();
      if (table.kinds.at(row) === kind) rows[count++] = row;
    }
    const like = rows.slice(0, count);
    const usual: Standing["usual"] = [];
    for (const [at, ageHours] of AGES.entries()) {
      await turn();
      const known = Float32Array.from(like, (row) => table.at(row, at))
        .filter((value) => !Number.isNaN(value));
      if (known.length >= FEWEST) usual.push({ ageHours, ...quartiles(known) });
    }
    return { rows: like, usual };
  });
}

interface Peers {
  values: Float64Array;
  ends: Float64Array;
}

const NO_PEERS: Peers = { values: new Float64Array(), ends: new Float64Array() };

/** What the other posts have at an age (hours) between those of `AGES`, and after 7 days. */
function peersAt(table: InsightTable, rows: Uint32Array, own: number, age: number): Peers {
  const after = AGES.findIndex((each) => each >= age);
  if (after < 0) return NO_PEERS;
  const [low, high] = [AGES[after - 1] ?? 0, AGES[after] ?? 0];
  const share = (age - low) / (high - low);
  const values = new Float64Array(rows.length);
  const ends = new Float64Array(rows.length);
  let count = 0;
  for (const row of rows) {
    if (row === own) continue;
    const before = after === 0 ? 0 : table.at(row, after - 1);
    // Exactly at an age of `AGES`, the age before it need not be known.
    const value = share === 1
      ? table.at(row, after)
      : before + (table.at(row, after) - before) * share;
    if (Number.isNaN(value)) continue;
    values[count] = value;
    ends[count++] = table.at(row, WEEK_AT);
  }
  return { values: values.subarray(0, count), ends: ends.subarray(0, count) };
}

/** Share of the values below, in percent; equal ones count half. */
function percentileOf(value: number, values: Float64Array): number {
  let below = 0;
  for (const other of values) {
    if (other < value) below += 1;
    else if (other === value) below += 0.5;
  }
  return tenths(100 * below / values.length);
}

/**
 * The line through the logarithms of what like posts had then and after 7 days, with the interval in
 * which 95 % of single posts end (a prediction interval). No post ends below what it has.
 */
function projectionOf(
  value: number,
  values: Float64Array,
  ends: Float64Array,
): Standing["projection"] {
  const pairs: [then: number, end: number][] = [];
  for (let at = 0; at < values.length; at++) {
    if (!Number.isNaN(ends[at]!)) pairs.push([Math.log1p(values[at]!), Math.log1p(ends[at]!)]);
  }
  const count = pairs.length;
  if (count < FEWEST_PROJECTED) return null;
  const mean = (which: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[which], 0) / count;
  const [meanThen, meanEnd] = [mean(0), mean(1)];
  let [spread, together] = [0, 0];
  for (const [then, end] of pairs) {
    spread += (then - meanThen) ** 2;
    together += (then - meanThen) * (end - meanEnd);
  }
  const slope = spread === 0 ? 0 : together / spread;
  const scatter = pairs.reduce(
    (sum, [then, end]) => sum + (end - meanEnd - slope * (then - meanThen)) ** 2,
    0,
  ) / (count - 2);
  const distance = Math.log1p(value) - meanThen;
  const centre = meanEnd + slope * distance;
  const error = Math.sqrt(
    scatter * (1 + 1 / count + (spread === 0 ? 0 : distance ** 2 / spread)),
  );
  const reach = error * studentBound(count - 2);
  const ending = (log: number) => Math.max(value, Math.round(Math.expm1(log)));
  return {
    ageHours: WEEK_AGE,
    low: ending(centre - reach),
    mid: ending(centre),
    high: ending(centre + reach),
  };
}
