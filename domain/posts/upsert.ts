/** Writing posts: idempotent, readings merged by UTC day, each commit one step of the brand's version. */
import { HOUR } from "../calendar.ts";
import { newId } from "../ids.ts";
import { type Commit, getEach, transact } from "../kv.ts";
import type { Service } from "../service.ts";
import { takingTurns } from "../turns.ts";
import { storedHashtags } from "./hashtags.ts";
import { byDay, laterReading, normalizeReading, readingDay, sameReading, utc } from "./readings.ts";
import {
  changeKey,
  pointerKey,
  readingKey,
  readPosts,
  type StoredPost,
  versionKey,
  versionsKey,
  writePost,
} from "./records.ts";
import type { IncomingPost, Reading } from "./shape.ts";
import type { Change, Tally } from "./tally.ts";

export interface Upserted {
  /** Readings written. */
  readings: number;
}

/** What writing posts needs of the service. */
export type PostWriter = Pick<Service, "kv" | "now" | "posts">;

/** How long changes can be caught up with one by one; a reader further behind reads all. */
const CHANGES_LIVE_MS = HOUR;

// A commit takes 1,000 mutations and 819,200 bytes, keys included.
const COMMIT_READINGS = 600;
const COMMIT_POSTS = 100;
const COMMIT_BYTES = 400_000;
/** One large commit at a time: whoever else uses the store waits for one of them, not for all. */
const inTurn = takingTurns(1);

/**
 * Writes posts and merges their readings by UTC day. Bringing the same again changes nothing.
 * A post that is not known needs a reading; without one it waits for its first.
 */
export async function upsertPosts(
  service: PostWriter,
  brandId: string,
  posts: readonly IncomingPost[],
  tally?: Tally,
): Promise<Upserted> {
  let readings = 0;
  for (const batch of batches(joined(posts.map(normalize)))) {
    const written = await inTurn(() =>
      transact(service.kv, (commit) => write(service, commit, brandId, batch))
    );
    const { version, changes } = written;
    if (changes.length > 0) service.posts.wrote(brandId, version, changes.map(({ post }) => post));
    for (const change of changes) tally?.add(change);
    readings += written.readings;
  }
  return { readings };
}

function normalize(post: IncomingPost): IncomingPost {
  return {
    ...post,
    hashtags: storedHashtags(post.hashtags),
    publishedAt: utc(post.publishedAt),
    readings: [
      ...byDay(post.readings.map((reading) => normalizeReading(reading, post.platform))).values(),
    ],
  };
}

/** Each post once, as bringing its states one after the other would leave it. */
function joined(posts: IncomingPost[]): IncomingPost[] {
  const byIdentity = new Map<string, IncomingPost>();
  for (const post of posts) {
    const earlier = byIdentity.get(identity(post));
    byIdentity.set(identity(post), earlier === undefined ? post : join(earlier, post));
  }
  return [...byIdentity.values()];
}

function join(earlier: IncomingPost, later: IncomingPost): IncomingPost {
  return {
    ...later,
    coverText: known(later.coverText, earlier.coverText),
    thumbnailUrl: known(later.thumbnailUrl, earlier.thumbnailUrl),
    mediaUrls: known(later.mediaUrls, earlier.mediaUrls),
    readings: [...byDay([...earlier.readings, ...later.readings]).values()],
  };
}

/** What was brought, or what was there before where nothing was said. */
function known<T>(brought: T | undefined, before: T): T {
  return brought === undefined ? before : brought;
}

function identity({ platform, externalId }: IncomingPost): string {
  return `${platform} ${externalId}`;
}

