/** Painting a pending creation: what a `generate` job does, and how it ends. */
import { listLive, readAssets, type StoredAsset } from "../assets/shape.ts";
import { SIZES } from "../aspect.ts";
import { iso } from "../calendar.ts";
import { type Commit, transact } from "../kv.ts";
import type { Reference } from "../models/model.ts";
import type { Service } from "../service.ts";
import { storeFiles } from "./render.ts";
import { move, type StoredCreation } from "./shape.ts";
import { creationKey, readCast, readCreation, readPrompt, writeCreation } from "./store.ts";

const MOST_CAST_PHOTOS = 4;
const MOST_INSPIRATION = 4;
const MOST_ERROR_CHARACTERS = 500;

/** Which painting a job is for. */
export interface Generation {
  brandId: string;
  creationId: string;
  generation: number;
}

export interface Work {
  signal: AbortSignal;
  /** Removes the job in the commit of its effect. */
  finish(commit: Commit): Promise<void>;
}

/**
 * Paints and stores the image and completes the creation; quiet when it has moved on. A deleted
 * creation is painted, too: it is paid for, and a slot may still show it.
 * @throws ModelError when the model did not deliver; StorageError when the image store did not
 */
export async function generate(service: Service, target: Generation, work: Work): Promise<void> {
  const { kv, now, imageModel } = service;
  const creation = await readCreation(kv, target.brandId, target.creationId);
  if (creation === null || !awaits(creation, target)) return;
  const painted = await imageModel.paint({
    prompt: await readPrompt(kv, creation.brandId, creation.id),
    size: SIZES[creation.aspectRatio],
    references: await references(service, creation),
    seed: `${creation.id}:${creation.generation}`,
    signal: work.signal,
  });
  work.signal.throwIfAborted();
  const { rawKey, finalKey, keep } = await storeFiles(service, creation, painted);
  await transact(kv, async (commit) => {
    const change = { rawKey, finalKey, completedAt: iso(now()), error: null };
    const ended = await settle(
      service,
      commit,
      target,
      (pending) => move(pending, "complete", change),
    );
    if (ended) await keep(commit);
    await work.finish(commit);
  });
}

/**
 * Fails the creation in `commit`.
 * @param reason words for the people who use it
 */
export async function failGeneration(
  service: Service,
  commit: Commit,
  target: Generation,
  reason: (pending: StoredCreation) => string,
): Promise<void> {
  await settle(service, commit, target, (pending) => {
    const error = [...reason(pending)].slice(0, MOST_ERROR_CHARACTERS).join("");
    return move(pending, "fail", { error });
  });
}

/** Ends the generation in `commit` and tells the slot it was made for; false when it has moved on. */
async function settle(
  { jobs }: Service,
  commit: Commit,
  target: Generation,
  ending: (pending: StoredCreation) => StoredCreation,
): Promise<boolean> {
  const stored = await commit.get<StoredCreation>(creationKey(target.brandId, target.creationId));
  if (stored === null || !awaits(stored, target)) return false;
  writeCreation(commit, ending(stored));
  if (stored.slot !== null) {
    const subject = { ...stored.slot };
    await jobs.add(commit, { kind: "settleSlot", brandId: stored.brandId, subject });
  }
  return true;
}

function awaits(creation: StoredCreation, { generation }: Generation): boolean {
  return creation.status === "pending" && creation.generation === generation;
}

/** Cast photos first, then inspiration; assets that were retired meanwhile are left out. */
async function references(
  service: Service,
  creation: StoredCreation,
): Promise<Reference[]> {
  const { kv, storage } = service;
  const { brandId, id, castMemberId, inspirationAssetIds } = creation;
  const cast = castMemberId === null ? null : await readCast(kv, brandId, id);
  const photos = await readAssets(kv, brandId, cast?.referenceAssetIds ?? []);
  const moods = inspirationAssetIds === null
    ? await listLive(kv, brandId, "inspiration")
    : await readAssets(kv, brandId, inspirationAssetIds);
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
