/** Posts as stored: the record with its newest reading, its pointer, its readings, and large ones in parts. */
import { joined } from "../bytes.ts";
import { type Commit, getEach } from "../kv.ts";
import { toMetrics } from "./readings.ts";
import type { IncomingPost, Platform, Post, Reading } from "./shape.ts";

/** What a post that is brought may leave as it is stored. */
type LeftOpen = "coverText" | "thumbnailUrl" | "mediaUrls";

/** A post with its newest reading, so that an index build is one list. */
export interface StoredPost extends Omit<IncomingPost, "readings" | LeftOpen> {
  id: string;
  coverText: string | null;
  thumbnailUrl: string | null;
  mediaUrls: string[];
  newest: Reading;
}

/** In place of a post too large for one value: its JSON lies in that many parts below its key. */
interface Split {
  parts: number;
}

export type PostValue = StoredPost | Split;

export const postPrefix = (brandId: string): Deno.KvKey => ["post", brandId];
export const postKey = (brandId: string, id: string): Deno.KvKey => ["post", brandId, id];
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
/** Counts the brand's writes of posts; every write checks it, so it is their lock as well. */
export const versionKey = (brandId: string): Deno.KvKey => ["postVersion", brandId];
/** Written with every brand's version: while its versionstamp stands, all of them do. */
export const versionsKey: Deno.KvKey = ["postVersions"];
/** The ids that the write of that version changed. */
export const changeKey = (brandId: string, version: number) => ["postChange", brandId, version];

/** KV takes 65,536 bytes a value and two bytes a character once one of them isn't Latin. */
const WHOLE_CHARACTERS = 30_000;
const PART_BYTES = 60_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function isSplit(value: PostValue): value is Split {
  return "parts" in value;
}

/** Writes `post` in place of `previous` (null: none). */
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
  for (const [at, part] of parts.entries()) commit.set(partKey(brandId, post.id, at), part);
  for (let at = parts.length; at < before; at++) commit.delete(partKey(brandId, post.id, at));
}

/** The parts of a post too large for one value; none when it is not. */
function split(post: StoredPost): Uint8Array[] {
  const json = JSON.stringify(post);
  if (json.length <= WHOLE_CHARACTERS) return [];
  const bytes = encoder.encode(json);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    parts.push(bytes.slice(at, at + PART_BYTES));
  }
  return parts;
}

/** The posts with those ids, in order, null where there is none. */
export async function readPosts(
  kv: Deno.Kv,
  brandId: string,
  ids: readonly string[],
): Promise<(StoredPost | null)[]> {
  const values = await getEach<PostValue>(kv, ids.map((id) => postKey(brandId, id)));
  return await Promise.all(
    values.map((value, at) =>
      value !== null && isSplit(value) ? readWhole(kv, brandId, ids[at]!) : value
    ),
  );
}

/** One post out of its parts, which were written together. */
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

/** A post as the wire shows it (spec 2.2). */
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
