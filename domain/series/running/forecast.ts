/** What all series of a brand will add in the days to come: each is projected once. */
import { z } from "zod";
import type { Brand } from "../../brands/brands.ts";
import { DAY, dayOf, iso } from "../../foundation/calendar.ts";
import { reader } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import type { ProjectedSlot } from "../planning/project.ts";
import { nearestOfAccount } from "../collisions.ts";
import { type ItemTime, itemTimes } from "../item_list.ts";
import { listSeries, readStrategy, type StoredSeries } from "../records.ts";
import { creditsEndOn, projected } from "./simulate.ts";

/** Bounds the work for one request. */
const MOST_SERIES = 50;

export const Forecast = z.object({
  posts: z.array(z.object({
    scheduledFor: z.iso.datetime(),
    seriesId: z.string(),
    seriesName: z.string(),
    socialAccountId: z.string().nullable(),
    direction: z.string(),
    near: z.iso.datetime().nullable().describe(
      "The nearest other post of the account, if it is less than an hour away.",
    ),
  })).describe("Posts that nobody has planned yet, by time."),
  creditsEndOn: z.string().nullable().describe(
    "UTC day on which the brand's credits no longer cover the images of all series; null: they do.",
  ),
  seriesLeftOut: z.int().describe(`Active series beyond the newest ${MOST_SERIES}.`),
});
export type Forecast = z.output<typeof Forecast>;

/**
 * Projects the active series for the coming `days` by the strategies that they have; writes nothing.
 * An autopilot before its first review adds nothing, because no look at a calendar shall start a review.
 */
export async function forecast(
  service: Pick<Service, "kv" | "now">,
  brand: Brand,
  days: number,
): Promise<Forecast> {
  const { kv } = service;
  const now = service.now();
  const until = now + days * DAY;
  const active = (await listSeries(kv, brand.id)).filter((series) => series.active);
  const [times, all] = await Promise.all([
    itemTimes(kv, brand.id, { from: dayOf(now), to: dayOf(until) }),
    Promise.all(
      active.slice(0, MOST_SERIES).map(async (series) => ({
        series,
        slots: await slotsOf(kv, series, now, until),
      })),
    ),
  ]);
  const posts = all.flatMap(({ series, slots }) => newPosts(series, slots))
    .sort((a, b) => a.scheduledFor.localeCompare(b.scheduledFor));
  const near = nearestOfAccount<ItemTime | NewPost>([...times, ...posts]);
  return {
    posts: posts.map((post) => ({ ...post, near: near.get(post)?.scheduledFor ?? null })),
    creditsEndOn: await creditsEndOn(kv, brand, all.flatMap(({ slots }) => slots), now),
    seriesLeftOut: Math.max(0, active.length - MOST_SERIES),
  };
}

type NewPost = Omit<Forecast["posts"][number], "near">;

/** The slots that are not planned yet, as posts. */
const newPosts = (series: StoredSeries, slots: ProjectedSlot[]): NewPost[] =>
  slots.filter(({ id }) => id === null).map(({ at, decision }) => ({
    scheduledFor: iso(at),
    seriesId: series.id,
    seriesName: series.name,
    socialAccountId: series.socialAccountId,
    direction: decision.direction,
  }));

async function slotsOf(
  kv: Deno.Kv,
  series: StoredSeries,
  now: number,
  until: number,
): Promise<ProjectedSlot[]> {
  const strategy = series.mode === "manual"
    ? null
    : await readStrategy(reader(kv), series.brandId, series.id);
  if (series.mode === "autopilot" && strategy === null) return [];
  const { slots } = await projected({ kv }, series, { strategy, isNew: false }, now, until);
  return slots;
}
