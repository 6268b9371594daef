/** The words of the weekly digest, as people read them in their chat. */
import type { Brand } from "../../brands/brands.ts";
import type { Message } from "../../events/discord.ts";
import { brandPage, itemPage, link, plain, postPage } from "../../events/pages.ts";
import { isPrivate } from "../../foundation/addresses.ts";
import { WEEK } from "../../foundation/calendar.ts";
import { localDay, localTime } from "../../foundation/local_time.ts";
import type { Settings } from "../../foundation/settings.ts";
import { count, cutAtWord } from "../../foundation/text.ts";
import type { SocialAccount } from "../../platforms/accounts.ts";
import { TRAITS } from "../../platforms/contract/traits.ts";
import { engagementOf } from "../../posts/readings.ts";
import type { PostDetail } from "../../posts/shape.ts";
import type { StoredSeries, StoredSlot } from "../records.ts";
import { accountIdOf, releaseNeeded } from "../steering.ts";

/** What happened to a brand in a week. */
export interface Week {
  top: PostDetail[];
  /** What all posts earned in the week and in the week before. */
  views: Change;
  engagement: Change;
  published: number;
  scheduled: NamedSlot[];
  held: NamedSlot[];
  /** By id. */
  accounts: Map<string, SocialAccount>;
}

export interface Change {
  now: number;
  /** Null when no reading tells. */
  before: number | null;
}

export interface NamedSlot {
  /** Null: a one-off post. */
  series: StoredSeries | null;
  slot: StoredSlot;
}

const MOST_LINES = 5;
/** Code points of a name, and of what a person should do. */
const NAME = 80;
const ADVICE = 240;
const COLOR = 0x5865f2;
/** The message's limit for a field, less room for "and 12 more". */
const LONGEST_FIELD = 1_000;

export function digestMessage(
  settings: Settings,
  brand: Pick<Brand, "id" | "name">,
  week: Week,
  at: number,
  timeZone: string,
): Message {
  const place = { settings, brandId: brand.id, timeZone, accounts: week.accounts };
  const fields = [
    { name: "Top posts", value: lines(week.top, (post) => topLine(place, post)) },
    { name: "Scheduled", value: lines(week.scheduled, (each) => scheduledLine(place, each)) },
    { name: "Held until you decide", value: lines(week.held, (each) => heldLine(place, each)) },
  ].filter(({ value }) => value !== "");
  const text = [
    `You published ${count(week.published, "post")}. In these seven days all posts earned ${
      earned(week.engagement.now, week.views.now)
    }.`,
    `Interactions (likes, comments, shares and saves): ${compared(week.engagement)}.`,
    `Views: ${compared(week.views)}.`,
  ].join("\n");
  const title = `${brand.name}: ${localDay(at - WEEK, timeZone)} to ${localDay(at, timeZone)}`;
  const picture = week.top[0]?.thumbnailUrl ?? null;
  const page = brandPage(settings, brand.id);
  return {
    title,
    text,
    fields,
    color: COLOR,
    // Discord fetches the picture itself, and refuses a title that leads to a private address.
    ...(picture === null || isPrivate(picture) ? {} : { image: picture }),
    ...(isPrivate(page) ? {} : { url: page }),
  };
}

/** What a line needs besides its own facts. */
interface Place {
  settings: Settings;
  brandId: string;
  timeZone: string;
  accounts: Week["accounts"];
}

/** "996 interactions from 20,893 views" */
function earned(interactions: number, views: number): string {
  const [some, all] = [interactions, views].map((number) => number.toLocaleString("en-US"));
  return `${some} ${interactions === 1 ? "interaction" : "interactions"} from ${all} ${
    views === 1 ? "view" : "views"
  }`;
}

/** "20% more than in the week before (830)" */
function compared({ now, before }: Change): string {
  if (before === null) return "there are no figures for the week before";
  const then = `in the week before (${before.toLocaleString("en-US")})`;
  if (before === 0) return now === 0 ? "none, like the week before" : `up from none ${then}`;
  const percent = Math.round((now / before - 1) * 100);
  if (percent === 0) return `as many as ${then}`;
  return `${Math.abs(percent)}% ${percent > 0 ? "more" : "fewer"} than ${then}`;
}

function topLine({ settings, brandId }: Place, post: PostDetail): string {
  const { caption, title, metrics, platform } = post;
  const name = link(excerpt(title ?? caption, NAME), postPage(settings, brandId, post.id));
  return `${name} on ${TRAITS[platform].name}: ${earned(engagementOf(metrics), metrics.views)}`;
}

function scheduledLine(place: Place, { series, slot }: NamedSlot): string {
  const isWaiting = slot.status === "ready" && releaseNeeded(slot, series) !== null &&
    (slot.approval ?? null) === null;
  return `${slotName(place, { series, slot })}, ${
    isWaiting ? "waits for your approval" : PROGRESS[slot.status]
  }`;
}

function heldLine(place: Place, { series, slot }: NamedSlot): string {
  return `${slotName(place, { series, slot })}: ${plain(excerpt(slot.error ?? "", ADVICE))}`;
}

/** "Tuesday 24 November, 10:00 CET: Weekly on harbour.coffee (Instagram)", with a link. */
function slotName({ settings, brandId, timeZone, accounts }: Place, { series, slot }: NamedSlot) {
  const name = link(
    excerpt(series?.name ?? "One-off post", NAME),
    itemPage(settings, brandId, slot.id),
  );
  const account = accounts.get(accountIdOf(slot, series) ?? "");
  const on = account === undefined
    ? ""
    : ` on ${plain(account.handle)} (${TRAITS[account.platform].name})`;
  return `${localTime(Date.parse(slot.scheduledFor), timeZone)}: ${name}${on}`;
}

/** How far a scheduled post is. */
export const PROGRESS: Partial<Record<StoredSlot["status"], string>> = {
  planned: "planned",
  generating: "its pictures are being made",
  ready: "ready",
};

/** At most `MOST_LINES` lines, and no more than fit into a field. */
function lines<T>(items: T[], line: (item: T) => string): string {
  const shown: string[] = [];
  let length = 0;
  for (const item of items.slice(0, MOST_LINES)) {
    const next = `• ${line(item)}`;
    length += next.length + 1;
    if (shown.length > 0 && length > LONGEST_FIELD) break;
    shown.push(next);
  }
  const rest = items.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
}

function excerpt(text: string, length: number): string {
  const [first = ""] = text.split("\n").filter((line) => /\S/.test(line));
  return first === "" ? "(no text)" : cutAtWord(first.trim(), length);
}
