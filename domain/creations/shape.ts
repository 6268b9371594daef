/** Creations: the shape of spec 2.10, the stored records, and the table of moves. */
import { z } from "zod";
import { AspectRatio } from "../media/images/aspect.ts";
import { ServiceError } from "../foundation/errors.ts";
import { Overlay } from "../media/overlays/shape.ts";

export const CreationStatus = z.enum(["pending", "complete", "failed"]);
export type CreationStatus = z.output<typeof CreationStatus>;

export const Creation = z.object({
  id: z.string(),
  status: CreationStatus,
  aspectRatio: AspectRatio,
  idea: z.string().describe("The rough idea it came from."),
  prompt: z.string().describe("What the image model was sent."),
  model: z.string().nullable().describe("What painted it; `local`: the embedded painter."),
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

/** The slot that a creation was made for. */
export interface MadeFor {
  /** Null: a one-off post. */
  seriesId: string | null;
  slotId: string;
}

/** A creation as stored. Its prompt and cast snapshot have keys of their own (see `store.ts`). */
export interface StoredCreation {
  id: string;
  brandId: string;
  status: CreationStatus;
  aspectRatio: AspectRatio;
  idea: string;
  overlay: Overlay | null;
  /** Storage keys, null until complete. Without an overlay both are the same. */
  finalKey: string | null;
  rawKey: string | null;
  /** The name of the model that painted it; absent until complete, and in those of earlier versions. */
  model?: string;
  /** Shared by the images of one story; absent: each painting has its own. */
  seed?: string;
  error: string | null;
  creditCost: number;
  castMemberId: string | null;
  /** Assets that set the mood; none is []. Null: the brand's newest inspiration when it is painted. */
  inspirationAssetIds: string[] | null;
  slot: MadeFor | null;
  /** Counts the paintings, from 1: the first one and each retry. A job paints one generation. */
  generation: number;
  freeRetries: number;
  createdAt: string;
  completedAt: string | null;
  deletedAt: string | null;
}

/** Free retries that come with each credit. */
export const FREE_RETRIES = 3;

/** The price of retrying a failed creation, as a sentence of its error. */
export function retryCost({ freeRetries }: Pick<StoredCreation, "freeRetries">): string {
  return freeRetries > 0 ? "Retrying is free." : "Retrying costs a credit.";
}

type Move = "complete" | "fail" | "retry" | "overlay";

/** Status → the moves that it allows → the status that they lead to. */
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

/** @throws ServiceError `conflict` if the status does not allow the move */
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
