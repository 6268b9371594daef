/** Writes posts idempotently and merges their readings by UTC day. Each commit raises the brand's version. */
import { DAY, type Now } from "../foundation/calendar.ts";
import { newId } from "../foundation/ids.ts";
import { type Commit, getEach, transact } from "../kv/transact.ts";
import { semaphore } from "../foundation/semaphore.ts";
import { emitDiscovered } from "./discovered.ts";
import { addEarly, early, EARLY_BYTES, earlyKey } from "./early.ts";
import { storedHashtags } from "./fold.ts";
import type { PostIndexes } from "./index/indexes.ts";
import { byDay, laterReading, normalizeReading, readingDay, sameReading, utc } from "./readings.ts";
import { orderByDate } from "./by_date.ts";
import {
  changeKey,
  countKey,
  pointerKey,
  type PostCount,
  readingKey,
  readPosts,
  type StoredPost,
  versionKey,
  versionsKey,
  writePost,
} from "./records.ts";
import type { IncomingPost, Reading } from "./shape.ts";
import type { Change, Tally } from "./tally.ts";

export interface UpsertOptions {
  /** Counts what was written. */
  tally?: Tally;
  /** Posts published from this instant (ms) on that were not known are told of; absent: none. */
  newSince?: number;
}

export interface Upserted {
  /** Readings written. */
  readings: number;
}

/** What writing posts needs of the service. */
export interface PostWriter {
  readonly kv: Deno.Kv;
  readonly now: Now;
  readonly posts: PostIndexes;
}

/** How long single changes are kept. An index that is further behind is built again from all posts. */
const CHANGES_LIVE_MS = 7 * DAY;

// A commit takes 1,000 mutations and 819,200 bytes, keys included.
const COMMIT_READINGS = 600;
const COMMIT_POSTS = 100;
const COMMIT_BYTES = 400_000;
/** One large commit at a time, so that other requests wait for one of them and not for all. */
const withPermit = semaphore(1);

/**
 * Writes posts and merges their readings by UTC day. Writing the same again changes nothing. An
 * unknown post without a reading is skipped.
 */
export async function upsertPosts(
  service: PostWriter,
  brandId: string,
  posts: readonly IncomingPost[],
  { tally, newSince = Infinity }: UpsertOptions = {},
): Promise<Upserted> {
  let readings = 0;
  for (const batch of batches(joined(posts.map(normalize)))) {
    const written = await withPermit(() =>
      transact(service.kv, async (commit) => {
        const written = await write(service, commit, brandId, batch);
        emitDiscovered(commit, brandId, service.now(), written.changes, newSince);
        return written;
      })
    );
    const { version, changes, counted } = written;
    if (changes.length > 0) service.posts.wrote(brandId, version, changes.map(({ post }) => post));
    if (!counted) await orderByDate(service.kv, brandId);
    for (const change of changes) tally?.add(change);
    readings += written.readings;
  }
  return { readings };
}

/** A post ready to be written: one reading a day, and beside them all early ones. */
type Normal = IncomingPost & { earlyReadings: Reading[] };

function normalize(post: IncomingPost): Normal {
  const normal = (reading: Reading) => normalizeReading(reading, post.platform);
  const readings = post.readings.map(normal);
  const publishedAt = utc(post.publishedAt);
  return {
    ...post,
    hashtags: storedHashtags(post.hashtags),
    publishedAt,
    readings: [...byDay(readings).values()],
    earlyReadings: early([...(post.earlyReadings ?? []).map(normal), ...readings], publishedAt),
  };
}

/** Joins entries of the same post into one, with the result of writing them one after the other. */
function joined(posts: Normal[]): Normal[] {
  const byIdentity = new Map<string, Normal>();
  for (const post of posts) {
    const earlier = byIdentity.get(identity(post));
    byIdentity.set(identity(post), earlier === undefined ? post : join(earlier, post));
  }
  return [...byIdentity.values()];
}

