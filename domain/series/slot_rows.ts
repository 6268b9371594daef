/**
 * A slot's rows in the store. Beside the record: a key by time, for lists over all series of a brand;
 * a pointer from its id to its series; and its creations. All are written in the slot's own commit.
 */
import { isId } from "../foundation/ids.ts";
import type { Commit, Reader } from "../kv/transact.ts";
import {
  movedKey,
  readSlot,
  slotKey,
  type SlotStatus,
  slotsVersionKey,
  type StoredSlot,
} from "./records.ts";

/** What a list over all series needs to know of a slot to choose and count it. */
export interface TimeEntry {
  seriesId: string | null;
  status: SlotStatus;
  /** The account where it was published, or that a person chose; null: the series' account. */
  accountId: string | null;
}

export const timeKey = (brandId: string, ...timeAndId: string[]): Deno.KvKey => [
  "slotTime",
  brandId,
  ...timeAndId,
];
const seriesOfKey = (brandId: string, id: string): Deno.KvKey => ["slotSeries", brandId, id];

/** The first part of the keys of brands that have one-off posts, over which the series pass walks. */
export const ONE_OFFS = "oneOffs";
export const oneOffsKey = (brandId: string): Deno.KvKey => [ONE_OFFS, brandId];

/** The record of a brand with one-off posts. */
export interface OneOffs {
  brandId: string;
}

/** Writes the slot in place of `before` (null: it is new). */
export function writeSlot(commit: Commit, before: StoredSlot | null, slot: StoredSlot): void {
  const { brandId, seriesId, id } = slot;
  if (before !== null && before.scheduledFor !== slot.scheduledFor) deleteTimes(commit, before);
  commit.set(slotKey(brandId, seriesId, id), slot);
  writeTimes(commit, slot);
  commit.set(slotsVersionKey(brandId, seriesId), id);
  if (seriesId === null) commit.set(oneOffsKey(brandId), { brandId } satisfies OneOffs);
}

function writeTimes(commit: Commit, slot: StoredSlot): void {
  const { brandId, seriesId, id, scheduledFor, plannedFor } = slot;
  commit.set(timeKey(brandId, scheduledFor, id), entryOf(slot));
  commit.set(seriesOfKey(brandId, id), seriesId);
  if (plannedFor !== undefined) commit.set(movedKey(brandId, seriesId, scheduledFor, id), null);
}

function deleteTimes(commit: Commit, { brandId, seriesId, id, scheduledFor }: StoredSlot): void {
  commit.delete(timeKey(brandId, scheduledFor, id));
  commit.delete(movedKey(brandId, seriesId, scheduledFor, id));
}

function entryOf({ seriesId, status, accountId = null, socialAccountId }: StoredSlot): TimeEntry {
  const isOut = status === "publishing" || status === "published";
  return { seriesId, status, accountId: isOut ? socialAccountId : accountId };
}

/** Deletes the slot's rows but its events. */
export function deleteSlot(commit: Commit, slot: StoredSlot): void {
  const { brandId, seriesId, id } = slot;
  commit.delete(slotKey(brandId, seriesId, id));
  commit.delete(seriesOfKey(brandId, id));
  deleteTimes(commit, slot);
  commit.set(slotsVersionKey(brandId, seriesId), id);
}

/** The slot of any series, or of none; null: the brand has none with that id. */
export async function findSlot(
  from: Reader,
  brandId: string,
  id: string,
): Promise<StoredSlot | null> {
  if (!isId("slot", id)) return null;
  return await readSlot(from, brandId, await from.get<string>(seriesOfKey(brandId, id)), id);
}

const slotCreationKey = (brandId: string, slotId: string, ...id: string[]): Deno.KvKey => [
  "slotCreation",
  brandId,
  slotId,
  ...id,
];

/** Notes in `commit` that the slot has, or had, these creations. */
export function noteCreations(commit: Commit, { brandId, id }: StoredSlot, ids: string[]): void {
  for (const creationId of ids) commit.set(slotCreationKey(brandId, id, creationId), null);
}

export function unnoteCreations(commit: Commit, { brandId, id }: StoredSlot, ids: string[]): void {
  for (const creationId of ids) commit.delete(slotCreationKey(brandId, id, creationId));
}

/** Ids of the slots that have, or had, the creation. Looks at every slot of the brand. */
export async function slotsWith(
  kv: Deno.Kv,
  brandId: string,
  creationId: string,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const { key } of kv.list({ prefix: ["slotCreation", brandId] })) {
    if (key[3] === creationId) ids.push(String(key[2]));
  }
  return ids;
}

/** Ids of all creations that the slot ever had, oldest first. */
export async function listSlotCreations(
  kv: Deno.Kv,
  brandId: string,
  slotId: string,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const { key } of kv.list({ prefix: slotCreationKey(brandId, slotId) })) {
    ids.push(String(key[3]));
  }
  return ids;
}
