/** Tells others of posts that were found, in the commit that stores them. */
import { emit } from "../kv/outbox.ts";
import type { Commit } from "../kv/transact.ts";
import type { Change } from "./tally.ts";

/** @param at,since instants, ms: now, and before which a post's publication is no news */
export function emitDiscovered(
  commit: Commit,
  brandId: string,
  at: number,
  changes: readonly Change[],
  since: number,
): void {
  for (const { post, fresh } of changes) {
    if (!fresh || Date.parse(post.publishedAt) < since) continue;
    const { id: postId, platform, format, url, publishedAt } = post;
    const data = { postId, platform, format, url, publishedAt };
    emit(commit, { brandId, at, type: "post.discovered", data });
  }
}
