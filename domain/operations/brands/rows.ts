/**
 * Everything that the store has of a brand. Collections whose second key part is the brand's id are
 * found by looking, so a new one can't be forgotten; the few others are named here.
 */
import { APP_CODES } from "../../brands/apps/codes.ts";
import { apiKeyRows } from "../../brands/keys.ts";
import { memberRows } from "../../brands/members.ts";
import type { Upload } from "../../creations/assets/uploads.ts";
import type { StoredAsset } from "../../creations/assets/shape.ts";
import type { StoredCreation } from "../../creations/shape.ts";
import type { Reservation } from "../../media/storage/reservations.ts";
import type { AttemptRecord } from "../../platforms/attempts.ts";
import type { OwnPost } from "../../platforms/own_posts.ts";
import type { SavedRow } from "../../posts/index/saved.ts";
import { filesOfIndex } from "../../service/saved_indexes.ts";

export interface BrandRow {
  key: Deno.KvKey;
  /** Storage keys of the files that go with the row. */
  files: string[];
}

/** Collections found by an id of their own, whose values name the brand. */
const NAMING = ["signIn", "passStarted", APP_CODES];
const BATCH = 500;

/** Every row of the brand except its jobs. */
export async function* brandRows(kv: Deno.Kv, brandId: string): AsyncGenerator<BrandRow> {
  for (const key of await apiKeyRows(kv, brandId)) yield { key, files: [] };
  for (const key of await memberRows(kv, brandId)) yield { key, files: [] };
  for (const collection of NAMING) {
    const rows = kv.list<{ brandId: string }>({ prefix: [collection] }, { batchSize: BATCH });
    for await (const { key, value } of rows) {
      if (value.brandId === brandId) yield { key, files: [] };
    }
  }
  for await (const collection of collections(kv)) {
    // A prefix would leave out the key that has nothing after the brand's id.
    const range = { start: [collection, brandId], end: [collection, brandId, true] };
    for await (const entry of kv.list(range, { batchSize: BATCH })) {
      yield { key: entry.key, files: filesOf(entry) };
    }
  }
}

/** The first part of every key in the store, each once. */
async function* collections(kv: Deno.Kv): AsyncGenerator<string> {
  let start: Deno.KvKey = [""];
  for (;;) {
    const [first] = await Array.fromAsync(kv.list({ start, end: [true] }, { limit: 1 }));
    if (first === undefined) return;
    const collection = String(first.key[0]);
    yield collection;
    // `true` sorts after every other key part, so this is after the whole collection.
    start = [collection, true, true];
  }
}

/** By collection, the files that a row owns. */
const FILES: Record<string, (entry: Deno.KvEntry<unknown>) => (string | null)[]> = {
  asset: ofValue<StoredAsset>(({ key }) => [key]),
  retiredAsset: ofValue<StoredAsset>(({ key }) => [key]),
  upload: ({ key, value }) => [String(key[2]), (value as Upload).mediaKey],
  creation: ofValue<StoredCreation>(({ rawKey, finalKey }) => [rawKey, finalKey]),
  fileReservation: ofValue<Reservation>(({ keys }) => keys),
  publishAttempt: ofValue<AttemptRecord>(({ prepared }) => prepared ?? []),
  ownPost: ofValue<OwnPost>(({ keys }) => keys),
  savedIndex: ofValue<SavedRow>(({ saved }) => saved === null ? [] : filesOfIndex(saved)),
};

function ofValue<T>(pick: (value: T) => (string | null)[]) {
  return ({ value }: Deno.KvEntry<unknown>) => pick(value as T);
}

function filesOf(entry: Deno.KvEntry<unknown>): string[] {
  const files = FILES[String(entry.key[0])]?.(entry) ?? [];
  return files.filter((key) => key !== null);
}
