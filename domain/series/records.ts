/** Series and slots as stored: their keys, how they are read, and what is known of their strategy. */
import { createHash } from "node:crypto";
import type { AspectRatio } from "../aspect.ts";
import { DAY } from "../calendar.ts";
import { notFound } from "../errors.ts";
import { idOf, idsFrom, isId } from "../ids.ts";
import { listValues, type Reader } from "../kv.ts";
import type { Overlay } from "../overlays/shape.ts";
import type { Platform } from "../posts/shape.ts";
import type { Allocation, Playbook } from "../strategist/shape.ts";
import type { SeriesFormat } from "./format.ts";
import type { HoldReason, SlotStatus } from "./states.ts";

export type SeriesMode = "manual" | "autopilot";

/** A series as stored; an autopilot's strategy lies beside it, for a value's 64 KiB. */
export interface StoredSeries {
  id: string;
  brandId: string;
  name: string;
  mode: SeriesMode;
  active: boolean;
  theme: string | null;
  goal: string | null;
  guidance: string | null;
  caption: string | null;
  format: SeriesFormat | null;
  formats: SeriesFormat[];
  aspectRatio: AspectRatio;
  cadenceDays: number | null;
  hourUtc: number;
  maxPerWeek: number | null;
  postsPerWeek: number | null;
  creditBudgetMonthly: number | null;
  castMemberId: string | null;
  inspirationAssetIds: string[];
  overlay: Overlay | null;
  socialAccountId: string | null;
  createdAt: string;
  deletedAt: string | null;
  /** Slots planned and not dropped: the place of the next one in the series' order. */
  slotsPlanned: number;
  /** How often planned slots were dropped; a slot that is planned anew gets another id. */
  drops: number;
}

/** The strategy in force: written by `adoptPlaybook` only. */
export interface Strategy {
  reviewId: string;
  /** Instant, ms. */
  reviewedAt: number;
  playbook: Playbook;
  allocation: Allocation;
}

export interface Decision {
  direction: string;
  /** A template of overlays, or `none`. */
  overlayTemplate: string;
  rationale: string;
}

/** Where the latest try to publish stands. */
export interface Publication {
  /** Names the attempt to the platforms; one public post at most comes of it. */
  attemptId: string;
  /** Instant of the claim, ms. */
  claimedAt: number;
  /** Instant, ms: after it nothing is made public any more. */
  goodUntil: number;
  /** The status it came from, and goes back to when nothing was taken. */
  from: "ready" | "held";
  outcome: "working" | "published" | "refused" | "outdated" | "later" | "untaken" | "unknown";
  /** The platform's own code and words, where it gave any. */
  code: string | null;
  message: string | null;
  /** Instant, ms, before which another try is useless. */
  retryAt: number | null;
}

export interface StoredSlot {
  id: string;
  brandId: string;
  seriesId: string;
  status: SlotStatus;
  scheduledFor: string;
  format: SeriesFormat;
  aspectRatio: AspectRatio;
  decision: Decision;
  /** The review whose strategy planned it; null for a manual series. */
  reviewId: string | null;
  /** Images it takes, one credit each. */
  images: number;
  /** A person sent it back to be made again: it stays whatever is dropped, and is made at once. */
  regenerated: boolean;
  /** 0 until images were first ordered; each order adds one. */
  generation: number;
  /** Creations of the last generation, in the order of the story. Older ones: `listSlotCreations`. */
  creationIds: string[];
  caption: string;
  hashtags: string[];
  /** Cause and cure, for people. */
  error: string | null;
  heldFor: HoldReason | null;
  publication: Publication | null;
  /** Where it was published. */
  platform: Platform | null;
  socialAccountId: string | null;
  publishedAt: string | null;
  externalPostId: string | null;
  url: string | null;
  createdAt: string;
  /** Number of its last event. */
  events: number;
}

export const seriesKey = (brandId: string, id: string): Deno.KvKey => ["series", brandId, id];
export const strategyKey = (brandId: string, id: string): Deno.KvKey => ["strategy", brandId, id];
export const slotKey = (brandId: string, seriesId: string, id: string): Deno.KvKey => [
  "slot",
  brandId,
  seriesId,
  id,
];
export const slotCreationKey = (brandId: string, slotId: string, id: string): Deno.KvKey => [
  "slotCreation",
  brandId,
  slotId,
  id,
];

