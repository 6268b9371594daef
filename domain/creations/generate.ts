/** Paints a pending creation: the work of a `generate` job, and both ways in which it ends. */
import { listLive, readAssets, type StoredAsset } from "./assets/shape.ts";
import { SIZES } from "../media/images/aspect.ts";
import { iso } from "../foundation/calendar.ts";
import { emit } from "../kv/outbox.ts";
import { type Commit, transact } from "../kv/transact.ts";
import type { ImageRequest, PaintedImage, Reference } from "../models/model.ts";
import type { Service } from "../service/service.ts";
import { storeFiles } from "./render.ts";
import { likenessFor, noteLikeness, twinSlot } from "./twins.ts";
import { move, type StoredCreation } from "./shape.ts";
import { creationKey, type NewCreation, readWhole, writeCreation } from "./store.ts";

const MOST_CAST_PHOTOS = 4;
const MOST_INSPIRATION = 4;
const MOST_ERROR_CHARACTERS = 500;
const ANOTHER_VIEW = "Compose it differently: another point of view, distance and arrangement.";

/** The painting that a job is for. */
export interface Generation {
  brandId: string;
  creationId: string;
  generation: number;
}

export interface Work {
  signal: AbortSignal;
  /** Removes the job in the commit that completes its work. */
  finish(commit: Commit): Promise<void>;
}

/**
 * Paints and stores the image, then completes the creation. Does nothing once that generation has
 * ended. A deleted creation is painted, too: it was paid for, and a slot may still show it.
 * @throws ModelError if the model fails; StorageError if the image store does
 */
export async function generate(service: Service, target: Generation, work: Work): Promise<void> {
  const { kv, now, imageModel } = service;
  const whole = await readWhole(kv, target.brandId, target.creationId);
  if (whole === null || !awaits(whole.creation, target)) return;
  const { creation, prompt } = whole;
  const request: ImageRequest = {
    prompt,
    size: SIZES[creation.aspectRatio],
    references: await references(service, whole),
    seed: `${creation.seed ?? creation.id}:${creation.generation}`,
    signal: work.signal,
  };
  const { painted, likeness } = await paintUnlike(service, creation, request);
  work.signal.throwIfAborted();
  const { rawKey, finalKey, keep } = await storeFiles(service, creation, painted);
  await transact(kv, async (commit) => {
    const { name: model } = imageModel;
    const change = { rawKey, finalKey, model, completedAt: iso(now()), error: null };
    const ended = await endGeneration(
      service,
      commit,
      target,
      (pending) => move(pending, "complete", change),
    );
    if (ended) await keep(commit);
    if (ended && likeness !== null) noteLikeness(commit, creation, likeness);
    await work.finish(commit);
  });
}

/** A picture like another one of its series is painted once more, from elsewhere, at no further credit. */
async function paintUnlike(
  service: Service,
  { brandId, slot }: StoredCreation,
  request: ImageRequest,
): Promise<{ painted: PaintedImage; likeness: string | null }> {
  const paint = async (asked: ImageRequest) => {
    const painted = await service.imageModel.paint(asked);
    return { painted, likeness: await likenessFor(service, slot, painted.bytes) };
  };
  const first = await paint(request);
  if (slot === null || first.likeness === null) return first;
  if (await twinSlot(service, brandId, slot, first.likeness) === null) return first;
  const { prompt, seed } = request;
  return await paint({ ...request, prompt: `${prompt} ${ANOTHER_VIEW}`, seed: `${seed}:again` });
}

/**
 * Fails the creation in `commit`.
 * @param reason the creation's `error`, in words for people
 */
export async function failGeneration(
  service: Service,
  commit: Commit,
  target: Generation,
  reason: (pending: StoredCreation) => string,
): Promise<void> {
  await endGeneration(service, commit, target, (pending) => {
    const error = [...reason(pending)].slice(0, MOST_ERROR_CHARACTERS).join("");
    return move(pending, "fail", { error });
  });
}

/**
 * Ends the generation in `commit` and informs the slot that it was made for. If it has ended already,
 * nothing is changed and the result is false.
 */
async function endGeneration(
  { jobs, now }: Service,
  commit: Commit,
  target: Generation,
  ending: (pending: StoredCreation) => StoredCreation,
): Promise<boolean> {
  const stored = await commit.get<StoredCreation>(creationKey(target.brandId, target.creationId));
  if (stored === null || !awaits(stored, target)) return false;
  const ended = ending(stored);
  writeCreation(commit, ended);
  emitEnd(commit, ended, now());
  if (stored.slot !== null) {
    const subject = { ...stored.slot };
    await jobs.add(commit, { kind: "settleSlot", brandId: stored.brandId, subject });
  }
  return true;
}

function emitEnd(commit: Commit, ended: StoredCreation, at: number): void {
  const { id: creationId, brandId, slot, error } = ended;
  const { slotId: itemId = null, seriesId = null } = slot ?? {};
  const about = { creationId, itemId, seriesId };
  if (ended.status === "complete") {
    emit(commit, { brandId, at, type: "creation.completed", data: about });
  } else emit(commit, { brandId, at, type: "creation.failed", data: { ...about, error } });
}

function awaits(creation: StoredCreation, { generation }: Generation): boolean {
  return creation.status === "pending" && creation.generation === generation;
}

/** Cast photos first, then inspiration. Assets that were deleted meanwhile are left out. */
async function references(
  service: Service,
  { creation, cast }: NewCreation,
): Promise<Reference[]> {
  const { kv, storage } = service;
  const { brandId, inspirationAssetIds } = creation;
  const [photos, moods] = await Promise.all([
    readAssets(kv, brandId, cast?.referenceAssetIds ?? []),
    inspirationAssetIds === null
      ? listLive(kv, brandId, "inspiration")
      : readAssets(kv, brandId, inspirationAssetIds),
  ]);
  const load = async (kind: Reference["kind"], { key }: StoredAsset): Promise<Reference[]> => {
    const file = await storage.get(key);
    return file === null ? [] : [{ kind, ...file }];
  };
  const loaded = await Promise.all([
    ...photos.slice(0, MOST_CAST_PHOTOS).map((asset) => load("cast", asset)),
    ...moods.slice(0, MOST_INSPIRATION).map((asset) => load("inspiration", asset)),
  ]);
  return loaded.flat();
}
