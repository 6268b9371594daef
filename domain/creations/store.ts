/**
 * Where creations lie: a record, its prompt and cast snapshot beside it (together they may exceed a
 * value's 64 KiB), a pointer while it is listed, and the number listed a UTC day, so that totals
 * and deep pages cost days, not creations.
 */
import { DAY, dayOf } from "../calendar.ts";
import { notFound } from "../errors.ts";
import { idsFrom, instantOf, isId } from "../ids.ts";
import { type Commit, getEach } from "../kv.ts";
import type { Service } from "../service.ts";
import type { CastSnapshot, Creation, StoredCreation } from "./shape.ts";

export const creationKey = (brandId: string, id: string): Deno.KvKey => ["creation", brandId, id];
const promptKey = (brandId: string, id: string): Deno.KvKey => ["creationPrompt", brandId, id];
const castKey = (brandId: string, id: string): Deno.KvKey => ["creationCast", brandId, id];
const listedKey = (brandId: string, id: string): Deno.KvKey => ["creationListed", brandId, id];
const dayKey = (brandId: string, day: string): Deno.KvKey => ["creationDay", brandId, day];

const createdDay = (id: string) => dayOf(instantOf(id));

/** The creation, deleted ones too, or null. */
export async function readCreation(
  kv: Deno.Kv,
  brandId: string,
  id: string,
): Promise<StoredCreation | null> {
  if (!isId("creation", id)) return null;
  return (await kv.get<StoredCreation>(creationKey(brandId, id))).value;
}

/** The creation unless it was deleted. */
export async function readListed(
  kv: Deno.Kv,
  brandId: string,
  id: string,
): Promise<StoredCreation | null> {
  const creation = await readCreation(kv, brandId, id);
  return creation === null || creation.deletedAt !== null ? null : creation;
}

/**
 * The creation as a read of `commit`.
 * @throws ServiceError `notFound`, also when it was deleted
 */
export async function requireCreation(
  commit: Commit,
  brandId: string,
  id: string,
): Promise<StoredCreation> {
  const creation = isId("creation", id)
    ? await commit.get<StoredCreation>(creationKey(brandId, id))
    : null;
  if (creation === null || creation.deletedAt !== null) throw notFound("creation");
  return creation;
}

export async function readPrompt(kv: Deno.Kv, brandId: string, id: string): Promise<string> {
  return (await kv.get<string>(promptKey(brandId, id))).value ?? "";
}

export async function readCast(
  kv: Deno.Kv,
  brandId: string,
  id: string,
): Promise<CastSnapshot | null> {
  return (await kv.get<CastSnapshot>(castKey(brandId, id))).value;
}

/** The creations as the wire shows them, in the order of `ids`; deleted ones too. */
export async function readCreations(
  service: Pick<Service, "kv" | "storage">,
  brandId: string,
  ids: string[],
): Promise<Creation[]> {
  const { kv } = service;
  const known = ids.filter((id) => isId("creation", id));
  const [creations, prompts] = await Promise.all([
    getEach<StoredCreation>(kv, known.map((id) => creationKey(brandId, id))),
    getEach<string>(kv, known.map((id) => promptKey(brandId, id))),
  ]);
  const shown = creations.map((creation, at) =>
    creation === null ? null : showCreation(service, creation, prompts[at] ?? "")
  );
  return (await Promise.all(shown)).filter((creation) => creation !== null);
}

/** A stored creation as the wire shows it. */
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

/** A creation with what lies beside its record. */
export interface NewCreation {
  creation: StoredCreation;
  prompt: string;
  cast: CastSnapshot | null;
}

/** Adds the brand's new creations, all of one instant, to `commit`. */
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

/** Takes a creation out of the list; what refers to it still finds it, and its files stay. */
export async function unlistCreation(commit: Commit, creation: StoredCreation): Promise<void> {
  const { id, brandId } = creation;
  commit.delete(listedKey(brandId, id));
  await countListed(commit, brandId, id, -1);
}

/** One page of the brand's listed creations, newest first, and how many there are in all. */
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
  let from = 0;
  while (from < days.length && skip >= days[from]!.count) skip -= days[from++]!.count;
  if (from === days.length) return { ids: [], total };
  const newest = days[from]!.day;
  const ids: string[] = [];
  const listed = kv.list(
    { prefix: ["creationListed", brandId], end: listedKey(brandId, endOfDay(newest)) },
    { reverse: true, limit: skip + perPage },
  );
  for await (const { key } of listed) if (skip-- <= 0) ids.push(String(key[2]));
  return { ids, total };
}

/** The smallest id that no creation of `day` or before it can have. */
function endOfDay(day: string): string {
  return idsFrom("creation", Date.parse(day) + DAY);
}

async function countListed(commit: Commit, brandId: string, id: string, by: number) {
  const key = dayKey(brandId, createdDay(id));
  const count = (await commit.get<number>(key) ?? 0) + by;
  if (count > 0) commit.set(key, count);
  else commit.delete(key);
}
