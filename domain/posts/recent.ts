/** The brand's newest posts with their history: what digests and the strategist read. */
import { dayOf } from "../calendar.ts";
import type { Service } from "../service.ts";
import { queryPosts } from "./operations.ts";
import type { PostDetail } from "./shape.ts";
import { readPost } from "./store.ts";

const PAGE = 100;

/** Posts published on or after the UTC day of `from` (instant, ms), newest first, at most `most`. */
export async function recentPosts(
  service: Pick<Service, "kv" | "posts">,
  brandId: string,
  from: number,
  most: number,
): Promise<PostDetail[]> {
  const posts: PostDetail[] = [];
  for (let page = 1; posts.length < most; page++) {
    const { data } = await queryPosts(service, brandId, {
      page,
      perPage: PAGE,
      from: dayOf(from),
      sort: "published",
      dir: "desc",
    });
    const read = await Promise.all(data.map(({ id }) => readPost(service.kv, brandId, id)));
    posts.push(...read.filter((post) => post !== null));
    if (data.length < PAGE) break;
  }
  return posts.slice(0, most);
}
