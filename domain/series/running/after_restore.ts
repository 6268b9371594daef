/**
 * After a restore. The store does not know what was published since the backup was taken, so whatever
 * may be public already is held until a person has looked.
 */
import { type Brand, listBrands } from "../../brands/brands.ts";
import { auditAlone } from "../../kv/audit.ts";
import { transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { holdSlot } from "../making/hold.ts";
import { listSeries, LOOK_BACK, requireSlot, type StoredSlot } from "../records.ts";
import { listSlots } from "../slot_list.ts";
import { LATE } from "../timing.ts";

/**
 * Holds what was due by now, except what is so late that the pass would hold it, and what was being
 * published. Returns how many scheduled posts.
 * @param takenAt when the backup was taken, ISO 8601
 */
export async function holdAfterRestore(service: Service, takenAt: string): Promise<number> {
  let held = 0;
  for (const brand of await listBrands(service.kv)) {
    held += await holdOf(service, brand, takenAt);
    const details = { takenAt };
    const row = { action: "brand.restored", of: brand.id, subject: brand.id, details } as const;
    await auditAlone(service, row);
  }
  return held;
}

async function holdOf(service: Service, { id }: Brand, takenAt: string): Promise<number> {
  const from = Date.parse(takenAt) - LOOK_BACK;
  let held = 0;
  const series = await listSeries(service.kv, id);
  // Without a series: the one-off posts.
  for (const seriesId of [...series.map((each) => each.id), null]) {
    for (const slot of await listSlots(service.kv, id, seriesId, { from })) {
      if (!mayBePublic(slot, Date.parse(takenAt), service.now())) continue;
      await hold(service, slot, takenAt);
      held++;
    }
  }
  return held;
}

/** Whether the slot may have been published between the instants `taken` and `now`, ms. */
function mayBePublic({ status, scheduledFor }: StoredSlot, taken: number, now: number): boolean {
  switch (status) {
    case "publishing":
      return true;
    case "planned":
    case "generating":
    case "ready": {
      const due = Date.parse(scheduledFor);
      return taken - LATE < due && due <= now;
    }
    case "held":
    case "published":
    case "skipped":
      return false;
  }
}

function hold(service: Service, slot: StoredSlot, takenAt: string): Promise<unknown> {
  return transact(service.kv, async (commit) => {
    const stored = await requireSlot(commit, slot.brandId, slot.seriesId, slot.id);
    // With an unknown outcome, publishing by hand looks at the account before it sends anything.
    const publication = stored.status === "publishing" && stored.publication !== null
      ? { ...stored.publication, outcome: "unknown" as const }
      : stored.publication;
    const reason = { reason: "restored", known: { takenAt } } as const;
    return await holdSlot(service, commit, stored, reason, { publication });
  });
}
