/** Reads posts by id or by the platform's id, with their history. */
import { isId } from "../foundation/ids.ts";
import { getEach, listValues } from "../kv/transact.ts";
import { toMetrics } from "./readings.ts";
import { pointerKey, readingPrefix, readPosts, type StoredPost, toPost } from "./records.ts";
import type { Platform, Post, PostDetail, Reading } from "./shape.ts";

/** The newest reading of each of these posts that is known, by external id. */
export async function latestReadings(
  kv: Deno.Kv,
  brandId: string,
  platform: Platform,
  externalIds: readonly string[],
): Promise<Map<string, Reading>> {
  const posts = await readByExternal(kv, brandId, platform, externalIds);
  const latest = new Map<string, Reading>();
  for (const post of posts) if (post !== null) latest.set(post.externalId, post.newest);
  return latest;
}

/** The post with that id on the platform, with its history, or null. */
export async function findPost(
  kv: Deno.Kv,
  brandId: string,
  platform: Platform,
  externalId: string,
): Promise<PostDetail | null> {
  const [post] = await readByExternal(kv, brandId, platform, [externalId]);
  return post ? await withSnapshots(kv, brandId, post) : null;
}

/** The brand's post with that id, with its history, or null. */
export async function readPost(
  kv: Deno.Kv,
  brandId: string,
  id: string,
): Promise<PostDetail | null> {
  if (!isId("post", id)) return null;
  const [post] = await readPosts(kv, brandId, [id]);
  return post ? await withSnapshots(kv, brandId, post) : null;
}

async function withSnapshots(
  kv: Deno.Kv,
  brandId: string,
  post: StoredPost,
): Promise<PostDetail> {
  return await withReadings(kv, brandId, toPost(post));
}

/** A post with its history. */
export async function withReadings(
  kv: Deno.Kv,
  brandId: string,
  post: Post,
): Promise<PostDetail> {
  const readings = await listValues<Reading>(kv, readingPrefix(brandId, post.id));
  return { ...post, snapshots: readings.map(toMetrics) };
}

/** The ids of the posts that the platforms know by these ids, in their order; null: not known. */
export async function postIdsOf(
  kv: Deno.Kv,
  brandId: string,
  posts: readonly { platform: Platform; externalId: string }[],
): Promise<(string | null)[]> {
  return await getEach<string>(
    kv,
    posts.map(({ platform, externalId }) => pointerKey(brandId, platform, externalId)),
  );
}

async function readByExternal(
  kv: Deno.Kv,
  brandId: string,
  platform: Platform,
  externalIds: readonly string[],
): Promise<(StoredPost | null)[]> {
  const ids = await getEach<string>(
    kv,
    externalIds.map((externalId) => pointerKey(brandId, platform, externalId)),
  );
  return await readPosts(kv, brandId, ids.filter((id) => id !== null));
}
