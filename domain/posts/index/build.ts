/** Builds the index of a brand from one list of its posts, or brings one up to date. */
import { listValues } from "../../kv/transact.ts";
import { eachPost } from "../batches.ts";
import { changeKey, readPosts } from "../records.ts";
import { PostIndex } from "./post_index.ts";

/** Changed posts that are read and put together. Other requests are served in between. */
const TOGETHER = 200;

/** Reads all of the brand's posts. */
export async function build(kv: Deno.Kv, brandId: string): Promise<PostIndex> {
  const index = new PostIndex();
  await eachPost(kv, brandId, (post) => index.append(post));
  index.trim();
  return index;
}

/** Applies the changes between two versions to the index. Returns false if it must be built anew. */
export async function patch(
  kv: Deno.Kv,
  brandId: string,
  index: PostIndex,
  [from, to]: [number, number],
): Promise<boolean> {
  if (index.worn || to < from || isMany(to - from, index.size)) return false;
  if (to === from) return true;
  const changes = await listValues<string[]>(kv, ["postChange", brandId], {
    start: changeKey(brandId, from + 1),
  });
  if (changes.length < to - from) return false;
  const ids = [...new Set(changes.flat())];
  if (isMany(ids.length, index.size)) return false;
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const posts = await readPosts(kv, brandId, ids.slice(at, at + TOGETHER));
    for (const post of posts) if (post !== null) index.put(post);
  }
  return true;
}

/** Whether an index of so many posts is sooner built anew than changed so often. */
function isMany(changes: number, posts: number): boolean {
  return changes > 1_000 && changes > posts / 4;
}
