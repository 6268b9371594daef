/** Which published post is which scheduled one: they have the platform's address in common. */
import { listItems } from "../../domain/operations/calendar.ts";
import { listPosts } from "../../domain/operations/posts.ts";
import type { Post } from "../../domain/posts/shape.ts";
import type { Slot } from "../../domain/series/shape.ts";
import type { Studio } from "./studio.ts";
import { dayAfter, dayIn } from "./when.ts";

/** How far a post's time may lie from when it was published, days: first the usual, then the most. */
const MOVED = [2, 31];
const MOST = 100;

/** The scheduled post that Marquee published as this one; null: it was published elsewhere. */
export async function scheduledAs({ call }: Studio, post: Post): Promise<Slot | null> {
  const day = dayIn(post.publishedAt, "UTC");
  for (const days of MOVED) {
    const around = { from: dayAfter(day, -days), to: dayAfter(day, days), perPage: MOST };
    const { data } = await call(listItems, { status: "published", ...around });
    const found = data.find(({ url }) => url === post.url);
    if (found !== undefined) return found;
  }
  return null;
}

/** The published post of a scheduled one; null until its numbers were read. */
export async function publishedAs({ call }: Studio, item: Slot): Promise<Post | null> {
  const { url, publishedAt } = item;
  if (url === null || publishedAt === null) return null;
  const day = dayIn(publishedAt, "UTC");
  const around = { from: dayAfter(day, -1), to: dayAfter(day, 1), perPage: MOST };
  const { data } = await call(listPosts, around);
  return data.find((post) => post.url === url) ?? null;
}
