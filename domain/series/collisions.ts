/** Posts that come so near to each other that they compete for the same people. */
import { HOUR } from "../foundation/calendar.ts";

/** Posts that are nearer than this compete. */
export const COLLISION = HOUR;

interface Timed {
  scheduledFor: string;
  socialAccountId: string | null;
}

/** For each post, the nearest other post of its account, if it is less than an hour away. */
export function nearestOfAccount<Post extends Timed>(posts: Post[]): Map<Post, Post> {
  const near = new Map<Post, Post>();
  const known = posts.filter(({ socialAccountId }) => socialAccountId !== null);
  for (const own of Map.groupBy(known, ({ socialAccountId }) => socialAccountId).values()) {
    const sorted = own.toSorted((a, b) => a.scheduledFor.localeCompare(b.scheduledFor));
    for (const [n, post] of sorted.entries()) {
      const [other] = [sorted[n - 1], sorted[n + 1]]
        .filter((one) => one !== undefined)
        .filter((one) => apart(one, post) < COLLISION)
        .sort((a, b) => apart(a, post) - apart(b, post));
      if (other !== undefined) near.set(post, other);
    }
  }
  return near;
}

const apart = (one: Timed, other: Timed): number =>
  Math.abs(Date.parse(one.scheduledFor) - Date.parse(other.scheduledFor));
