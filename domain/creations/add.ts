/** Adds creations to a commit: their credits, records and jobs are written together or not at all. */
import { creditAlert } from "../events/alerts.ts";
import type { AspectRatio } from "../media/images/aspect.ts";
import type { Brand } from "../brands/brands.ts";
import { dayOf, iso } from "../foundation/calendar.ts";
import { castMemberKey, type CastSnapshot, requireCast } from "./cast.ts";
import { creditsKey, debitCredits } from "../brands/credits.ts";
import { isId, newId } from "../foundation/ids.ts";
import { kitKey, readKit } from "../brands/kit.ts";
import type { Commit } from "../kv/transact.ts";
import type { Overlay } from "../media/overlays/shape.ts";
import { completePrompt } from "./prompts.ts";
import type { Service } from "../service/service.ts";
import { FREE_RETRIES, type MadeFor, type StoredCreation } from "./shape.ts";
import { dayKey, insertCreations, type NewCreation } from "./store.ts";

export interface NewCreationRequest {
  /** Sent by the client or composed by a planner. Base style and look are added if they are missing. */
  prompt: string;
  idea: string;
  aspectRatio: AspectRatio;
  overlay?: Overlay | null | undefined;
  castMemberId?: string | null | undefined;
  /** Whether inspiration goes along, which makes an edit of the call and costs more. Absent: it does. */
  useInspiration?: boolean | undefined;
  /** Assets that set the mood. Absent: the brand's newest inspiration. */
  inspirationAssetIds?: string[] | undefined;
  /** Makes a deterministic painter repeatable over several images. Absent: each has its own. */
  seed?: string | undefined;
}

export type AddedCreation = StoredCreation & { prompt: string };

/**
 * Debits a credit for each creation and adds all of them with their jobs to `commit`, or none.
 * @param slot the slot they are made for; it is told when a creation completes or fails
 * @throws ServiceError `validationError` for an unknown cast member; `creditsExhausted`
 */
export async function addCreations(
  service: Service,
  commit: Commit,
  brand: Brand,
  requests: NewCreationRequest[],
  slot: MadeFor | null = null,
): Promise<AddedCreation[]> {
  const at = service.now();
  await commit.getMany(creationReads(brand.id, requests, at));
  const casts: (CastSnapshot | null)[] = [];
  for (const { castMemberId } of requests) {
    casts.push(castMemberId == null ? null : await requireCast(commit, brand.id, castMemberId));
  }
  await chargeCredits(service, commit, brand, requests.length, slot);
  const kit = await readKit(commit, brand.id);
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
      inspirationAssetIds: inspirationOf(request),
      slot,
      ...request.seed === undefined ? {} : { seed: request.seed },
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

function inspirationOf(request: NewCreationRequest): string[] | null {
  return request.useInspiration === false ? [] : request.inspirationAssetIds ?? null;
}

/**
 * The keys that `addCreations` reads, for a caller that reads more in the same call to the store. Over a
 * network, each call costs its whole delay.
 */
export function creationReads(
  brandId: string,
  requests: Pick<NewCreationRequest, "castMemberId">[],
  at: number,
): Deno.KvKey[] {
  const castIds = requests.flatMap(({ castMemberId: id }) => id == null ? [] : [id]);
  return [
    creditsKey(brandId, at),
    kitKey(brandId),
    dayKey(brandId, dayOf(at)),
    // The images of a carousel share one member.
    ...[...new Set(castIds)].filter((id) => isId("castMember", id))
      .map((id) => castMemberKey(brandId, id)),
  ];
}

/** Debits credits in `commit`. All images are paid for here. @throws ServiceError `creditsExhausted` */
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

/** Adds the job that paints the creation's current generation. */
export async function addGeneration(
  { jobs }: Service,
  commit: Commit,
  { brandId, id, generation }: StoredCreation,
): Promise<void> {
  const subject = { creationId: id, generation };
  await jobs.add(commit, { kind: "generate", brandId, subject });
}
