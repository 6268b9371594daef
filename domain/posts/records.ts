/**
 * How posts are stored: a record with the newest reading (in parts if it is large), a pointer by the
 * platform's id, and every day's reading.
 */
import { joined } from "../foundation/bytes.ts";
import { type Commit, getEach } from "../kv/transact.ts";
import { toMetrics } from "./readings.ts";
import type { IncomingPost, Platform, Post, Reading } from "./shape.ts";

/** Fields that an incoming post may leave undefined, which keeps the stored value. */
type LeftOpen = "coverText" | "thumbnailUrl" | "mediaUrls";

/** A post with its newest reading, so that one list of records is enough to build an index. */
export interface StoredPost
  extends Omit<IncomingPost, "readings" | "earlyReadings" | "keeps" | LeftOpen> {
  id: string;
  coverText: string | null;
  thumbnailUrl: string | null;
  mediaUrls: string[];
  newest: Reading;
}

/** Stored for a post that is too large for one value: its JSON is in this many parts below its key. */
interface Split {
  parts: number;
}

export type PostValue = StoredPost | Split;

export const postPrefix = (brandId: string): Deno.KvKey => ["post", brandId];
const postKey = (brandId: string, id: string): Deno.KvKey => ["post", brandId, id];
const partKey = (brandId: string, id: string, part: number) => ["post", brandId, id, part];
export const pointerKey = (brandId: string, platform: Platform, externalId: string) => [
  "postByExternal",
  brandId,
  platform,
  externalId,
];
export const readingPrefix = (brandId: string, id: string) => ["postReading", brandId, id];
export const readingKey = (brandId: string, id: string, day: string) => [
  "postReading",
  brandId,
  id,
  day,
];
/** The prefix of all brands' versions. */
export const versionPrefix: Deno.KvKey = ["postVersion"];
/** Counts the brand's writes of posts. Every write checks it, so it is also their lock. */
export const versionKey = (brandId: string): Deno.KvKey => [...versionPrefix, brandId];
/** Written with each version of any brand: while its versionstamp is unchanged, so are all versions. */
export const versionsKey: Deno.KvKey = ["postVersions"];
/** The ids of the posts that the write of this version changed. */
export const changeKey = (brandId: string, version: number) => ["postChange", brandId, version];

/** The brand's posts in the order of a page without parameters: newest first, then by id. */
export const datePrefix = (brandId: string): Deno.KvKey => ["postByDate", brandId];
export const dateKey = (brandId: string, { publishedAt, id }: DatedPost): Deno.KvKey => [
  ...datePrefix(brandId),
  // Earlier instants are larger numbers, so a forward list begins with the newest post.
  -Date.parse(publishedAt),
  id,
];
/** How many posts the brand has: a `PostCount`. */
export const countKey = (brandId: string): Deno.KvKey => ["postCount", brandId];

export type DatedPost = Pick<StoredPost, "id" | "publishedAt">;

/**
 * A count of posts, written with the keys by date. Both are exact while `version` is the brand's
 * version; a write by a program that knows neither raises only the latter.
 */
export interface PostCount {
  posts: number;
  version: number;
}

/** KV takes 65,536 bytes a value. A text takes two bytes a character if any of them is not Latin. */
const WHOLE_CHARACTERS = 30_000;
const PART_BYTES = 60_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function isSplit(value: PostValue): value is Split {
  return "parts" in value;
}

/** Writes `post` in place of `previous`, or as a new one for null. */
export function writePost(
  commit: Commit,
  brandId: string,
  post: StoredPost,
  previous: StoredPost | null,
): void {
  const parts = split(post);
  const before = previous === null ? 0 : split(previous).length;
  const head: PostValue = parts.length === 0 ? post : { parts: parts.length };
  commit.set(postKey(brandId, post.id), head);
  if (previous?.publishedAt !== post.publishedAt) {
    if (previous !== null) commit.delete(dateKey(brandId, previous));
    commit.set(dateKey(brandId, post), true);
  }
  for (const [part, bytes] of parts.entries()) commit.set(partKey(brandId, post.id, part), bytes);
  for (let part = parts.length; part < before; part++) {
    commit.delete(partKey(brandId, post.id, part));
  }
}

/** The parts of a post that is too large for one value. Empty if it is not. */
function split(post: StoredPost): Uint8Array[] {
  const json = JSON.stringify(post);
  if (json.length <= WHOLE_CHARACTERS) return [];
  const bytes = encoder.encode(json);
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    parts.push(bytes.slice(start, start + PART_BYTES));
  }
  return parts;
}

/** The posts with these ids, in their order; null for an unknown id. */
export async function readPosts(
  kv: Deno.Kv,
  brandId: string,
  ids: readonly string[],
): Promise<(StoredPost | null)[]> {
  const values = (await getEach<PostValue>(kv, ids.map((id) => postKey(brandId, id)))).values();
  return await Promise.all(ids.map((id) => {
    const value = values.next().value ?? null;
    return value !== null && isSplit(value) ? readWhole(kv, brandId, id) : value;
  }));
}

/** Reads a split post. All its parts must come from the same write. */
export async function readWhole(
  kv: Deno.Kv,
  brandId: string,
  id: string,
): Promise<StoredPost | null> {
  for (;;) {
    const head = await kv.get<PostValue>(postKey(brandId, id));
    if (head.value === null || !isSplit(head.value)) return head.value;
    const parts: Uint8Array[] = [];
    let whole = true;
    for await (const part of kv.list<Uint8Array>({ prefix: postKey(brandId, id) })) {
      whole &&= part.versionstamp === head.versionstamp;
      parts.push(part.value);
    }
    if (!whole) continue;
    return JSON.parse(decoder.decode(joined(parts)));
  }
}

/** A post as the API shows it (spec 2.2). */
export function toPost(post: StoredPost): Post {
  return {
    id: post.id,
    platform: post.platform,
    format: post.format,
    title: post.title,
    url: post.url,
    caption: post.caption,
    hashtags: post.hashtags,
    thumbnailUrl: post.thumbnailUrl,
    mediaUrls: post.mediaUrls,
    publishedAt: post.publishedAt,
    metrics: toMetrics(post.newest),
  };
}
