/** Records of a brand that are deleted softly: a deleted record stays in the store, but nobody finds it. */
import { iso } from "../foundation/calendar.ts";
import { notFound, ServiceError } from "../foundation/errors.ts";
import { type IdKind, isId } from "../foundation/ids.ts";
import type { Commit, Reader } from "./transact.ts";

export interface LiveKind<T> {
  id: IdKind;
  /** For refusals: "No creation with that id in this brand." */
  noun: string;
  key(brandId: string, id: string): Deno.KvKey;
  /** Where deleted records move, so that lists don't read them. Absent: they keep their key. */
  deletedKey?(brandId: string, id: string): Deno.KvKey;
  /** The field that is null while the record is live, and the instant of deletion afterwards. */
  deletedAt: keyof T;
}

export interface LiveRecords<T> {
  /** The record, or null if there is none or it was deleted. */
  read(from: Reader, brandId: string, id: string): Promise<T | null>;
  /** The record. @throws ServiceError `notFound` if there is none or it was deleted */
  require(from: Reader, brandId: string, id: string): Promise<T>;
  /** Deletes a record in `commit`, at the instant `at`. */
  remove(commit: Commit, brandId: string, record: T, at: number): void;
}

export function liveRecords<T extends { id: string }>(kind: LiveKind<T>): LiveRecords<T> {
  const { id: idKind, noun, key, deletedKey, deletedAt } = kind;
  async function read(from: Reader, brandId: string, id: string): Promise<T | null> {
    const record = isId(idKind, id) ? await from.get<T>(key(brandId, id)) : null;
    return record === null || record[deletedAt] !== null ? null : record;
  }
  return {
    read,
    async require(from, brandId, id) {
      const record = await read(from, brandId, id);
      if (record === null) throw notFound(noun);
      return record;
    },
    remove(commit, brandId, record, at) {
      if (deletedKey !== undefined) commit.delete(key(brandId, record.id));
      const kept = (deletedKey ?? key)(brandId, record.id);
      commit.set(kept, { ...record, [deletedAt]: iso(at) });
    },
  };
}

/** How many live records of a kind a brand may have. */
export interface Limit {
  most: number;
  /** For the refusal: "series", "cast members". */
  plural: string;
}

/** @throws ServiceError `validationError` if a brand with `live` records may not add another */
export function requireRoom({ most, plural }: Limit, live: number): void {
  if (live < most) return;
  throw new ServiceError(
    "validationError",
    `A brand may have at most ${most.toLocaleString("en-US")} ${plural}. Delete one first.`,
  );
}

/** Counts one more live record under `key`. @throws ServiceError `validationError` at the limit */
export async function countAdded(commit: Commit, key: Deno.KvKey, limit: Limit): Promise<void> {
  const live = await commit.get<number>(key) ?? 0;
  requireRoom(limit, live);
  commit.set(key, live + 1);
}

/** Counts one live record less under `key`. */
export async function countRemoved(commit: Commit, key: Deno.KvKey): Promise<void> {
  commit.set(key, (await commit.get<number>(key) ?? 1) - 1);
}
