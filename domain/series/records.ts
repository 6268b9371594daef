/** Series, their strategies and their slots as stored: shapes, keys and reads. */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { AspectRatio } from "../media/images/aspect.ts";
import { DAY } from "../foundation/calendar.ts";
import { notFound } from "../foundation/errors.ts";
import { idOf, isId } from "../foundation/ids.ts";
import type { Actor } from "../kv/audit.ts";
import { liveRecords } from "../kv/live.ts";
import { listValues, type Reader } from "../kv/transact.ts";
import type { Overlay } from "../media/overlays/shape.ts";
import type { Platform } from "../posts/shape.ts";
import type { Allocation, Playbook } from "./playbook.ts";
import type { Story } from "./story.ts";
import type { SeriesFormat } from "../platforms/contract/format.ts";
import type { SetByHand } from "./hand.ts";

export const SeriesMode = z.enum(["manual", "autopilot"]);
export type SeriesMode = z.output<typeof SeriesMode>;

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
  "restored",
  "twin",
]);
export type HoldReason = z.output<typeof HoldReason>;

/** A series as stored. An autopilot's strategy has a key of its own, because a value holds 64 KiB. */
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
  /** Its posts wait for approval. Absent in series of earlier versions: false. */
  needsApproval?: boolean;
  /** Texts that were written without a model are published, too. Absent: true. */
  publishDrafts?: boolean;
  createdAt: string;
  deletedAt: string | null;
  /** Slots planned and not dropped. The next slot gets this place in the series' order. */
  slotsPlanned: number;
  /** How often planned slots were dropped. Part of a slot's id, so that a new plan gives new ids. */
  drops: number;
}

/** The strategy in force. Only `adoptPlaybook` writes it. */
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
  /** What the post tells, in a few words; absent until it is given one. */
  topic?: string;
  /** The headline for its picture, which may be empty. */
  onImage?: string;
  /** Written without a model, as a proposal to a person. */
  draft?: boolean;
}

/** The content of one try to publish. Later changes of the images don't reach it. */
export interface PinnedContent {
  hash: string;
  images: { key: string; altText: string }[];
  /** The text printed on the first image. */
  coverText: string | null;
}

/** The latest try to publish a slot. */
export interface Publication {
  /** Names the attempt. At most one public post is made for each id. */
  attemptId: string;
  /** What is published: the final images as they were when the slot was claimed. */
  content?: PinnedContent;
  /** Who claimed the slot, and from where; absent in what an earlier version claimed. */
  by?: { actor: Actor; address: string | null };
  /** When the slot was claimed, ms. */
  claimedAt: number;
  /** After this instant (ms) the post must not become public. */
  goodUntil: number;
  /** The slot's status before the claim. It returns to it when the platform did not take the post. */
  from: "ready" | "held";
  outcome: "working" | "published" | "refused" | "outdated" | "later" | "untaken" | "unknown";
  /** The platform's own code and words, where it gave any. */
  code: string | null;
  message: string | null;
  /** Another try before this instant (ms) is useless. */
  retryAt: number | null;
}

export interface StoredSlot extends SetByHand {
  id: string;
  brandId: string;
  /** Null: a one-off post, which belongs to no series. */
  seriesId: string | null;
  status: SlotStatus;
  scheduledFor: string;
  format: SeriesFormat;
  aspectRatio: AspectRatio;
  decision: Decision;
  /** What its pictures and its caption tell; absent until it has a topic. */
  story?: Story;
  /** The review whose strategy planned the slot; null for a manual series. */
  reviewId: string | null;
  /** How many images it gets, one credit each. */
  images: number;
  /** Sent back by a person for new images. It is made by the next pass and never dropped. */
  regenerated: boolean;
  /** How often images were ordered. */
  generation: number;
  /** Creations of the last order, as they are to be published. `listSlotCreations` has all of them. */
  creationIds: string[];
  caption: string;
  hashtags: string[];
  /** Cause and cure, for people. */
  error: string | null;
  heldFor: HoldReason | null;
  publication: Publication | null;
  /** Where it is being or was published. */
  platform: Platform | null;
  socialAccountId: string | null;
  publishedAt: string | null;
  externalPostId: string | null;
  url: string | null;
  createdAt: string;
  /** Number of its last event. */
  events: number;
}

export const SERIES = "series";
export const seriesKey = (brandId: string, id: string): Deno.KvKey => [SERIES, brandId, id];
export const strategyKey = (brandId: string, id: string): Deno.KvKey => ["strategy", brandId, id];
/** Stands for the series in the keys of one-off posts. */
const NO_SERIES = "none";
export const slotPrefix = (brandId: string, seriesId: string | null): Deno.KvKey => [
  "slot",
  brandId,
  seriesId ?? NO_SERIES,
];
export const slotKey = (brandId: string, seriesId: string | null, id: string): Deno.KvKey => [
  ...slotPrefix(brandId, seriesId),
  id,
];
/** Slots that a person has moved, by their present time, because their ids have the planned one. */
export const movedKey = (
  brandId: string,
  seriesId: string | null,
  ...timeAndId: string[]
): Deno.KvKey => ["slotMoved", brandId, seriesId ?? NO_SERIES, ...timeAndId];
/**
 * Written with every change to a slot of the series. A commit that has read it notices each of them,
 * however many slots there are. Its writers don't read it, so they don't disturb each other.
 */
export const slotsVersionKey = (brandId: string, seriesId: string | null): Deno.KvKey => [
  "slotsVersion",
  brandId,
  seriesId ?? NO_SERIES,
];

/** Series unless they were deleted. */
export const { read: readSeries, require: requireSeries, remove: removeSeries } = liveRecords<
  StoredSeries
>({ id: "series", noun: "series", key: seriesKey, deletedAt: "deletedAt" });

/** The brand's live series, newest first. */
export async function listSeries(kv: Deno.Kv, brandId: string): Promise<StoredSeries[]> {
  const all = await listValues<StoredSeries>(kv, [SERIES, brandId], { reverse: true });
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
  seriesId: string | null,
  id: string,
): Promise<StoredSlot | null> {
  return isId("slot", id) ? await from.get(slotKey(brandId, seriesId, id)) : null;
}

/** Like `readSlot`. @throws ServiceError `notFound` */
export async function requireSlot(
  from: Reader,
  brandId: string,
  seriesId: string | null,
  id: string,
): Promise<StoredSlot> {
  const slot = await readSlot(from, brandId, seriesId, id);
  if (slot === null) throw notFound("slot");
  return slot;
}

/** No pass looks at slots that are older than this, because they don't change any more. */
export const LOOK_BACK = 31 * DAY;

/** Hour of day (UTC) for which the slot was planned. */
export function hourOf(slot: Pick<StoredSlot, "scheduledFor">): number {
  return Math.floor(Date.parse(slot.scheduledFor) % DAY / (60 * 60 * 1_000));
}

/** A slot's id, from its instant and a hash, so that two planners at once give it the same id. */
export function slotId(series: Pick<StoredSeries, "id" | "drops">, at: number): string {
  const hash = createHash("sha256").update(`${series.id} ${at} ${series.drops}`).digest();
  return idOf("slot", at, hash);
}
