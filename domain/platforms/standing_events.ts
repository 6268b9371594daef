/** Tells others early of a young post that does much better, or much worse, than the brand's like posts. */
import { HOUR, iso, WEEK } from "../foundation/calendar.ts";
import { faultFields } from "../foundation/log.ts";
import { readReadings } from "../insights/history.ts";
import { standingOf } from "../insights/standing.ts";
import { emit } from "../kv/outbox.ts";
import { transact } from "../kv/transact.ts";
import { findPost } from "../posts/store.ts";
import type { IncomingPost } from "../posts/shape.ts";
import type { Service } from "../service/service.ts";

/** Ages (ms) past which a post is looked at once each: a look may read all of the brand's posts. */
const LOOKED_AT = [6 * HOUR, 24 * HOUR, 48 * HOUR];
/** Older posts are not young any more. */
const YOUNG = 72 * HOUR;
const HIGH = 90;
const LOW = 10;

const toldKey = (brandId: string, id: string, standing: string): Deno.KvKey => [
  "standingTold",
  brandId,
  id,
  standing,
];

/** A post that was just measured, and when it was measured before. */
export interface Measured {
  post: Pick<IncomingPost, "platform" | "externalId" | "publishedAt">;
  /** ISO 8601; null: never. */
  before: string | null;
  /** ISO 8601. */
  now: string;
}

/**
 * Looks at posts that `crossesAge` found. Never rejects: a look that fails is logged, and the post's next
 * one may succeed.
 */
export async function tellStandings(
  service: Service,
  brandId: string,
  measured: readonly Measured[],
): Promise<void> {
  for (const { post } of measured) {
    await tellStanding(service, brandId, post).catch((error) => {
      service.log.warn("post.standing", { brand: brandId, ...faultFields(error) });
    });
  }
}

/** Whether the post is now older, and was younger before, than an age at which posts are looked at. */
export function crossesAge({ post: { publishedAt }, before, now }: Measured): boolean {
  const published = Date.parse(publishedAt);
  const age = (instant: string | null) => instant === null ? 0 : Date.parse(instant) - published;
  // A post that is found late is compared as it is then, while it is young.
  return age(now) < YOUNG && LOOKED_AT.some((at) => age(before) < at && age(now) >= at);
}

async function tellStanding(
  { kv, now, insights }: Service,
  brandId: string,
  { platform, externalId }: Measured["post"],
): Promise<void> {
  const post = await findPost(kv, brandId, platform, externalId);
  if (post === null) return;
  const readings = await readReadings(kv, brandId, post.id);
  const found = await standingOf(await insights.of(brandId), post, readings);
  const { percentile, ageHours, among } = found;
  if (percentile === null || (percentile > LOW && percentile < HIGH)) return;
  const standing = percentile >= HIGH ? "high" : "low";
  await transact(kv, async (commit) => {
    const told = toldKey(brandId, post.id, standing);
    if (await commit.get(told) !== null) return;
    commit.set(told, iso(now()), { expireIn: WEEK });
    const data = { postId: post.id, platform, format: post.format, ageHours, percentile, among };
    emit(commit, {
      ...{ brandId, type: "post.standing", at: now() },
      data: { ...data, standing },
    });
  });
}
