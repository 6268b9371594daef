/** Reads a series' evidence from the store: its published slots, their posts, the brand's other posts. */
import { DAY } from "../../foundation/calendar.ts";
import { withEarlyReadings } from "../../posts/early.ts";
import { recentPosts } from "../../posts/recent.ts";
import { findPost } from "../../posts/store.ts";
import { hourOf, type StoredSeries, type StoredSlot } from "../records.ts";
import { listSlots } from "../slot_list.ts";
import type { Service } from "../../service/service.ts";
import {
  type Evidence,
  measure,
  type Measured,
  type PublishedSlot,
  weigh,
} from "../strategist/evidence.ts";
import { objectiveOf } from "../strategist/objective.ts";

/** Older posts no longer count, because what works changes and a dropped direction may be tried again. */
const WINDOW = 90 * DAY;
/** The brand's baseline is taken from this many of its newest posts. */
const MOST_OTHERS = 200;

interface Period {
  /** Instants, ms. */
  start: number;
  end: number;
}

export function periodOf(series: StoredSeries, at: number): Period {
  return { start: Math.max(Date.parse(series.createdAt), at - WINDOW), end: at };
}

/** The evidence of a period, and that of the posts published in a part of it. */
export interface Gathered {
  evidence: Evidence;
  evidenceBetween: (from: number, to: number) => Evidence;
}

export async function gather(
  service: Pick<Service, "kv" | "posts">,
  series: StoredSeries,
  { start, end }: Period,
): Promise<Gathered> {
  const { kv } = service;
  const slots = (await listSlots(kv, series.brandId, series.id, { from: start, to: end }))
    .flatMap(publishedSlot);
  const posts = new Map<string, Measured>();
  const own = new Set<string>();
  await Promise.all(slots.map(async ({ platform, externalPostId }) => {
    const found = await findPost(kv, series.brandId, platform, externalPostId);
    if (found !== null) own.add(found.id);
    const [post] = await withEarlyReadings(kv, series.brandId, found === null ? [] : [found]);
    const measured = post === undefined ? null : measure(post);
    if (measured !== null) posts.set(`${platform} ${externalPostId}`, measured);
  }));
  const platforms = new Set(slots.map(({ platform }) => platform));
  const recent = (await recentPosts(service, series.brandId, end - WINDOW, MOST_OTHERS))
    // Before the first slot is published, all posts of the brand say something of its noise.
    .filter((post) => platforms.size === 0 || platforms.has(post.platform))
    .filter((post) => !own.has(post.id));
  const others = (await withEarlyReadings(kv, series.brandId, recent))
    .map(measure).filter((post) => post !== null);
  const wanted = objectiveOf(series.goal ?? "");
  const isWithin = (slot: PublishedSlot, from: number, to: number) => {
    const at = posts.get(`${slot.platform} ${slot.externalPostId}`)?.publishedAt ?? -Infinity;
    return at >= from && at < to;
  };
  return {
    evidence: weigh(slots, posts, others, wanted),
    evidenceBetween: (from, to) =>
      weigh(slots.filter((slot) => isWithin(slot, from, to)), posts, others, wanted),
  };
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
