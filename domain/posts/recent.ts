/** Reads a brand's newest posts with their history, for digests and the strategist. */
import { startOfDay } from "../foundation/calendar.ts";
import type { PostIndexes } from "./index/indexes.ts";
import type { PostDetail } from "./shape.ts";
import { readPost } from "./store.ts";

/** Posts that are read at the same time. */
const TOGETHER = 100;

/** At most `most` posts published on or after the UTC day of `from` (instant, ms), newest first. */
export async function recentPosts(
  { kv, posts }: { kv: Deno.Kv; posts: PostIndexes },
  brandId: string,
  from: number,
  most: number,
): Promise<PostDetail[]> {
  const ids = await posts.newest(brandId, startOfDay(from), most);
  const found: PostDetail[] = [];
  for (let start = 0; start < ids.length; start += TOGETHER) {
    const some = ids.slice(start, start + TOGETHER).map((id) => readPost(kv, brandId, id));
    found.push(...(await Promise.all(some)).filter((post) => post !== null));
  }
  return found;
}