function join(earlier: Normal, later: Normal): Normal {
  return {
    ...later,
    coverText: known(later.coverText, earlier.coverText),
    thumbnailUrl: known(later.thumbnailUrl, earlier.thumbnailUrl),
    mediaUrls: known(later.mediaUrls, earlier.mediaUrls),
    readings: [...byDay([...earlier.readings, ...later.readings]).values()],
    earlyReadings: [...earlier.earlyReadings, ...later.earlyReadings],
  };
}

/** The incoming value, or the former one if the incoming one is undefined. */
function known<T>(incoming: T | undefined, before: T): T {
  return incoming === undefined ? before : incoming;
}

function identity({ platform, externalId }: IncomingPost): string {
  return `${platform} ${externalId}`;
}

/** Batches that fit into one commit, each post at most once in each. Long histories are cut. */
function* batches(posts: Normal[]): Generator<Normal[]> {
  let batch: Normal[] = [];
  let seen = new Set<string>();
  let readings = 0;
  let bytes = 0;
  for (const piece of posts.flatMap(cut)) {
    const weight = JSON.stringify({ ...piece, readings: [], earlyReadings: [] }).length * 2 +
      (piece.earlyReadings.length === 0 ? 0 : EARLY_BYTES);
    const full = batch.length === COMMIT_POSTS || bytes + weight > COMMIT_BYTES ||
      readings + piece.readings.length > COMMIT_READINGS;
    if (batch.length > 0 && (full || seen.has(identity(piece)))) {
      yield batch;
      [batch, seen, readings, bytes] = [[], new Set(), 0, 0];
    }
    batch.push(piece);
    seen.add(identity(piece));
    readings += piece.readings.length;
    bytes += weight;
  }
  if (batch.length > 0) yield batch;
}

function cut(post: Normal): Normal[] {
  const pieces: Normal[] = [];
  for (let start = 0; start === 0 || start < post.readings.length; start += COMMIT_READINGS) {
    const readings = post.readings.slice(start, start + COMMIT_READINGS);
    pieces.push({ ...post, readings, earlyReadings: start === 0 ? post.earlyReadings : [] });
  }
  return pieces;
}

interface Written {
  /** The brand's version after this write. */
  version: number;
  changes: Change[];
  readings: number;
  /** Whether the count and the keys by date are exact after this write. */
  counted: boolean;
}

/** Every writer checks the brand's version, so the posts read here stay unchanged until the commit. */
async function write(
  { kv, now }: PostWriter,
  commit: Commit,
  brandId: string,
  batch: Normal[],
): Promise<Written> {
  const [before, count] = await Promise.all([
    commit.get<number>(versionKey(brandId)),
    commit.get<PostCount>(countKey(brandId)),
  ]);
  const version = (before ?? 0) + 1;
  const counted = (count?.version ?? 0) === version - 1;
  const written: Written = { version, changes: [], readings: 0, counted };
  for (const { incoming, post, days, packed } of await readKnown(kv, brandId, batch)) {
    const newDays = days.filter(({ reading, stored }) => isNews(reading, stored));
    const news = newDays.map(({ reading }) => reading);
    const next = merge(incoming, post, news, () => newId("post", now()));
    if (next === null) continue;
    const same = post !== null && samePost(post, next);
    const { earlyReadings, publishedAt } = incoming;
    const apart = earlyReadings.length === 0 ? null : addEarly(packed, earlyReadings, publishedAt);
    const isApart = apart !== null && !sameBytes(packed, apart);
    if (same && news.length === 0 && !isApart) continue;
    if (isApart) commit.set(earlyKey(brandId, next.id), apart);
    if (post === null) commit.set(pointerKey(brandId, next.platform, next.externalId), next.id);
    if (!same) writePost(commit, brandId, next, post);
    for (const reading of news) {
      commit.set(readingKey(brandId, next.id, readingDay(reading)), reading);
    }
    const replaced = newDays.map(({ stored }) => stored);
    written.changes.push({
      post: next,
      fresh: post === null,
      states: [post, next, ...replaced, ...news],
    });
    written.readings += news.length;
  }
  if (written.changes.length > 0) {
    const ids = written.changes.map(({ post }) => post.id);
    commit.set(versionKey(brandId), version);
    commit.set(versionsKey, true);
    if (counted) {
      const fresh = written.changes.filter((change) => change.fresh).length;
      commit.set(countKey(brandId), { posts: (count?.posts ?? 0) + fresh, version });
    }
    commit.set(changeKey(brandId, version), ids, { expireIn: CHANGES_LIVE_MS });
  }
  return written;
}

