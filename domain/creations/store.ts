/**
 * How creations are stored: a record; its prompt and cast snapshot under keys of their own, because
 * together they may exceed a value's 64 KiB; a pointer while it is listed; and the number listed per
 * UTC day, so that totals and deep pages read days instead of creations.
 */
import { DAY, dayOf } from "../foundation/calendar.ts";
import { idsFrom, instantOf, isId } from "../foundation/ids.ts";
import { liveRecords } from "../kv/live.ts";
import { type Commit, getEach, type Reader, reader } from "../kv/transact.ts";
import { awaitEntry, type WaitOptions } from "../kv/wait.ts";
import type { Service } from "../service/service.ts";
import { type Creation, isTerminal, type StoredCreation } from "./shape.ts";
import type { CastSnapshot } from "./cast.ts";

export const creationKey = (brandId: string, id: string): Deno.KvKey => ["creation", brandId, id];
const promptKey = (brandId: string, id: string): Deno.KvKey => ["creationPrompt", brandId, id];
const castKey = (brandId: string, id: string): Deno.KvKey => ["creationCast", brandId, id];
const listedKey = (brandId: string, id: string): Deno.KvKey => ["creationListed", brandId, id];
/** How many creations of a UTC day are listed. */
export const dayKey = (brandId: string, day: string): Deno.KvKey => ["creationDay", brandId, day];

const createdDay = (id: string) => dayOf(instantOf(id));

const creations = liveRecords<StoredCreation>({
  id: "creation",
  noun: "creation",
  key: creationKey,
  deletedAt: "deletedAt",
});

/** The creation, or null if there is none or it was deleted. */
export const readListed = creations.read;
/** Like `readListed`. @throws ServiceError `notFound` instead of null */
export const requireCreation = creations.require;

/** The creation, even if it was deleted, or null if there is none. */
export async function readCreation(
  from: Reader,
  brandId: string,
  id: string,
): Promise<StoredCreation | null> {
  return isId("creation", id) ? await from.get(creationKey(brandId, id)) : null;
}

/** The creations in the order of `ids`, deleted ones included, without those that never were. */
export async function readStored(
  kv: Deno.Kv,
  brandId: string,
  ids: string[],
): Promise<StoredCreation[]> {
  const known = ids.filter((id) => isId("creation", id));
  const stored = await getEach<StoredCreation>(kv, known.map((id) => creationKey(brandId, id)));
  return stored.filter((creation) => creation !== null);
}

export async function readPrompt(kv: Deno.Kv, brandId: string, id: string): Promise<string> {
  return (await kv.get<string>(promptKey(brandId, id))).value ?? "";
}

/** The creation with the values that are stored beside it, read in one call to the store. */
export async function readWhole(
  kv: Deno.Kv,
  brandId: string,
  id: string,
): Promise<NewCreation | null> {
  const [{ value: creation }, { value: prompt }, { value: cast }] = await kv.getMany<
    [StoredCreation, string, CastSnapshot]
  >([creationKey(brandId, id), promptKey(brandId, id), castKey(brandId, id)]);
  return creation === null ? null : { creation, prompt: prompt ?? "", cast };
}

/**
 * Resolves when the creation is terminal or the wait has run out. Null if there is none, or it was
 * deleted meanwhile.
 */
export function awaitTerminal(
  kv: Deno.Kv,
  brandId: string,
  id: string,
  options: WaitOptions,
): Promise<StoredCreation | null> {
  return awaitEntry(
    kv,
    creationKey(brandId, id),
    () => readListed(reader(kv), brandId, id),
    (creation) => creation === null || isTerminal(creation),
    { ...options, brandId },
  );
}

/** A creation as it is stored and as the API shows it. */
export interface ShownCreation {
  stored: StoredCreation;
  shown: Creation;
}

/**
 * The creations by id, deleted ones included, without those that never were. Lists give the ids of all
 * their rows at once: a call to the store takes ten keys, so a call for each row would be many more.
 */
