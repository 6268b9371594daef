/** The slot's one table of moves; every move leaves an event behind, so that `why` can tell the story. */
import { z } from "zod";
import { iso } from "../calendar.ts";
import { ServiceError } from "../errors.ts";
import { type Commit, listValues } from "../kv.ts";
import { slotKey, type StoredSlot } from "./records.ts";

export const SlotStatus = z.enum([
  "planned",
  "generating",
  "ready",
  "held",
  "publishing",
  "published",
  "skipped",
]);
export type SlotStatus = z.output<typeof SlotStatus>;

/** Why a slot waits for a person. */
export const HoldReason = z.enum([
  "generationFailed",
  "captionFailed",
  "creditsExhausted",
  "budgetSpent",
  "late",
  "refused",
  "notPublished",
  "unknownOutcome",
]);
export type HoldReason = z.output<typeof HoldReason>;

export const SlotMove = z.enum([
  "generate",
  "settle",
  "hold",
  "skip",
  "regenerate",
  "caption",
  "publish",
  "published",
  "putBack",
]);
export type SlotMove = z.output<typeof SlotMove>;

type Row = Partial<Record<SlotMove, SlotStatus>>;

/**
 * From each status, the moves it allows and where they lead. What is absent is a `conflict`;
 * `skipped` and `published` never move again. `putBack` leads to where the publishing came from.
 */
export const SLOT_MOVES: Record<SlotStatus, Row> = {
  planned: { generate: "generating", hold: "held", skip: "skipped", regenerate: "planned" },
  generating: { settle: "ready", hold: "held", skip: "skipped" },
  ready: {
    hold: "held",
    skip: "skipped",
    regenerate: "planned",
    caption: "ready",
    publish: "publishing",
  },
  held: {
    generate: "generating",
    settle: "ready",
    hold: "held",
    skip: "skipped",
    regenerate: "planned",
    caption: "held",
    publish: "publishing",
  },
  publishing: { published: "published", hold: "held", putBack: "ready" },
  published: {},
  skipped: { skip: "skipped" },
};

const REFUSALS: Record<SlotMove, string> = {
  generate: "Images can be made for a planned slot, or for a held one that has none.",
  settle: "Only images of a generating slot can settle it.",
  hold: "This slot can't be held.",
  skip: "A slot that is being published, or was, can't be skipped.",
  regenerate: "Only a ready or held slot can be regenerated.",
  caption: "Only a ready or held slot can get another caption.",
  publish: "Only a ready or held slot can be published.",
  published: "Only a slot that is being published can become published.",
  putBack: "Only a slot that is being published can be put back.",
};

/** One step of a slot's story. */
export const SlotEvent = z.object({
  at: z.iso.datetime(),
  move: z.enum(["plan", ...SlotMove.options]),
  from: SlotStatus.nullable(),
  to: SlotStatus,
  cause: z.string().describe("Why, in words for people."),
  code: z.string().nullable().describe("The platform's own code, where it gave one."),
  message: z.string().nullable().describe("The platform's own words, where it gave any."),
}).meta({ id: "SlotEvent" });
export type SlotEvent = z.output<typeof SlotEvent>;

export interface MoveNote {
  /** Instant, ms. */
  at: number;
  cause: string;
  code?: string | null;
  message?: string | null;
}

export const slotEventKey = (slot: Pick<StoredSlot, "brandId" | "id">, number: number) => [
  "slotEvent",
  slot.brandId,
  slot.id,
  number,
];

/** The slot's story, oldest first, its last `limit` steps. */
export async function listEvents(
  kv: Deno.Kv,
  { brandId, id }: StoredSlot,
  limit: number,
): Promise<SlotEvent[]> {
  const prefix = ["slotEvent", brandId, id];
  return (await listValues<SlotEvent>(kv, prefix, { reverse: true, limit })).reverse();
}

/** Refuses what the table does not allow. @throws ServiceError `conflict` */
export function requireMove(slot: Pick<StoredSlot, "status">, move: SlotMove): SlotStatus {
  const to = SLOT_MOVES[slot.status][move];
  if (to === undefined) {
    throw new ServiceError("conflict", `${REFUSALS[move]} This one is ${slot.status}.`);
  }
  return to;
}

/**
 * Moves the slot in `commit` and notes why. The slot must have been read through the same commit.
 * @throws ServiceError `conflict` when the table does not allow the move
 */
export function moveSlot(
  commit: Commit,
  slot: StoredSlot,
  move: SlotMove,
  note: MoveNote,
  change: Partial<StoredSlot> = {},
): StoredSlot {
  const to = requireMove(slot, move);
  const status = move === "putBack" ? slot.publication?.from ?? to : to;
  const next: StoredSlot = { ...slot, ...change, status };
  return noteEvent(commit, next, slot.status, move, note);
}

/** Writes a slot that was just planned, with the first event of its story. */
export function addSlot(commit: Commit, slot: StoredSlot, note: MoveNote): StoredSlot {
  return noteEvent(commit, slot, null, "plan", note);
}

function noteEvent(
  commit: Commit,
  slot: StoredSlot,
  from: SlotStatus | null,
  move: SlotEvent["move"],
  { at, cause, code = null, message = null }: MoveNote,
): StoredSlot {
  const next = { ...slot, events: slot.events + 1 };
  const event: SlotEvent = { at: iso(at), move, from, to: slot.status, cause, code, message };
  commit.set(slotKey(slot.brandId, slot.seriesId, slot.id), next);
  commit.set(slotEventKey(slot, next.events), event);
  return next;
}
