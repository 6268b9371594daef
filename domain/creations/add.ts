/** Adding creations to a commit: credits, records and jobs are one fact. */
import { creditAlert } from "../alerts.ts";
import type { AspectRatio } from "../aspect.ts";
import type { Brand } from "../brands.ts";
import { iso } from "../calendar.ts";
import { snapshotCast } from "../cast.ts";
import { debitCredits } from "../credits.ts";
import { invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import { requireKit } from "../kit.ts";
import type { Commit } from "../kv.ts";
import type { Overlay } from "../overlays/shape.ts";
import { completePrompt } from "../prompts.ts";
import type { Service } from "../service.ts";
import { type CastSnapshot, FREE_RETRIES, type MadeFor, type StoredCreation } from "./shape.ts";
import { insertCreations, type NewCreation } from "./store.ts";

export interface NewCreationRequest {
  /** As the client sent or a planner composed it; base style and look are added where missing. */
  prompt: string;
  idea: string;
  aspectRatio: AspectRatio;
  overlay?: Overlay | null | undefined;
  castMemberId?: string | null | undefined;
  /** Images that set the mood; absent: the brand's newest inspiration. */
  inspirationAssetIds?: string[] | undefined;
}

export type AddedCreation = StoredCreation & { prompt: string };

/**
 * Debits a credit for each creation and adds all of them with their jobs to `commit`, or none.
 * @param slot what they are made for: settled when they are terminal
 * @throws ServiceError `validationError` for a cast member that isn't live; `creditsExhausted`
 */
export async function addCreations(
  service: Service,
  commit: Commit,
  brand: Brand,
  requests: NewCreationRequest[],
  slot: MadeFor | null = null,
): Promise<AddedCreation[]> {
  const at = service.now();
  const casts: (CastSnapshot | null)[] = [];
  // One after the other: a carousel's images show one member, whom the commit reads once.
  for (const { castMemberId } of requests) {
    casts.push(await requireCast(commit, brand, castMemberId ?? null));
  }
  await chargeCredits(service, commit, brand, requests.length, slot);
  const kit = await requireKit(commit, brand.id);
  const made: NewCreation[] = [];
  for (const [index, request] of requests.entries()) {
    const cast = casts[index] ?? null;
    const creation: StoredCreation = {
      id: newId("creation", at),
      brandId: brand.id,
      status: "pending",
      aspectRatio: request.aspectRatio,
      idea: request.idea,
      overlay: request.overlay ?? null,
      finalKey: null,
      rawKey: null,
      error: null,
      creditCost: 1,
      castMemberId: cast?.id ?? null,
      inspirationAssetIds: request.inspirationAssetIds ?? null,
      slot,
      generation: 1,
      freeRetries: FREE_RETRIES,
      createdAt: iso(at),
      completedAt: null,
      deletedAt: null,
    };
    const prompt = completePrompt(request.prompt, kit, cast);
    await addGeneration(service, commit, creation);
    made.push({ creation, prompt, cast });
  }
  await insertCreations(commit, brand.id, made);
  return made.map(({ creation, prompt }) => ({ ...creation, prompt }));
}

async function requireCast(
  commit: Commit,
  brand: Brand,
  id: string | null,
): Promise<CastSnapshot | null> {
  const cast = id === null ? null : await snapshotCast(commit, brand.id, id);
  if (id !== null && cast === null) {
    throw invalid("castMemberId", `${id} is no cast member of this brand`);
  }
  return cast;
}

/** Takes credits in `commit`: the one place where images are paid for. */
export async function chargeCredits(
  service: Service,
  commit: Commit,
  brand: Brand,
  count: number,
  slot: MadeFor | null,
): Promise<void> {
  const debit = await debitCredits(commit, brand, service.now(), count, slot?.seriesId ?? null);
  await creditAlert(service, commit, brand, debit);
}

/** Adds the job that paints the creation's present generation. */
export async function addGeneration(
  { jobs }: Service,
  commit: Commit,
  { brandId, id, generation }: StoredCreation,
): Promise<void> {
  const subject = { creationId: id, generation: String(generation) };
  await jobs.add(commit, { kind: "generate", brandId, subject });
}
