/** Parts of a page that follow changes: a card that differs is taken over by its id. */
import type { Child } from "hono/jsx";
import { getPostsVersion } from "../../../domain/operations/live.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import type { Studio } from "../studio.ts";

/** The version of the posts. To be read before the posts, so that no change falls in between. */
export const versionOf = async (studio: Studio): Promise<string> =>
  (await studio.call(getPostsVersion, {})).version;

interface LiveProps {
  id: string;
  /** False: it is taken over by a page that has followed until now, and follows no more. */
  follows?: boolean;
  children: Child;
}

/** A part that is taken over as a whole when its cards are others, or when it has none. */
export function Live({ id, follows = true, children }: LiveProps) {
  const live = follows ? { "data-live": true } : {};
  return <div class="live" id={`live-${id}`} {...live}>{children}</div>;
}

/**
 * The attributes of a post's card.
 * @param kind names the form of the card, so that ids are unique
 * @param near when the nearest other post is scheduled, on a card that says so
 */
export function cardOf(
  kind: "tile" | "entry" | "line",
  post: Slot,
  near: string | null = null,
): Record<string, string> {
  const { id, status, scheduledFor, contentHash, approvedAt, caption, creations } = post;
  const shown = [status, scheduledFor, contentHash, approvedAt, caption.length, near]
    .concat(creations.map((picture) => picture.status));
  return { id: `${kind}-${id}`, "data-card": shown.join(" ") };
}
