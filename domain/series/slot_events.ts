/** What others are told of a slot's moves: events in the commit of the move. */
import { emit } from "../kv/outbox.ts";
import type { EventData } from "../kv/event_types.ts";
import type { Commit } from "../kv/transact.ts";
import type { StoredSlot } from "./records.ts";

interface Moved {
  /** Null: the slot is new. */
  before: StoredSlot | null;
  slot: StoredSlot;
  /** Its name in the table of moves, or `plan`. */
  move: string;
  /** Instant, ms. */
  at: number;
  /** The platform's own code and words, where it gave any. */
  code: string | null;
  message: string | null;
}

/** Tells of a move if others wait for it. A slot that is put back is where it was: nothing is told. */
export function emitMove(commit: Commit, { before, slot, move, at, code, message }: Moved): void {
  const { brandId, heldFor, error } = slot;
  const about = { brandId, at };
  const data = dataOf(slot);
  if (move === "plan" || move === "regenerate") {
    emit(commit, { ...about, type: "item.planned", data });
  }
  if (move === "approve") {
    const approvedBy = slot.approval?.by ?? null;
    emit(commit, { ...about, type: "item.approved", data: { ...data, approvedBy } });
  }
  if (move === "putBack" || before?.status === slot.status) return;
  switch (slot.status) {
    case "ready":
      return emit(commit, { ...about, type: "item.ready", data });
    case "held": {
      const held = { ...data, heldFor, error };
      if (before?.status === "publishing") {
        emit(commit, { ...about, type: "item.failed", data: { ...held, code, message } });
      }
      return emit(commit, { ...about, type: "item.held", data: held });
    }
    case "published": {
      const { platform, socialAccountId, externalPostId, url, publishedAt } = slot;
      const where = { platform, socialAccountId, externalPostId, url, publishedAt };
      return emit(commit, { ...about, type: "item.published", data: { ...data, ...where } });
    }
  }
}

function dataOf(slot: StoredSlot): EventData["item.ready"] {
  const { id: itemId, seriesId, status, scheduledFor, format, creationIds } = slot;
  return { itemId, seriesId, status, scheduledFor, format, creationIds };
}
