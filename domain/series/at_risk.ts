/** Which scheduled posts will not be published as things are, why, and from when on. */
import { z } from "zod";
import type { Brand } from "../brands/brands.ts";
import { readCredits } from "../brands/credits.ts";
import { DAY, iso, monthOf } from "../foundation/calendar.ts";
import { getEach } from "../kv/transact.ts";
import type { SocialAccount } from "../platforms/accounts.ts";
import { TRAITS } from "../platforms/contract/traits.ts";
import type { Service } from "../service/service.ts";
import { type Item, seriesById } from "./item_list.ts";
import { contentOf } from "./making/content.ts";
import { slotKey, type StoredSlot } from "./records.ts";
import { slotNow } from "./recipe.ts";
import { type TimeEntry, timeKey } from "./slot_rows.ts";
import { accountIdOf, isApproved, isGone, isPaused, releaseNeeded } from "./steering.ts";
import { LATE, MAKE_AHEAD } from "./timing.ts";

export const Risk = z.object({
  itemId: z.string(),
  scheduledFor: z.iso.datetime(),
  reason: z.enum(["token", "quota", "credits", "approval", "paused"]),
  from: z.iso.datetime().describe("When that begins to keep it from being published."),
});
export type Risk = z.output<typeof Risk>;

/** How far ahead posts are looked at. */
const AHEAD = 30 * DAY;

/** The posts at risk of each of the brand's accounts, by time. */
export async function postsAtRisk(
  service: Pick<Service, "kv" | "now">,
  brand: Brand,
  accounts: SocialAccount[],
): Promise<Map<string, Risk[]>> {
  const at = service.now();
  const items = await itemsAround(service.kv, brand.id, at);
  const open = items.filter(({ slot }) => isOpen(slot));
  const unpaid = await unpaidItems(service.kv, brand, open, at);
  const risks = new Map<string, Risk[]>();
  for (const account of accounts) {
    const own = open.filter(({ slot, series }) => accountIdOf(slot, series) === account.id);
    const crowded = crowdedItems(account, items);
    const found = await Promise.all(own.map(async (item) => {
      const reasons = [
        tokenEnds(account, item.slot, at),
        crowded.has(item.slot.id) ? reason("quota", Date.parse(item.slot.scheduledFor)) : null,
        throttled(item.slot, at),
        unpaid.get(item.slot.id) ?? null,
        await unreleased(service.kv, item),
        isPaused(item.series) ? reason("paused", at) : null,
      ].filter((each) => each !== null);
      const { id: itemId, scheduledFor } = item.slot;
      return reasons.map((each): Risk => ({ itemId, scheduledFor, ...each }));
    }));
    risks.set(account.id, found.flat());
  }
  return risks;
}

type Reason = Pick<Risk, "reason" | "from">;

const reason = (why: Risk["reason"], at: number): Reason => ({ reason: why, from: iso(at) });

const isOpen = ({ status }: StoredSlot) =>
  status === "planned" || status === "generating" || status === "ready";

/** The items of the last 24 hours, published ones included, and of the days to come. */
async function itemsAround(kv: Deno.Kv, brandId: string, at: number): Promise<Item[]> {
  const known = await seriesById(kv, brandId);
  const keys: Deno.KvKey[] = [];
  const range = { start: timeKey(brandId, iso(at - LATE)), end: timeKey(brandId, iso(at + AHEAD)) };
  for await (const { key, value } of kv.list<TimeEntry>(range, { batchSize: 500 })) {
    if (value.status === "skipped" || value.status === "held") continue;
    keys.push(slotKey(brandId, value.seriesId, String(key.at(-1))));
  }
  return (await getEach<StoredSlot>(kv, keys)).flatMap((stored) => {
    if (stored === null) return [];
    const series = known.get(stored.seriesId ?? "") ?? null;
    return isGone(stored, series) ? [] : [{ slot: slotNow(series, stored), series }];
  });
}

function tokenEnds(account: SocialAccount, slot: StoredSlot, at: number): Reason | null {
  if (account.status === "reconnect") return reason("token", at);
  const { tokenExpiresAt } = account;
  if (tokenExpiresAt === null || tokenExpiresAt > slot.scheduledFor) return null;
  return reason("token", Date.parse(tokenExpiresAt));
}

/** The platform has asked to wait past the post's time. */
function throttled({ publication, scheduledFor }: StoredSlot, at: number): Reason | null {
  const retryAt = publication?.retryAt ?? 0;
  return retryAt > Math.max(at, Date.parse(scheduledFor)) ? reason("quota", at) : null;
}

/** Posts beyond what the platform takes of the account in 24 hours. */
function crowdedItems(account: SocialAccount, items: Item[]): Set<string> {
  const { publishing } = TRAITS[account.platform];
  const crowded = new Set<string>();
  if ("refusal" in publishing) return crowded;
  const times: number[] = [];
  for (const { slot, series } of items) {
    const isOut = slot.status === "published" || slot.status === "publishing";
    if ((isOut ? slot.socialAccountId : accountIdOf(slot, series)) !== account.id) continue;
    const time = Date.parse(isOut ? slot.publishedAt ?? slot.scheduledFor : slot.scheduledFor);
    if (times.filter((other) => other > time - DAY).length < publishing.postsEachDay) {
      times.push(time);
    } else if (!isOut) crowded.add(slot.id);
  }
  return crowded;
}

/** Posts whose images the month's credits will not cover, in the order in which they are made. */
async function unpaidItems(
  kv: Deno.Kv,
  brand: Brand,
  open: Item[],
  at: number,
): Promise<Map<string, Reason>> {
  const makeAt = ({ regenerated, scheduledFor }: StoredSlot) =>
    regenerated ? at : Math.max(at, Date.parse(scheduledFor) - MAKE_AHEAD);
  const toMake = open.filter(({ slot, series }) => slot.status === "planned" && !isPaused(series))
    .map(({ slot }) => slot).sort((a, b) => makeAt(a) - makeAt(b));
  const left = new Map<string, number>();
  const unpaid = new Map<string, Reason>();
  for (const slot of toMake) {
    const month = monthOf(makeAt(slot));
    const credits = left.get(month) ?? (await readCredits(kv, brand, makeAt(slot))).remaining;
    if (slot.images > credits) unpaid.set(slot.id, reason("credits", makeAt(slot)));
    left.set(month, slot.images > credits ? credits : credits - slot.images);
  }
  return unpaid;
}

/** A ready post that a person must still look at. */
async function unreleased(kv: Deno.Kv, { slot, series }: Item): Promise<Reason | null> {
  if (slot.status !== "ready" || releaseNeeded(slot, series) === null) return null;
  const content = await contentOf(kv, slot, accountIdOf(slot, series));
  if (isApproved(slot, content?.hash ?? null)) return null;
  return reason("approval", Date.parse(slot.scheduledFor));
}
