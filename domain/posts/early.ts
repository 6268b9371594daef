/**
 * Early readings: all readings of a post's first 72 hours, at most one each half hour. Posts are
 * compared by them at equal age; the public snapshots stay one a UTC day.
 */
import { HOUR, iso, MINUTE } from "../foundation/calendar.ts";
import { getEach } from "../kv/transact.ts";
import { batchesOf } from "./batches.ts";
import { toMetrics } from "./readings.ts";
import { type PostDetail, type Reading, READING_NUMBERS } from "./shape.ts";

/** Readings are kept apart until a post has this age. */
export const EARLY = 72 * HOUR;
/** Of several readings in one step the last is kept. */
const STEP = 30 * MINUTE;
/** Two readings further apart say nothing about an instant between them. */
const WIDEST_GAP = 72 * HOUR;
/** The most bytes that a post's early readings take: 145 of them, with large numbers. */
export const EARLY_BYTES = 5_000;

export const earlyKey = (brandId: string, id: string): Deno.KvKey => ["postEarly", brandId, id];

/** The post's early readings, oldest first. */
export async function earlyReadings(kv: Deno.Kv, brandId: string, id: string): Promise<Reading[]> {
  const packed = (await kv.get<Uint8Array>(earlyKey(brandId, id))).value;
  return packed === null ? [] : unpack(packed);
}

/** The early readings of each of these posts, in their order. */
export async function earlyReadingsOf(
  kv: Deno.Kv,
  brandId: string,
  ids: readonly string[],
): Promise<Reading[][]> {
  const packed = await getEach<Uint8Array>(kv, ids.map((id) => earlyKey(brandId, id)));
  return packed.map((bytes) => bytes === null ? [] : unpack(bytes));
}

/** The early readings of each of the brand's posts that has any, by id. */
export async function* eachEarly(
  kv: Deno.Kv,
  brandId: string,
): AsyncGenerator<{ id: string; readings: Reading[] }, void> {
  const prefix = earlyKey(brandId, "").slice(0, -1);
  for await (const entries of batchesOf<Uint8Array>(kv, prefix)) {
    for (const { key, value } of entries) {
      yield { id: String(key[prefix.length]), readings: unpack(value) };
    }
  }
}

/** The posts with their early readings among the snapshots, to be compared at equal age. */
export async function withEarlyReadings(
  kv: Deno.Kv,
  brandId: string,
  posts: readonly PostDetail[],
): Promise<PostDetail[]> {
  const early = await earlyReadingsOf(kv, brandId, posts.map(({ id }) => id));
  return posts.map((post, at) => {
    const own = early[at] ?? [];
    if (own.length === 0) return post;
    return { ...post, snapshots: inOrder([...post.snapshots, ...own.map(toMetrics)]) };
  });
}

/** Oldest first, one at each instant. */
export function inOrder<T extends Pick<Reading, "capturedAt">>(readings: readonly T[]): T[] {
  const byInstant = new Map(readings.map((reading) => [reading.capturedAt, reading]));
  return [...byInstant.values()].sort((a, b) => a.capturedAt < b.capturedAt ? -1 : 1);
}

/**
 * What `valueOf` was `age` ms after publication, interpolated between the readings before and after
 * that instant; null when they don't tell.
 * @param readings oldest first
 */
export function valueAtAge<T extends Pick<Reading, "capturedAt">>(
  readings: readonly T[],
  publishedAt: number,
  age: number,
  valueOf: (reading: T) => number,
): number | null {
  let before = { age: 0, value: 0 };
  for (const reading of readings) {
    const after = {
      age: Date.parse(reading.capturedAt) - publishedAt,
      value: valueOf(reading),
    };
    if (after.age < age) {
      if (after.age > before.age) before = after;
      continue;
    }
    const gap = after.age - before.age;
    if (gap > WIDEST_GAP) return null;
    return gap === 0
      ? after.value
      : before.value + (age - before.age) / gap * (after.value - before.value);
  }
  return null;
}

/** Those of the first 72 hours. */
export function early(readings: readonly Reading[], publishedAt: string): Reading[] {
  return readings.filter(({ capturedAt }) => stepOf(capturedAt, publishedAt) !== null);
}

/** The packed readings with `news` added. The same bytes when nothing is new. */
export function addEarly(
  packed: Uint8Array | null,
  news: readonly Reading[],
  publishedAt: string,
): Uint8Array {
  const steps = new Map<number, Reading>();
  for (const reading of [...packed === null ? [] : unpack(packed), ...news]) {
    const step = stepOf(reading.capturedAt, publishedAt);
    const known = step === null ? undefined : steps.get(step);
    if (step === null || (known !== undefined && known.capturedAt > reading.capturedAt)) continue;
    steps.set(step, reading);
  }
  return pack([...steps.values()].sort((a, b) => a.capturedAt < b.capturedAt ? -1 : 1));
}

/** Counts the half hours since publication; null for a reading that is not early. */
function stepOf(capturedAt: string, publishedAt: string): number | null {
  const age = Date.parse(capturedAt) - Date.parse(publishedAt);
  return age < 0 || age > EARLY ? null : Math.floor(age / STEP);
}

const NULL_BIT = 1;
const FALLING_BIT = 2;

/**
 * Each reading as its time and numbers, as differences from the reading before: two bits a field say
 * that it is null or has fallen. A number takes seven bits a byte, the lowest first.
 */
function pack(readings: readonly Reading[]): Uint8Array {
  const bytes: number[] = [];
  const put = (value: number) => {
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
    bytes.push(value);
  };
  let at = 0;
  const last = new Map<string, number>();
  for (const reading of readings) {
    const readAt = Date.parse(reading.capturedAt);
    put(readAt - at);
    at = readAt;
    let flags = 0;
    const changes: number[] = [];
    for (const [place, field] of READING_NUMBERS.entries()) {
      const value = reading[field];
      if (value === null) {
        flags |= NULL_BIT << 2 * place;
        continue;
      }
      const change = value - (last.get(field) ?? 0);
      if (change < 0) flags |= FALLING_BIT << 2 * place;
      changes.push(Math.abs(change));
      last.set(field, value);
    }
    put(flags);
    for (const change of changes) put(change);
  }
  return new Uint8Array(bytes);
}

function unpack(bytes: Uint8Array): Reading[] {
  let place = 0;
  const take = () => {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = bytes[place++] ?? 0;
      value += byte % 128 * scale;
      if (byte < 128) return value;
    }
  };
  const readings: Reading[] = [];
  const last = new Map<string, number>();
  for (let at = 0; place < bytes.length;) {
    at += take();
    const flags = take();
    const field = (name: (typeof READING_NUMBERS)[number]): number | null => {
      const bits = flags >> 2 * READING_NUMBERS.indexOf(name);
      if ((bits & NULL_BIT) !== 0) return null;
      const change = take();
      const value = (last.get(name) ?? 0) + ((bits & FALLING_BIT) === 0 ? change : -change);
      last.set(name, value);
      return value;
    };
    // In the order of READING_NUMBERS, because each takes its bytes in turn.
    readings.push({
      views: field("views") ?? 0,
      impressions: field("impressions") ?? 0,
      reach: field("reach"),
      likes: field("likes") ?? 0,
      comments: field("comments") ?? 0,
      shares: field("shares") ?? 0,
      saves: field("saves"),
      clicks: field("clicks"),
      capturedAt: iso(at),
    });
  }
  return readings;
}
