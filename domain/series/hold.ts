/** Holding a slot: a person should look. The error says cause and cure, and the brand is alerted. */
import { type AlertKind, raiseAlert } from "../alerts.ts";
import type { Commit } from "../kv.ts";
import type { Service } from "../service.ts";
import type { StoredSlot } from "./records.ts";
import { type HoldReason, type MoveNote, moveSlot } from "./states.ts";

export interface Hold {
  reason: HoldReason;
  /** Cause and cure. */
  error: string;
  /** The platform's own. */
  code?: string | null;
  message?: string | null;
}

/** Moves the slot to `held` in `commit` and alerts the brand. */
export async function holdSlot(
  service: Service,
  commit: Commit,
  slot: StoredSlot,
  { reason, error, code = null, message = null }: Hold,
  change: Partial<StoredSlot> = {},
): Promise<StoredSlot> {
  const note: MoveNote = { at: service.now(), cause: error, code, message };
  const held = moveSlot(commit, slot, "hold", note, { ...change, error, heldFor: reason });
  const kind: AlertKind = slot.status === "publishing" ? "publishFailed" : "slotHeld";
  await raiseAlert(service, commit, {
    brandId: slot.brandId,
    kind,
    id: `${kind}-${slot.id}-${held.events}`,
    text: `A ${slot.format} scheduled for ${slot.scheduledFor} is held (series ${slot.seriesId}, ` +
      `item ${slot.id}). ${error}`,
  });
  return held;
}
