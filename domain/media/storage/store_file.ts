/** Stores files that a later commit takes over. A crash in between leaves no file without an owner. */
import { HOUR, type Now } from "../../foundation/calendar.ts";
import type { Jobs } from "../../kv/jobs/jobs.ts";
import { type Commit, transact } from "../../kv/transact.ts";
import type { FileType } from "../images/types.ts";
import { keepFiles, reserveFiles } from "./reservations.ts";
import { newFileKey, type Storage } from "./storage.ts";

/** Longer than any request or job works on a file. */
const KEPT_MS = HOUR;

export interface FileKeeper {
  readonly kv: Deno.Kv;
  readonly now: Now;
  readonly jobs: Jobs;
  readonly storage: Storage;
}

export interface StoredTemporarily {
  key: string;
  /** Keeps the file in the commit that gives it an owner. */
  keep(commit: Commit): Promise<void>;
}

/**
 * Stores a file under a new key. It is deleted after an hour unless a commit keeps it.
 * @throws StorageError
 */
export async function storeFile(
  { kv, now, jobs, storage }: FileKeeper,
  brandId: string,
  { bytes, contentType }: { bytes: Uint8Array<ArrayBuffer>; contentType: FileType },
): Promise<StoredTemporarily> {
  const key = newFileKey("media", contentType);
  const sweepAt = now() + KEPT_MS;
  const reservation = await transact(
    kv,
    (commit) => reserveFiles({ jobs }, commit, { brandId, keys: [key], sweepAt }),
  );
  await storage.put(key, { bytes, contentType });
  return { key, keep: (commit) => keepFiles(commit, brandId, reservation, [key]) };
}
