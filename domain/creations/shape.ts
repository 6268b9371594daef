/** Creations: the wire shape of spec 2.10, the stored records, and the table of moves. */
import { z } from "zod";
import { AspectRatio } from "../aspect.ts";
import { ServiceError } from "../errors.ts";
import { Overlay } from "../overlays/shape.ts";

export const CreationStatus = z.enum(["pending", "complete", "failed"]);
export type CreationStatus = z.output<typeof CreationStatus>;

export const Creation = z.object({
  id: z.string(),
  status: CreationStatus,
  aspectRatio: AspectRatio,
  idea: z.string().describe("The rough idea it came from."),
  prompt: z.string().describe("What the image model was sent."),
  overlay: Overlay.nullable(),
  url: z.url().nullable().describe("Final image with its overlay; null until complete."),
  rawUrl: z.url().nullable().describe("The image without overlay; null until complete."),
  error: z.string().nullable().describe("Why it failed; null otherwise."),
  creditCost: z.int().describe("Credits charged in all."),
  castMemberId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
}).meta({ id: "Creation" });
export type Creation = z.output<typeof Creation>;

/** The place in a series that a creation was made for. */
export interface MadeFor {
  seriesId: string;
  slotId: string;
}

/** A creation as stored; its prompt and cast snapshot lie beside it, for a value's 64 KiB. */
export interface StoredCreation {
  id: string;
  brandId: string;
  status: CreationStatus;
  aspectRatio: AspectRatio;
  idea: string;
  overlay: Overlay | null;
  /** Storage keys; the same one when there is no overlay, null until complete. */
  finalKey: string | null;
  rawKey: string | null;
  error: string | null;
  creditCost: number;
  castMemberId: string | null;
  /** Images that set the mood; null: the brand's newest inspiration at the time of painting. */
  inspirationAssetIds: string[] | null;
  slot: MadeFor | null;
  /** Counts what credits and retries have bought, from 1; a job paints one generation. */
  generation: number;
  freeRetries: number;
  createdAt: string;
  completedAt: string | null;
  deletedAt: string | null;
}

/** The cast member as it was when the creation was posted. */
export interface CastSnapshot {
  id: string;
  name: string;
  lookPrompt: string;
  lifestylePrompt: string;
  referenceAssetIds: string[];
}

/** Retries that one credit buys beside its generation. */
export const FREE_RETRIES = 3;

/** What trying a failed creation again costs, as a sentence of its error. */
export function retryCost({ freeRetries }: Pick<StoredCreation, "freeRetries">): string {
  return freeRetries > 0 ? "Retrying is free." : "Retrying costs a credit.";
}

type Move = "complete" | "fail" | "retry" | "overlay";

/** From each status, the moves it allows and where they lead. */
export const MOVES: Record<CreationStatus, Partial<Record<Move, CreationStatus>>> = {
  pending: { complete: "complete", fail: "failed" },
  failed: { retry: "pending" },
  complete: { overlay: "complete" },
};

const REFUSALS: Record<Move, string> = {
  complete: "Only a pending creation can be completed.",
  fail: "Only a pending creation can fail.",
  retry: "Only a failed creation can be retried.",
  overlay: "Only a complete creation can get another overlay.",
};

/** @throws ServiceError `conflict` when the status does not allow the move */
export function move(
  creation: StoredCreation,
  name: Move,
  change: Partial<StoredCreation>,
): StoredCreation {
  const status = MOVES[creation.status][name];
  if (status === undefined) {
    throw new ServiceError("conflict", `${REFUSALS[name]} This one is ${creation.status}.`);
  }
  return { ...creation, ...change, status };
}

export function isTerminal({ status }: Pick<StoredCreation, "status">): boolean {
  return status !== "pending";
}
