/** What the posts of a brand's series were planned to be. */
import { listValues } from "../kv/transact.ts";
import { postIdsOf } from "../posts/store.ts";
import type { StoredSlot } from "./records.ts";

/** Post id → the series it was published by, or its overlay template. */
export async function labelsOfPosts(
  kv: Deno.Kv,
  brandId: string,
  by: "series" | "template",
): Promise<Map<string, string>> {
  const slots = (await listValues<StoredSlot>(kv, ["slot", brandId])).flatMap((slot) => {
    const { platform, externalPostId: externalId } = slot;
    return platform === null || externalId === null ? [] : [{ slot, platform, externalId }];
  });
  const ids = await postIdsOf(kv, brandId, slots);
  const labels = new Map<string, string>();
  for (const [at, { slot }] of slots.entries()) {
    const id = ids[at];
    if (id == null) continue;
    const label = by === "series" ? slot.seriesId : slot.decision.overlayTemplate;
    // A one-off post was published by no series.
    if (label !== null) labels.set(id, label);
  }
  return labels;
}