/** Portions that one commit takes, each post at most once in each; long histories are cut. */
function* batches(posts: IncomingPost[]): Generator<IncomingPost[]> {
  let batch: IncomingPost[] = [];
  let seen = new Set<string>();
  let readings = 0;
  let bytes = 0;
  for (const piece of posts.flatMap(cut)) {
    const weight = JSON.stringify({ ...piece, readings: [] }).length * 2;
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

function cut(post: IncomingPost): IncomingPost[] {
  const pieces: IncomingPost[] = [];
  for (let at = 0; at === 0 || at < post.readings.length; at += COMMIT_READINGS) {
    pieces.push({ ...post, readings: post.readings.slice(at, at + COMMIT_READINGS) });
  }
  return pieces;
}

interface Written {
  /** The brand's version by this write. */
  version: number;
  changes: Change[];
  readings: number;
}

/** Every writer checks the brand's version, so what is read here stands until the commit. */
async function write(
  { kv, now }: PostWriter,
  commit: Commit,
  brandId: string,
  batch: IncomingPost[],
): Promise<Written> {
  const version = (await commit.get<number>(versionKey(brandId)) ?? 0) + 1;
  const written: Written = { version, changes: [], readings: 0 };
  const stored = await readKnown(kv, brandId, batch);
  for (const [at, incoming] of batch.entries()) {
    const { post, readings } = stored[at]!;
    const isNew = incoming.readings.map((reading, day) => isNews(reading, readings[day]!));
    const news = incoming.readings.filter((_, day) => isNew[day]);
    const next = merge(incoming, post, news, () => newId("post", now()));
    if (next === null) continue;
    const same = post !== null && samePost(post, next);
    if (same && news.length === 0) continue;
    if (post === null) commit.set(pointerKey(brandId, next.platform, next.externalId), next.id);
    if (!same) writePost(commit, brandId, next, post);
    for (const reading of news) {
      commit.set(readingKey(brandId, next.id, readingDay(reading)), reading);
    }
    const replaced = readings.filter((_, day) => isNew[day]);
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
    commit.set(changeKey(brandId, version), ids, { expireIn: CHANGES_LIVE_MS });
  }
  return written;
}

interface Known {
  post: StoredPost | null;
  /** What is stored for the day of each incoming reading. */
  readings: (Reading | null)[];
}

async function readKnown(kv: Deno.Kv, brandId: string, batch: IncomingPost[]): Promise<Known[]> {
  const pointers = batch.map((post) => pointerKey(brandId, post.platform, post.externalId));
  const ids = await getEach<string>(kv, pointers);
  const posts = await readPosts(kv, brandId, ids.filter((id) => id !== null));
  const keys = batch.flatMap(({ readings }, at) =>
    ids[at] == null ? [] : readings.map((r) => readingKey(brandId, ids[at]!, readingDay(r)))
  );
  const stored = (await getEach<Reading>(kv, keys)).values();
  const found = posts.values();
  return batch.map(({ readings }, at) =>
    ids[at] == null
      ? { post: null, readings: readings.map(() => null) }
      : { post: found.next().value ?? null, readings: readings.map(() => stored.next().value!) }
  );
}

/** Whether an incoming reading takes the place of the day's stored one. */
function isNews(reading: Reading, stored: Reading | null): boolean {
  return stored === null ||
    (laterReading(stored, reading) === reading && !sameReading(stored, reading));
}

/** The post as it will be stored; null while it has no reading. */
function merge(
  incoming: IncomingPost,
  post: StoredPost | null,
  news: Reading[],
  freshId: () => string,
): StoredPost | null {
  let newest = post?.newest ?? null;
  for (const reading of news) newest = laterReading(newest, reading);
  if (newest === null) return null;
  return {
    id: post?.id ?? freshId(),
    externalId: incoming.externalId,
    platform: incoming.platform,
    format: incoming.format,
    title: incoming.title,
    url: incoming.url,
    caption: incoming.caption,
    coverText: known(incoming.coverText, post?.coverText ?? null),
    hashtags: incoming.hashtags,
    thumbnailUrl: known(incoming.thumbnailUrl, post?.thumbnailUrl ?? null),
    mediaUrls: known(incoming.mediaUrls, post?.mediaUrls ?? []),
    publishedAt: incoming.publishedAt,
    newest,
  };
}

/** Both come from `merge`, field by field in one order. */
function samePost(a: StoredPost, b: StoredPost): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
