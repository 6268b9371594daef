/** The pass over a brand's one-off posts, which belong to no series. */
import { requireBrand } from "../../brands/brands.ts";
import { reader, transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { LOOK_BACK, slotsVersionKey, type StoredSlot } from "../records.ts";
import { listSlots } from "../slot_list.ts";
import { oneOffsKey } from "../slot_rows.ts";
import { attendAll, type Started } from "./attend.ts";

/** Does what is due for the brand's one-off posts. Returns how many were held. */
export async function passOneOffs(
  service: Service,
  brandId: string,
  started: Started,
): Promise<number> {
  const brand = await requireBrand(reader(service.kv), brandId);
  const slots = await openSlots(service, brandId);
  if (slots.length === 0) await retire(service, brandId);
  return await attendAll(service, brand, null, slots, started);
}

/** Slots that something can still happen to by itself, or by hand. */
async function openSlots({ kv, now }: Service, brandId: string): Promise<StoredSlot[]> {
  const slots = await listSlots(kv, brandId, null, { from: now() - LOOK_BACK });
  return slots.filter(({ status }) => status !== "published" && status !== "skipped");
}

/** Takes the brand off the pass's list until it has another one-off post. */
async function retire(service: Service, brandId: string): Promise<void> {
  await transact(service.kv, async (commit) => {
    // Every write of a one-off post also writes this, so none is missed.
    await commit.get(slotsVersionKey(brandId, null));
    if ((await openSlots(service, brandId)).length === 0) commit.delete(oneOffsKey(brandId));
  });
}
