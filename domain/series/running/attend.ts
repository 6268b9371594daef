/** What a pass does for each scheduled post whose time has come: holds, makes, publishes. */
import type { Brand } from "../../brands/brands.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { faultFields } from "../../foundation/log.ts";
import { type Commit, transact } from "../../kv/transact.ts";
import { readSocialAccount, type SocialAccount } from "../../platforms/accounts.ts";
import type { Service } from "../../service/service.ts";
import { contentOf } from "../making/content.ts";
import { holdSlot } from "../making/hold.ts";
import { makeImages } from "../making/make.ts";
import { accountRefusal, claimSlot } from "../making/publishing.ts";
import { requireSlot, type StoredSeries, type StoredSlot } from "../records.ts";
import { accountIdOf, isApproved, isPaused, releaseNeeded, requireSeriesOf } from "../steering.ts";
import { LATE, MAKE_AHEAD } from "../timing.ts";

/** Called for each slot on which work starts, in the commit that starts it. */
export type Started = (commit: Commit, slot: StoredSlot) => void;

/**
 * Does what is due for each of the slots, and returns how many were held.
 * @param series null for one-off posts
 */
export async function attendAll(
  service: Service,
  brand: Brand,
  series: StoredSeries | null,
  slots: StoredSlot[],
  started: Started,
): Promise<number> {
  const accounts = new Map<string, Promise<SocialAccount | null>>();
  const accountOf = (slot: StoredSlot) => {
    const id = accountIdOf(slot, series) ?? "";
    const known = accounts.get(id) ?? readSocialAccount(service.kv, brand.id, id);
    accounts.set(id, known);
    return known;
  };
  let held = 0;
  for (const slot of slots) {
    if (slot.status !== "planned" && slot.status !== "ready") continue;
    if (await attend(service, brand, series, slot, accountOf, started)) held++;
  }
  return held;
}

/** Does what is due for one slot. Returns whether the slot was held. */
async function attend(
  service: Service,
  brand: Brand,
  series: StoredSeries | null,
  slot: StoredSlot,
  accountOf: (slot: StoredSlot) => Promise<SocialAccount | null>,
  started: Started,
): Promise<boolean> {
  const at = service.now();
  const due = Date.parse(slot.scheduledFor);
  const late = accountIdOf(slot, series) !== null && at - due > LATE;
  try {
    if (slot.status === "planned") {
      if (late && !slot.regenerated) return await holdLate(service, slot);
      if (slot.regenerated || due - at <= MAKE_AHEAD) {
        return await make(service, brand, slot, started);
      }
      return false;
    }
    const isDue = due <= at && (slot.publication?.retryAt ?? 0) <= at;
    if (!isDue && !late) return false;
    if (!(await isReleased(service.kv, slot, series))) return false;
    if (late) return await holdLate(service, slot);
    const account = await accountOf(slot);
    if (account !== null && accountRefusal(account) === null) {
      await publish(service, slot, account, started);
    }
  } catch (error) {
    // Somebody else moved the slot, or the text model did not answer: the next pass looks again.
    if (!(error instanceof ServiceError)) throw error;
    service.log.info("series.slot", { slot: slot.id, ...faultFields(error) });
  }
  return false;
}

/** Whether the post needs nobody's release, or has it for the content as it is now. */
async function isReleased(
  kv: Deno.Kv,
  slot: StoredSlot,
  series: StoredSeries | null,
): Promise<boolean> {
  if (releaseNeeded(slot, series) === null) return true;
  const content = await contentOf(kv, slot, accountIdOf(slot, series));
  return content !== null && isApproved(slot, content.hash);
}

async function make(
  service: Service,
  brand: Brand,
  slot: StoredSlot,
  started: Started,
): Promise<boolean> {
  const made = await makeImages(service, brand, slot, (commit, next) => {
    if (next?.status === "generating") started(commit, next);
  });
  return made?.status === "held";
}

/** Whether nobody has moved or changed the slot since the pass read it. */
const isSame = (before: StoredSlot, stored: StoredSlot) =>
  stored.status === before.status && stored.events === before.events;

function holdLate(service: Service, slot: StoredSlot): Promise<boolean> {
  return transact(service.kv, async (commit) => {
    const stored = await requireSlot(commit, slot.brandId, slot.seriesId, slot.id);
    if (!isSame(slot, stored)) return false;
    const known = { whilePublishing: false };
    await holdSlot(service, commit, stored, { reason: "late", known });
    return true;
  });
}

async function publish(
  service: Service,
  slot: StoredSlot,
  account: SocialAccount,
  started: Started,
): Promise<void> {
  await transact(service.kv, async (commit) => {
    const series = await requireSeriesOf(commit, slot);
    const stored = await requireSlot(commit, slot.brandId, slot.seriesId, slot.id);
    if (isPaused(series) || !isSame(slot, stored)) return;
    if (accountIdOf(stored, series) !== account.id) return;
    const content = await contentOf(service.kv, stored, account.id);
    if (content === null) return;
    if (releaseNeeded(stored, series) !== null && !isApproved(stored, content.hash)) return;
    const goodUntil = Date.parse(stored.scheduledFor) + LATE;
    const claim = { cause: "Its scheduled time has come.", goodUntil, content };
    started(commit, await claimSlot(service, commit, stored, account, claim));
  });
}