export async function readShown(
  service: Pick<Service, "kv" | "storage">,
  brandId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, ShownCreation>> {
  const { kv } = service;
  const known = [...new Set(ids)].filter((id) => isId("creation", id));
  const [stored, prompts] = await Promise.all([
    getEach<StoredCreation>(kv, known.map((id) => creationKey(brandId, id))),
    getEach<string>(kv, known.map((id) => promptKey(brandId, id))),
  ]);
  const shown = stored.map(async (creation, index) =>
    creation && {
      stored: creation,
      shown: await showCreation(service, creation, prompts[index] ?? ""),
    }
  );
  const found = (await Promise.all(shown)).filter((creation) => creation !== null);
  return new Map(found.map((creation) => [creation.stored.id, creation]));
}

/** The creations as the API shows them, in the order of `ids`, as `readShown` finds them. */
export async function readCreations(
  service: Pick<Service, "kv" | "storage">,
  brandId: string,
  ids: string[],
): Promise<Creation[]> {
  const found = await readShown(service, brandId, ids);
  return ids.flatMap((id) => found.get(id)?.shown ?? []);
}

/** A stored creation as the API shows it. */
export async function showCreation(
  { storage }: Pick<Service, "storage">,
  creation: StoredCreation,
  prompt: string,
): Promise<Creation> {
  const address = (key: string | null) => key === null ? null : storage.url(key);
  return {
    id: creation.id,
    status: creation.status,
    aspectRatio: creation.aspectRatio,
    idea: creation.idea,
    prompt,
    model: creation.model ?? null,
    overlay: creation.overlay,
    url: await address(creation.finalKey),
    rawUrl: await address(creation.rawKey),
    error: creation.error,
    creditCost: creation.creditCost,
    castMemberId: creation.castMemberId,
    createdAt: creation.createdAt,
    completedAt: creation.completedAt,
  };
}

/** A creation with the values that are stored beside its record. */
export interface NewCreation {
  creation: StoredCreation;
  prompt: string;
  cast: CastSnapshot | null;
}

/** Adds new creations of the brand, all made at one instant, to `commit`. */
export async function insertCreations(
  commit: Commit,
  brandId: string,
  made: NewCreation[],
): Promise<void> {
  for (const { creation, prompt, cast } of made) {
    const { id } = creation;
    commit.set(creationKey(brandId, id), creation);
    commit.set(promptKey(brandId, id), prompt);
    if (cast !== null) commit.set(castKey(brandId, id), cast);
    commit.set(listedKey(brandId, id), null);
  }
  const [first] = made;
  if (first !== undefined) await countListed(commit, brandId, first.creation.id, made.length);
}

export function writeCreation(commit: Commit, creation: StoredCreation): void {
  commit.set(creationKey(creation.brandId, creation.id), creation);
}

/**
 * Deletes a creation in `commit`: it leaves the list. Its record and files stay, because a slot may
 * still show it.
 */
export async function removeCreation(
  commit: Commit,
  creation: StoredCreation,
  at: number,
): Promise<void> {
  const { id, brandId } = creation;
  creations.remove(commit, brandId, creation, at);
  commit.delete(listedKey(brandId, id));
  await countListed(commit, brandId, id, -1);
}

/** Ids on one page of the brand's listed creations, newest first, and the number of all. */
export async function listPage(
  kv: Deno.Kv,
  brandId: string,
  page: number,
  perPage: number,
): Promise<{ ids: string[]; total: number }> {
  const days: { day: string; count: number }[] = [];
  const counts = kv.list<number>({ prefix: ["creationDay", brandId] }, { reverse: true });
  for await (const { key, value } of counts) days.push({ day: String(key[2]), count: value });
  const total = days.reduce((sum, { count }) => sum + count, 0);

  let skip = (page - 1) * perPage;
  const newest = days.find(({ count }) => {
    if (skip < count) return true;
    skip -= count;
    return false;
  });
  if (newest === undefined) return { ids: [], total };
  const ids: string[] = [];
  const listed = kv.list(
    { prefix: ["creationListed", brandId], end: listedKey(brandId, endOfDay(newest.day)) },
    { reverse: true, limit: skip + perPage },
  );
  for await (const { key } of listed) if (skip-- <= 0) ids.push(String(key[2]));
  return { ids, total };
}

/** An id greater than those of all creations made on `day` or earlier. */
function endOfDay(day: string): string {
  return idsFrom("creation", Date.parse(day) + DAY);
}

async function countListed(commit: Commit, brandId: string, id: string, by: number) {
  const key = dayKey(brandId, createdDay(id));
  const count = (await commit.get<number>(key) ?? 0) + by;
  if (count > 0) commit.set(key, count);
  else commit.delete(key);
}