/** The series unless it was deleted, or null. */
export async function readSeries(
  from: Reader,
  brandId: string,
  id: string,
): Promise<StoredSeries | null> {
  if (!isId("series", id)) return null;
  const series = await from.get<StoredSeries>(seriesKey(brandId, id));
  return series === null || series.deletedAt !== null ? null : series;
}

/** Like `readSeries`. @throws ServiceError `notFound` */
export async function requireSeries(
  from: Reader,
  brandId: string,
  id: string,
): Promise<StoredSeries> {
  const series = await readSeries(from, brandId, id);
  if (series === null) throw notFound("series");
  return series;
}

/** The brand's live series, newest first; every brand's when `brandId` is null. */
export async function listSeries(kv: Deno.Kv, brandId: string | null): Promise<StoredSeries[]> {
  const prefix = brandId === null ? ["series"] : ["series", brandId];
  const all = await listValues<StoredSeries>(kv, prefix, { reverse: true });
  return all.filter((series) => series.deletedAt === null);
}

/** The strategy in force, or null before the first review. */
export function readStrategy(
  from: Reader,
  brandId: string,
  seriesId: string,
): Promise<Strategy | null> {
  return from.get(strategyKey(brandId, seriesId));
}

/** The slot, or null. */
export async function readSlot(
  from: Reader,
  brandId: string,
  seriesId: string,
  id: string,
): Promise<StoredSlot | null> {
  return isId("slot", id) ? await from.get(slotKey(brandId, seriesId, id)) : null;
}

/** Like `readSlot`. @throws ServiceError `notFound` */
export async function requireSlot(
  from: Reader,
  brandId: string,
  seriesId: string,
  id: string,
): Promise<StoredSlot> {
  const slot = await readSlot(from, brandId, seriesId, id);
  if (slot === null) throw notFound("slot");
  return slot;
}

/** Slots that lie further back are as they will stay: no pass looks at them any more. */
export const LOOK_BACK = 31 * DAY;

export interface SlotRange {
  /** Instants of `scheduledFor`, ms; both inclusive. */
  from?: number;
  to?: number;
}

/** Slots by `scheduledFor`, ascending: their ids carry it, so that a range is a range of keys. */
export async function listSlots(
  kv: Deno.Kv,
  brandId: string,
  seriesId: string,
  { from = 0, to = LATEST }: SlotRange = {},
): Promise<StoredSlot[]> {
  const start = slotKey(brandId, seriesId, idsFrom("slot", from));
  const end = slotKey(brandId, seriesId, idsFrom("slot", to + 1));
  const slots: StoredSlot[] = [];
  for await (const { value } of kv.list<StoredSlot>({ start, end }, { batchSize: 200 })) {
    slots.push(value);
  }
  return slots;
}

/** The slot that is scheduled last, or null. */
export async function newestSlot(
  kv: Deno.Kv,
  brandId: string,
  seriesId: string,
): Promise<StoredSlot | null> {
  const prefix = ["slot", brandId, seriesId];
  return (await listValues<StoredSlot>(kv, prefix, { reverse: true, limit: 1 }))[0] ?? null;
}

/** Ids of every creation that was ever made for the slot, oldest first. */
export async function listSlotCreations(
  kv: Deno.Kv,
  brandId: string,
  slotId: string,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const { key } of kv.list({ prefix: ["slotCreation", brandId, slotId] })) {
    ids.push(String(key[3]));
  }
  return ids;
}

/** Hour of day (UTC) for which the slot was planned. */
export function hourOf(slot: Pick<StoredSlot, "scheduledFor">): number {
  return Math.floor(Date.parse(slot.scheduledFor) % DAY / (60 * 60 * 1_000));
}

const LATEST = 2 ** 48 - 2;

/** A slot's id: its instant and a hash, so that two planners can't give one slot two ids. */
export function slotId(series: Pick<StoredSeries, "id" | "drops">, at: number): string {
  const hash = createHash("sha256").update(`${series.id} ${at} ${series.drops}`).digest();
  return idOf("slot", at, hash);
}
