/** An autopilot that has published for eight weeks and was reviewed three times, with all it learned. */
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { idOf } from "../../domain/foundation/ids.ts";
import { reader } from "../../domain/kv/transact.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { requireBrand } from "../../domain/brands/brands.ts";
import { reviewKey } from "../../domain/series/reviews.ts";
import { requireSeries, seriesKey } from "../../domain/series/records.ts";
import { reviewSeries } from "../../domain/series/running/review.ts";
import type { Service } from "../../domain/service/service.ts";
import { postOf, storeSlot } from "./stored_series.ts";

const DAYS = 56;
/** When the later reviews were made, in days before now. */
const REVIEWED = [28, 0];

/** Gives an autopilot a past in which one direction earns more than the other. */
export async function reviewOften(service: Service, brandId: string, id: string): Promise<void> {
  const brand = await requireBrand(reader(service.kv), brandId);
  const now = service.now();
  const started = iso(now - DAYS * DAY);
  const series = {
    ...await requireSeries(reader(service.kv), brandId, id),
    createdAt: started,
  };
  await service.kv.set(seriesKey(brandId, id), series);
  const review = async (days: number) => {
    const then = { ...service, now: () => now - days * DAY };
    const current = await requireSeries(reader(service.kv), brandId, id);
    const made = await reviewSeries(then, brand, current);
    if (days === 0) return made;
    // A process never makes an id that is older than its last; the review of then has one.
    const dated = idOf("review", then.now(), crypto.getRandomValues(new Uint8Array(16)));
    await service.kv.delete(reviewKey(brandId, id, made.id));
    await service.kv.set(reviewKey(brandId, id, dated), { ...made, id: dated });
    return made;
  };
  const { playbook: { directions } } = await review(DAYS);
  const posts = [];
  for (let n = 0; n < DAYS; n++) {
    const at = now - (DAYS - n) * DAY;
    const earned = n % 2 === 0 ? 200 + n % 5 : 90 + n % 7;
    const direction = directions[n % 2]!.direction;
    posts.push(postOf(`own-${n}`, at, earned));
    await storeSlot(service, series, at, {
      ...{ status: "published", platform: "instagram", externalPostId: `own-${n}` },
      decision: { direction, overlayTemplate: "none", rationale: "" },
    });
  }
  await upsertPosts(service, brandId, posts);
  for (const days of REVIEWED) await review(days);
}
