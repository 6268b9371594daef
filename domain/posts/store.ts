/** Reading posts back by id or by the platform's id, with their history. */
import { isId } from "../ids.ts";
import { getEach, listValues } from "../kv.ts";
import { toMetrics } from "./readings.ts";
import { pointerKey, readingPrefix, readPosts, type StoredPost, toPost } from "./records.ts";
import type { Platform, PostDetail, Reading } from "./shape.ts";

/** The newest reading of each known post among those, by external id. */
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

/** The post that the platform knows by that id, with its history, or null. */
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
  const readings = await listValues<Reading>(kv, readingPrefix(brandId, post.id));
  return { ...toPost(post), snapshots: readings.map(toMetrics) };
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
