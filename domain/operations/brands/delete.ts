/** Deletes a brand for good: its keys refuse at once, then rows and files go in bounded commits. */
import { type Brand, brandKey, removeBrand } from "../../brands/brands.ts";
import { iso } from "../../foundation/calendar.ts";
import { noSuch } from "../../foundation/errors.ts";
import { isId } from "../../foundation/ids.ts";
import { audit } from "../../kv/audit.ts";
import { indexKeys } from "../../kv/jobs/indexes.ts";
import { listJobs, readJob, removeJob } from "../../kv/jobs/records.ts";
import { type Commit, transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { type BrandRow, brandRows } from "./rows.ts";

/** A deletion that has begun. It is kept until the last row is gone, so that it can be resumed. */
interface Deletion {
  startedAt: string;
  rows: number;
  files: number;
}

export interface DeletedBrand {
  id: string;
  /** Rows of the store and files of the image store that were deleted, by all runs together. */
  rows: number;
  files: number;
}

/** Rows that `removeBrand` deletes: the brand's record and its place among its account's brands. */
const ROWS_OF_BRAND = 2;
/** Rows deleted in one commit. */
const BATCH = 100;

const deletionKey = (brandId: string): Deno.KvKey => ["brandDeletion", brandId];

/**
 * Deletes the brand and everything it has. After an interruption, calling it again continues.
 * @throws ServiceError `notFound` if there is neither such a brand nor a deletion that has begun
 */
export async function deleteBrand(
  service: Pick<Service, "kv" | "now" | "storage" | "by">,
  id: string,
): Promise<DeletedBrand> {
  const { kv } = service;
  await transact(kv, (commit) => begin(commit, service, id));
  // Work that was under way may write until it notices, so this looks until nothing is left.
  while (await deleteJobs(kv, id) + await deleteRows(service, id) > 0);
  return await transact(kv, async (commit) => {
    const { rows, files } = await requireDeletion(commit, id);
    commit.delete(deletionKey(id));
    return { id, rows, files };
  });
}

/** The row goes into the account's trail, because the brand's own is deleted with it. */
async function begin(
  commit: Commit,
  service: Pick<Service, "now" | "by">,
  id: string,
): Promise<void> {
  if (!isId("brand", id)) throw noSuch("brand");
  const brand = await commit.get<Brand>(brandKey(id));
  if (brand === null) return void await requireDeletion(commit, id);
  await removeBrand(commit, brand);
  const deletion: Deletion = { startedAt: iso(service.now()), rows: ROWS_OF_BRAND, files: 0 };
  commit.set(deletionKey(id), deletion);
  audit(commit, service, { action: "brand.deleted", of: brand.accountId, subject: id });
}

/** Deletes the brand's jobs; returns how many. A worker that runs one has no more effect. */
async function deleteJobs(kv: Deno.Kv, id: string): Promise<number> {
  const jobs = (await listJobs(kv)).filter(({ brandId }) => brandId === id);
  for (const { id: jobId } of jobs) {
    await transact(kv, async (commit) => {
      const job = await readJob(commit, jobId);
      if (job === null) return;
      removeJob(commit, job);
      await count(commit, id, { rows: 1 + indexKeys(job).length, files: 0 });
    });
  }
  return jobs.length;
}

/** Deletes every row that is there now; returns how many. */
async function deleteRows(
  service: Pick<Service, "kv" | "storage">,
  id: string,
): Promise<number> {
  let deleted = 0;
  let batch: BrandRow[] = [];
  const flush = async () => {
    await deleteBatch(service, id, batch);
    deleted += batch.length;
    batch = [];
  };
  for await (const row of brandRows(service.kv, id)) {
    if (row.key[0] === deletionKey(id)[0]) continue;
    batch.push(row);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return deleted;
}

/** Files first: a row that is left after a crash still names them. */
async function deleteBatch(
  { kv, storage }: Pick<Service, "kv" | "storage">,
  id: string,
  batch: BrandRow[],
): Promise<void> {
  const files = [...new Set(batch.flatMap((row) => row.files))];
  let removed = 0;
  for (const file of files) {
    if (await storage.head(file) === null) continue;
    await storage.delete(file);
    removed++;
  }
  await transact(kv, async (commit) => {
    for (const { key } of batch) commit.delete(key);
    await count(commit, id, { rows: batch.length, files: removed });
  });
}

async function count(
  commit: Commit,
  id: string,
  { rows, files }: Pick<Deletion, "rows" | "files">,
): Promise<void> {
  const before = await requireDeletion(commit, id);
  const after = { ...before, rows: before.rows + rows, files: before.files + files };
  commit.set(deletionKey(id), after satisfies Deletion);
}

async function requireDeletion(commit: Commit, id: string): Promise<Deletion> {
  const deletion = await commit.get<Deletion>(deletionKey(id));
  if (deletion === null) throw noSuch("brand");
  return deletion;
}
