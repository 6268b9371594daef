/** The brand's newest posts with their history: what digests and the strategist read. */
import { startOfDay } from "../calendar.ts";
import type { Service } from "../service.ts";
import type { PostDetail } from "./shape.ts";
import { readPost } from "./store.ts";

/** Posts that are read side by side. */
const TOGETHER = 100;

/** Posts published on or after the UTC day of `from` (instant, ms), newest first, at most `most`. */
export async function recentPosts(
  { kv, posts }: Pick<Service, "kv" | "posts">,
  brandId: string,
  from: number,
  most: number,
): Promise<PostDetail[]> {
  const ids = (await posts.of(brandId)).newest(startOfDay(from), most);
  const found: PostDetail[] = [];
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const some = ids.slice(at, at + TOGETHER).map((id) => readPost(kv, brandId, id));
    found.push(...(await Promise.all(some)).filter((post) => post !== null));
  }
  return found;
}