/** An incoming post beside what is stored of it. */
interface Known {
  incoming: Normal;
  post: StoredPost | null;
  /** Each incoming reading with the stored one of its day. */
  days: { reading: Reading; stored: Reading | null }[];
  /** The stored early readings, read for posts that bring some. */
  packed: Uint8Array | null;
}

async function readKnown(kv: Deno.Kv, brandId: string, batch: Normal[]): Promise<Known[]> {
  const pointers = batch.map((post) => pointerKey(brandId, post.platform, post.externalId));
  const ids = (await getEach<string>(kv, pointers)).values();
  const named = batch.map((incoming) => ({ incoming, id: ids.next().value ?? null }));
  const known = named.flatMap(({ incoming, id }) => id === null ? [] : [{ incoming, id }]);
  const keys = known.flatMap(({ incoming, id }) =>
    incoming.readings.map((reading) => readingKey(brandId, id, readingDay(reading)))
  );
  const posts = (await readPosts(kv, brandId, known.map(({ id }) => id))).values();
  const readings = (await getEach<Reading>(kv, keys)).values();
  const young = known.filter(({ incoming }) => incoming.earlyReadings.length > 0);
  const earlyKeys = young.map(({ id }) => earlyKey(brandId, id));
  const packed = (await getEach<Uint8Array>(kv, earlyKeys)).values();
  // All lists are in the order of the known posts, so each takes its own values from them.
  return named.map(({ incoming, id }) => ({
    incoming,
    post: id === null ? null : posts.next().value ?? null,
    days: incoming.readings.map((reading) => ({
      reading,
      stored: id === null ? null : readings.next().value ?? null,
    })),
    packed: id === null || incoming.earlyReadings.length === 0 ? null : packed.next().value ?? null,
  }));
}

/** Whether an incoming reading replaces the stored one of its day. */
function isNews(reading: Reading, stored: Reading | null): boolean {
  return stored === null ||
    (laterReading(stored, reading) === reading && !sameReading(stored, reading));
}

type Kept = NonNullable<IncomingPost["keeps"]>[number];

/** The post as it will be stored, or null if it has no reading yet. */
function merge(
  incoming: IncomingPost,
  post: StoredPost | null,
  news: Reading[],
  freshId: () => string,
): StoredPost | null {
  let newest = post?.newest ?? null;
  for (const reading of news) newest = laterReading(newest, reading);
  if (newest === null) return null;
  const of = (field: Kept) => post !== null && incoming.keeps?.includes(field) ? post : incoming;
  return {
    id: post?.id ?? freshId(),
    externalId: incoming.externalId,
    platform: incoming.platform,
    format: of("format").format,
    title: incoming.title,
    url: of("url").url,
    caption: of("caption").caption,
    coverText: known(incoming.coverText, post?.coverText ?? null),
    hashtags: of("hashtags").hashtags,
    thumbnailUrl: known(incoming.thumbnailUrl, post?.thumbnailUrl ?? null),
    mediaUrls: known(incoming.mediaUrls, post?.mediaUrls ?? []),
    publishedAt: incoming.publishedAt,
    newest,
  };
}

function sameBytes(a: Uint8Array | null, b: Uint8Array): boolean {
  return a !== null && a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Compares JSON, because `merge` makes all stored posts with their fields in the same order. */
function samePost(a: StoredPost, b: StoredPost): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
