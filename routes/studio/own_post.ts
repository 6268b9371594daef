/** Which scheduled post a published one was. */
import { listItems } from "../../domain/operations/calendar.ts";
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
    const found = data.find(({ postId }) => postId === post.id);
    if (found !== undefined) return found;
  }
  return null;
}
