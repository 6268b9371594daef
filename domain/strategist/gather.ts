/** Gathers a series' evidence from the store: its published slots, their posts, the brand's others. */
import { DAY } from "../calendar.ts";
import { recentPosts } from "../posts/recent.ts";
import { findPost } from "../posts/store.ts";
import { hourOf, listSlots, type StoredSeries, type StoredSlot } from "../series/records.ts";
import type { Service } from "../service.ts";
import { type Evidence, measure, type Measured, type PublishedSlot, weigh } from "./evidence.ts";

/** Older posts no longer count: what works changes, and a dropped direction may be tried again. */
const WINDOW = 90 * DAY;
/** How many of the brand's newest posts are looked at for its baseline. */
const MOST_OTHERS = 200;

export interface Period {
  /** Instants, ms. */
  start: number;
  end: number;
}

export function periodOf(series: StoredSeries, at: number): Period {
  return { start: Math.max(Date.parse(series.createdAt), at - WINDOW), end: at };
}

export async function gatherEvidence(
  service: Pick<Service, "kv" | "posts">,
  series: StoredSeries,
  { start, end }: Period,
): Promise<Evidence> {
  const { kv } = service;
  const slots = (await listSlots(kv, series.brandId, series.id, { from: start, to: end }))
    .flatMap(publishedSlot);
  if (slots.length === 0) return weigh([], new Map(), []);
  const posts = new Map<string, Measured>();
  const own = new Set<string>();
  await Promise.all(slots.map(async ({ platform, externalPostId }) => {
    const post = await findPost(kv, series.brandId, platform, externalPostId);
    if (post !== null) own.add(post.id);
    const measured = post === null ? null : measure(post);
    if (measured !== null) posts.set(`${platform} ${externalPostId}`, measured);
  }));
  const platforms = new Set(slots.map(({ platform }) => platform));
  const others = (await recentPosts(service, series.brandId, end - WINDOW, MOST_OTHERS))
    .filter((post) => platforms.has(post.platform) && !own.has(post.id));
  return weigh(slots, posts, others.map(measure).filter((post) => post !== null));
}

function publishedSlot(slot: StoredSlot): PublishedSlot[] {
  const { status, externalPostId, platform, decision, format } = slot;
  if (status !== "published" || externalPostId === null || platform === null) return [];
  const { direction, overlayTemplate: template } = decision;
  return [{
    slotId: slot.id,
    externalPostId,
    platform,
    format,
    direction,
    hour: hourOf(slot),
    template,
  }];
}
