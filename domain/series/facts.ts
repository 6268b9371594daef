/** What the mode of a series and the status of a slot make certain: types that say so, and their proofs. */
import type { Platform } from "../posts/shape.ts";
import type { SeriesFormat } from "../platforms/contract/format.ts";
import type { Publication, StoredSeries, StoredSlot } from "./records.ts";

/** A series of mode manual. `requireRules` stores none without these fields. */
export type ManualSeries = StoredSeries & {
  mode: "manual";
  theme: string;
  format: SeriesFormat;
  cadenceDays: number;
};

export function isManual(series: StoredSeries): series is ManualSeries {
  return series.mode === "manual";
}

/** What a series is about: the theme of a manual one, the goal of an autopilot. */
export function aboutOf({ mode, theme, goal }: StoredSeries): string {
  return (mode === "manual" ? theme : goal) ?? "";
}

/** A slot that is publishing: `claimSlot` gave it an attempt and an account. */
export type ClaimedSlot = StoredSlot & {
  status: "publishing";
  publication: Publication;
  platform: Platform;
  socialAccountId: string;
};

/**
 * The slot while it is publishing; null when it is gone or has another status.
 * @throws Error when the record contradicts itself, which no move of the table can bring about
 */
export function claimedSlot(slot: StoredSlot | null): ClaimedSlot | null {
  if (slot === null || slot.status !== "publishing") return null;
  const { status, publication, platform, socialAccountId } = slot;
  if (publication === null || platform === null || socialAccountId === null) {
    throw new Error(`Slot ${slot.id} is publishing, but lacks its attempt or account.`);
  }
  return { ...slot, status, publication, platform, socialAccountId };
}

/** Whether the slot is planned, has had no images ordered, and no person has touched it. */
export function isUnmade(
  { status, generation, regenerated, byHand = [] }: Pick<
    StoredSlot,
    "status" | "generation" | "regenerated" | "byHand"
  >,
): boolean {
  return status === "planned" && generation === 0 && !regenerated && byHand.length === 0;
}
