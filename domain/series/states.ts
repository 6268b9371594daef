/** The slot's one table of moves. Every move stores an event, from which `why` tells what happened. */
import { z } from "zod";
import { iso } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { type Commit, listValues, reader } from "../kv/transact.ts";
import { awaitEntry } from "../kv/wait.ts";
import type { Service } from "../service/service.ts";
import { readSlot, slotKey, SlotStatus, type StoredSlot } from "./records.ts";
import { emitMove } from "./slot_events.ts";
import { writeSlot } from "./slot_rows.ts";

export const SlotMove = z.enum([
  "generate",
  "settle",
  "hold",
  "skip",
  "regenerate",
  "caption",
  "edit",
  "prepare",
  "approve",
  "unapprove",
  "publish",
  "published",
  "putBack",
]);
export type SlotMove = z.output<typeof SlotMove>;

/** `putBack` returns a slot to the status it was claimed from. */
const CLAIMED_FROM = ["ready", "held"] as const;

type Row = Partial<Record<SlotMove, SlotStatus | typeof CLAIMED_FROM>>;

/**
 * From each status, the moves it allows and where they lead. Any other move is a `conflict`.
 */
export const SLOT_MOVES: Record<SlotStatus, Row> = {
  planned: {
    generate: "generating",
    hold: "held",
    skip: "skipped",
    regenerate: "planned",
    edit: "planned",
    prepare: "ready",
  },
  generating: { settle: "ready", hold: "held", skip: "skipped" },
  ready: {
    hold: "held",
    skip: "skipped",
    regenerate: "planned",
    caption: "ready",
    edit: "ready",
    prepare: "ready",
    approve: "ready",
    unapprove: "ready",
    publish: "publishing",
  },
  held: {
    generate: "generating",
    settle: "ready",
    hold: "held",
    skip: "skipped",
    regenerate: "planned",
    caption: "held",
    edit: "held",
    prepare: "ready",
    approve: "held",
    unapprove: "held",
    publish: "publishing",
  },
  publishing: { published: "published", hold: "held", putBack: CLAIMED_FROM },
  published: {},
  skipped: { skip: "skipped" },
};

const REFUSALS: Record<SlotMove, string> = {
  generate: "Images can only be made for a planned post, or for a held one that has none.",
  settle: "Only a post whose images are being made can become ready.",
  hold: "A published or skipped post can't be held.",
  skip: "A post that is published or being published can't be skipped.",
  regenerate: "Only a ready or held post can be regenerated.",
  caption: "Only a ready or held post can get another caption.",
  edit: "Only a planned, ready or held post can be changed.",
  prepare: "Only a planned, ready or held post can get other images.",
  approve: "Only a ready or held post can be approved.",
  unapprove: "Only a ready or held post has an approval to take back.",
  publish: "Only a ready or held post can be published.",
  published: "Only a post that is being published can become published.",
  putBack: "Only a post that is being published can be put back.",
};

/** One step in a slot's history. */
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

/** The last `limit` events of the slot, oldest first. */
export async function listEvents(
  kv: Deno.Kv,
  { brandId, id }: StoredSlot,
  limit: number,
): Promise<SlotEvent[]> {
  const prefix = ["slotEvent", brandId, id];
  return (await listValues<SlotEvent>(kv, prefix, { reverse: true, limit })).reverse();
}

/** Refuses what the table does not allow. @throws ServiceError `conflict` */
export function requireMove(
  slot: Pick<StoredSlot, "status">,
  move: SlotMove,
): SlotStatus | typeof CLAIMED_FROM {
  const to = SLOT_MOVES[slot.status][move];
  if (to === undefined) {
    throw new ServiceError("conflict", `${REFUSALS[move]} This one is ${slot.status}.`);
  }
  return to;
}

/**
 * Moves the slot in `commit` and stores why. The caller has read the slot through the same commit.
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
  const status = typeof to === "string" ? to : slot.publication?.from ?? to[0];
  const next: StoredSlot = { ...slot, ...change, status };
  return noteEvent(commit, slot, next, move, note);
}

/** Stores a new slot with its first event. */
export function addSlot(commit: Commit, slot: StoredSlot, note: MoveNote): StoredSlot {
  return noteEvent(commit, null, slot, "plan", note);
}

/** Waits at most `waitMs` of real time for another status. Returns the slot; null when it is gone. */
export function awaitMoved(
  { kv, client, stopping }: Pick<Service, "kv" | "stopping"> & { client: { signal: AbortSignal } },
  { brandId, seriesId, id, status }: StoredSlot,
  waitMs: number,
): Promise<StoredSlot | null> {
  return awaitEntry(
    kv,
    slotKey(brandId, seriesId, id),
    () => readSlot(reader(kv), brandId, seriesId, id),
    (slot) => slot?.status !== status,
    { waitMs, signal: AbortSignal.any([client.signal, stopping]) },
  );
}

function noteEvent(
  commit: Commit,
  before: StoredSlot | null,
  slot: StoredSlot,
  move: SlotEvent["move"],
  { at, cause, code = null, message = null }: MoveNote,
): StoredSlot {
  const next = { ...slot, events: slot.events + 1 };
  const from = before?.status ?? null;
  const event: SlotEvent = { at: iso(at), move, from, to: slot.status, cause, code, message };
  writeSlot(commit, before, next);
  commit.set(slotEventKey(slot, next.events), event);
  emitMove(commit, { before, slot: next, move, at, code, message });
  return next;
}
