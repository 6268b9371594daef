/** What the public would see of a slot: its final images, text and account, and their hash. */
import { createHash } from "node:crypto";
import type { StoredCreation } from "../../creations/shape.ts";
import type { PinnedContent, StoredSlot } from "../records.ts";
import { currentCreations } from "./settle.ts";

/** The content as it is now; null until all images are complete. */
export async function contentOf(
  kv: Deno.Kv,
  slot: StoredSlot,
  accountId: string | null,
): Promise<PinnedContent | null> {
  return contentFrom(slot, await currentCreations(kv, slot), accountId);
}

/** @param creations of the slot's last generation, in order */
export function contentFrom(
  slot: StoredSlot,
  creations: readonly StoredCreation[],
  accountId: string | null,
): PinnedContent | null {
  // A planned post that has images was sent back for new ones.
  if (slot.status === "planned" || slot.generation === 0) return null;
  if (creations.length !== slot.images) return null;
  const images: PinnedContent["images"] = [];
  for (const { status, finalKey, idea } of creations) {
    if (status !== "complete" || finalKey === null) return null;
    images.push({ key: finalKey, altText: slot.altText ?? idea });
  }
  // A file is never written again under the same key, so the key stands for the pixels.
  const parts = [images.map(({ key }) => key), slot.caption, slot.hashtags, accountId];
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return { hash, images, coverText: creations[0]?.overlay?.text ?? null };
}

/** The hash that clients see: of what is or was being published, else of the content as it is now. */
export function shownHash(slot: StoredSlot, now: PinnedContent | null): string | null {
  const isOut = slot.status === "publishing" || slot.status === "published";
  return (isOut ? slot.publication?.content : null)?.hash ?? now?.hash ?? null;
}
