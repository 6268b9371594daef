/** The weekly digest: top posts, change against the week before, what is scheduled, what is held. */
import type { Brand } from "./brands.ts";
import { DAY, dayOf, iso, WEEK } from "./calendar.ts";
import type { Message } from "./discord.ts";
import type { PostDetail, PostMetrics } from "./posts/shape.ts";
import { engagementOf } from "./posts/readings.ts";
import { recentPosts } from "./posts/recent.ts";
import { listSeries, listSlots, type StoredSlot } from "./series/records.ts";
import type { Service } from "./service.ts";
import { count, cutAtWord } from "./text.ts";

/** Older posts hardly earn anything in a week. */
const WINDOW = 60 * DAY;
const MOST_POSTS = 500;
const MOST_LINES = 5;
const EXCERPT = 80;
const COLOR = 0x5865f2;

/** What happened to a brand in a week. */
export interface Week {
  top: PostDetail[];
  /** Earned in the week and in the week before, over all posts; null where no reading tells. */
  views: Change;
  engagement: Change;
  published: number;
  scheduled: NamedSlot[];
  held: NamedSlot[];
}

export interface Change {
  now: number;
  before: number | null;
}

interface NamedSlot {
  seriesName: string;
  slot: StoredSlot;
}

/** The brand's digest of the seven days before `at`, or null when there is nothing to say. */
export async function composeDigest(
  service: Service,
  brand: Pick<Brand, "id" | "name">,
  at: number,
): Promise<Message | null> {
  const week = await weekOf(service, brand.id, at);
  const silent = week.published === 0 && week.views.now === 0 && week.engagement.now === 0 &&
    week.scheduled.length === 0 && week.held.length === 0;
  return silent ? null : messageOf(brand, week, at);
}

export async function weekOf(service: Service, brandId: string, at: number): Promise<Week> {
  const posts = await recentPosts(service, brandId, at - WINDOW, MOST_POSTS);
  const fresh = posts.filter(({ publishedAt }) => Date.parse(publishedAt) >= at - WEEK);
  const named = await slotsOf(service, brandId, at);
  return {
    top: fresh.toSorted((a, b) => engagementOf(b.metrics) - engagementOf(a.metrics)).slice(0, 3),
    views: change(posts, at, ({ views }) => views),
    engagement: change(posts, at, engagementOf),
    published: fresh.length,
    scheduled: named.filter(({ slot }) =>
      ["planned", "generating", "ready"].includes(slot.status) &&
      Date.parse(slot.scheduledFor) >= at
    ),
    held: named.filter(({ slot }) => slot.status === "held"),
  };
}

async function slotsOf({ kv }: Service, brandId: string, at: number): Promise<NamedSlot[]> {
  const series = await listSeries(kv, brandId);
  const slots = await Promise.all(series.map(async ({ id, name }) => {
    const found = await listSlots(kv, brandId, id, { from: at - 30 * DAY, to: at + WEEK });
    return found.map((slot) => ({ seriesName: name, slot }));
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

/** The latest value at or before an instant: 0 before publication, null when nothing was read by then. */
function lastBefore(
  { publishedAt, snapshots }: PostDetail,
  at: number,
  value: (metrics: PostMetrics) => number,
): number | null {
  if (Date.parse(publishedAt) >= at) return 0;
  const reading = snapshots.findLast(({ capturedAt }) => Date.parse(capturedAt) <= at);
  return reading === undefined ? null : value(reading);
}

function messageOf(brand: Pick<Brand, "name">, week: Week, at: number): Message {
  const fields = [
    { name: "Top posts", value: lines(week.top, topLine) },
    { name: "Scheduled", value: lines(week.scheduled, scheduledLine) },
    { name: "Held: needs you", value: lines(week.held, heldLine) },
  ].filter(({ value }) => value !== "");
  const text = [
    `${count(week.published, "post")} published.`,
    `Views: ${changed(week.views)}.`,
    `Likes, comments, shares and saves: ${changed(week.engagement)}.`,
  ].join("\n");
  const title = `${brand.name}: ${dayOf(at - WEEK)} to ${dayOf(at)}`;
  return { title, text, fields, color: COLOR };
}

/** "1,200 (+20% against the week before)" */
function changed({ now, before }: Change): string {
  const amount = now.toLocaleString("en-US");
  if (before === null) return `${amount} (nothing to compare with in the week before)`;
  if (before === 0) return `${amount} (0 in the week before)`;
  const percent = Math.round((now / before - 1) * 100);
  return `${amount} (${percent > 0 ? "+" : ""}${percent}% against the week before)`;
}

function topLine({ caption, title, metrics, url }: PostDetail): string {
  const engagement = engagementOf(metrics).toLocaleString("en-US");
  return `${excerpt(title ?? caption)}: ${engagement} from ${
    metrics.views.toLocaleString("en-US")
  } views\n${url}`;
}

function scheduledLine({ seriesName, slot }: NamedSlot): string {
  return `${minute(slot.scheduledFor)}, ${excerpt(seriesName)}: ${
    excerpt(slot.decision.direction)
  } (${slot.status})`;
}

function heldLine({ seriesName, slot }: NamedSlot): string {
  return `${minute(slot.scheduledFor)}, ${excerpt(seriesName)}: ${excerpt(slot.error ?? "")}`;
}

function lines<T>(items: T[], line: (item: T) => string): string {
  const shown = items.slice(0, MOST_LINES).map((item) => `• ${line(item)}`);
  const rest = items.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
}

function excerpt(text: string): string {
  const [first = ""] = text.split("\n").filter((line) => /\S/.test(line));
  return first === "" ? "(no text)" : cutAtWord(first.trim(), EXCERPT);
}

const minute = (instant: string) =>
  `${iso(Date.parse(instant)).slice(0, 16).replace("T", " ")} UTC`;
