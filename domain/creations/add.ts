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
import { FREE_RETRIES, type SlotRef, type StoredCreation } from "./shape.ts";
import { insertCreation } from "./store.ts";

export interface NewCreationRequest {
  /** As the client sent or a planner composed it; base style and look are added where missing. */
  prompt: string;
  idea: string;
  aspectRatio: AspectRatio;
  overlay?: Overlay | null | undefined;
  castMemberId?: string | null | undefined;
  /** Images that set the mood; absent: the brand's newest inspiration. */
  inspirationAssetIds?: string[] | undefined;
  /** The slot it is made for: settled when the creation becomes terminal. */
  slot?: SlotRef | undefined;
}

export type AddedCreation = StoredCreation & { prompt: string };

/**
 * Debits a credit for each creation and adds all of them with their jobs to `commit`, or none.
 * @throws ServiceError `creditsExhausted`; `validationError` for a cast member that isn't live
 */
export async function addCreations(
  service: Service,
  commit: Commit,
  brand: Brand,
  requests: NewCreationRequest[],
): Promise<AddedCreation[]> {
  const at = service.now();
  await chargeCredits(service, commit, brand, requests.length);
  const kit = await requireKit(commit, brand.id);
  const added: AddedCreation[] = [];
  for (const request of requests) {
    const castId = request.castMemberId ?? null;
    const cast = castId === null ? null : await snapshotCast(commit, brand.id, castId);
    if (castId !== null && cast === null) {
      throw invalid("castMemberId", `${castId} is no cast member of this brand`);
    }
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
      castMemberId: castId,
      inspirationAssetIds: request.inspirationAssetIds ?? null,
      slot: request.slot ?? null,
      generation: 1,
      freeRetries: FREE_RETRIES,
      createdAt: iso(at),
      completedAt: null,
      deletedAt: null,
    };
    const prompt = completePrompt(request.prompt, kit, cast);
    await insertCreation(commit, creation, prompt, cast);
    await addGeneration(service, commit, creation);
    added.push({ ...creation, prompt });
  }
  return added;
}

/** Takes credits in `commit`: the one place where images are paid for. */
export async function chargeCredits(
  service: Service,
  commit: Commit,
  brand: Brand,
  count: number,
): Promise<void> {
  const debit = await debitCredits(commit, brand, service.now(), count);
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
