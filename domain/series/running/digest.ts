/** The weekly digest: top posts, change since the week before, what is scheduled and what is held. */
import type { Brand } from "../../brands/brands.ts";
import { readKit } from "../../brands/kit.ts";
import { timeZoneOf } from "../../brands/time_zone.ts";
import { DAY, WEEK } from "../../foundation/calendar.ts";
import { reader } from "../../kv/transact.ts";
import type { Message } from "../../events/discord.ts";
import { listSocialAccounts } from "../../platforms/accounts.ts";
import type { PostDetail, PostMetrics } from "../../posts/shape.ts";
import { engagementOf } from "../../posts/readings.ts";
import { recentPosts } from "../../posts/recent.ts";
import { listSeries } from "../records.ts";
import { listSlots } from "../slot_list.ts";
import { isPaused } from "../steering.ts";
import type { Service } from "../../service/service.ts";
import { type Change, digestMessage, type NamedSlot, PROGRESS, type Week } from "./digest_words.ts";

/** Older posts hardly earn anything in a week. */
const WINDOW = 60 * DAY;
const MOST_POSTS = 500;

/** The brand's digest of the seven days before `at`; null when there is nothing to report. */
export async function composeDigest(
  service: Service,
  brand: Pick<Brand, "id" | "name">,
  at: number,
): Promise<Message | null> {
  const week = await weekOf(service, brand.id, at);
  const silent = week.published === 0 && week.views.now === 0 && week.engagement.now === 0 &&
    week.scheduled.length === 0 && week.held.length === 0;
  if (silent) return null;
  const timeZone = timeZoneOf(await readKit(reader(service.kv), brand.id));
  return digestMessage(service.settings, brand, week, at, timeZone);
}

export async function weekOf(service: Service, brandId: string, at: number): Promise<Week> {
  const posts = await recentPosts(service, brandId, at - WINDOW, MOST_POSTS);
  const fresh = posts.filter(({ publishedAt }) => Date.parse(publishedAt) >= at - WEEK);
  const named = await slotsOf(service, brandId, at);
  const accounts = await listSocialAccounts(service.kv, brandId);
  return {
    top: fresh.toSorted((a, b) => engagementOf(b.metrics) - engagementOf(a.metrics)).slice(0, 3),
    views: change(posts, at, ({ views }) => views),
    engagement: change(posts, at, engagementOf),
    published: fresh.length,
    // A paused series publishes nothing.
    scheduled: named.filter(({ series, slot }) =>
      !isPaused(series) && slot.status in PROGRESS &&
      Date.parse(slot.scheduledFor) >= at
    ),
    held: named.filter(({ slot }) => slot.status === "held"),
    accounts: new Map(accounts.map((account) => [account.id, account])),
  };
}

async function slotsOf({ kv }: Service, brandId: string, at: number): Promise<NamedSlot[]> {
  const series = await listSeries(kv, brandId);
  const slots = await Promise.all([...series, null].map(async (each) => {
    const found = await listSlots(kv, brandId, each?.id ?? null, {
      from: at - 30 * DAY,
      to: at + WEEK,
    });
    return found.map((slot) => ({ series: each, slot }));
  }));
  return slots.flat().sort((a, b) => a.slot.scheduledFor.localeCompare(b.slot.scheduledFor));
}

/** What the posts earned in the week before `at`, and in the one before that. */
function change(posts: PostDetail[], at: number, value: (metrics: PostMetrics) => number): Change {
  const gained = (to: number) => {
    const gains = posts.filter(({ publishedAt }) => Date.parse(publishedAt) < to).flatMap(
      (post) => {
        const end = lastBefore(post, to, value);
        const start = lastBefore(post, to - WEEK, value);
        return end === null || start === null ? [] : [Math.max(0, end - start)];
      },
    );
    return gains.length === 0 ? null : gains.reduce((sum, gain) => sum + gain, 0);
  };
  return { now: gained(at) ?? 0, before: gained(at - WEEK) };
}

/** The value as last read at or before `at`: 0 before publication, null when there is no reading yet. */
function lastBefore(
  { publishedAt, snapshots }: PostDetail,
  at: number,
  value: (metrics: PostMetrics) => number,
): number | null {
  if (Date.parse(publishedAt) >= at) return 0;
  const reading = snapshots.findLast(({ capturedAt }) => Date.parse(capturedAt) <= at);
  return reading === undefined ? null : value(reading);
}
