/**
 * Files that no record owns yet: reserved before they are written, kept in the commit that gives
 * them an owner, swept otherwise. So a crash at any moment leaves no file without an owner.
 */
import type { Job } from "../jobs.ts";
import { jobKey, writeJob } from "../jobs.ts";
import { ServiceError } from "../errors.ts";
import { type Commit, transact } from "../kv.ts";
import type { Service } from "../service.ts";

interface Reservation {
  keys: string[];
  /** Set while the files are being deleted: nothing can be kept any more. */
  sweeping: boolean;
}

export interface NewReservation {
  brandId: string;
  /** Where files may come to lie. */
  keys: string[];
  /** Instant, ms: late enough that nobody is still at work on the files. */
  sweepAt: number;
}

const reservationKey = (brandId: string, id: string) => ["fileReservation", brandId, id];
const sweepId = (id: string) => `sweep_${id}`;

/** Reserves files in `commit`, before they are written; answers the reservation's id. */
export async function reserveFiles(
  { jobs }: Pick<Service, "jobs">,
  commit: Commit,
  { brandId, keys, sweepAt }: NewReservation,
): Promise<string> {
  const id = crypto.randomUUID();
  commit.set(reservationKey(brandId, id), { keys, sweeping: false } satisfies Reservation);
  await jobs.add(commit, {
    id: sweepId(id),
    kind: "sweepFiles",
    brandId,
    subject: { reservationId: id },
    dueAt: sweepAt,
  });
  return id;
}

/**
 * Takes files out of the sweep in the commit of the record that owns them from now on; at most
 * once a commit.
 * @throws ServiceError `conflict` when the sweep was faster
 */
export async function keepFiles(
  commit: Commit,
  brandId: string,
  id: string,
  kept: readonly string[],
): Promise<void> {
  const stored = await commit.get<Reservation>(reservationKey(brandId, id));
  if (stored === null || stored.sweeping || !kept.every((key) => stored.keys.includes(key))) {
    throw new ServiceError("conflict", "The file was given up meanwhile; start again.");
  }
  const keys = stored.keys.filter((key) => !kept.includes(key));
  if (keys.length > 0) return commit.set(reservationKey(brandId, id), { ...stored, keys });
  commit.delete(reservationKey(brandId, id));
  const job = await commit.get<Job>(jobKey(sweepId(id)));
  if (job !== null) writeJob(commit, job, null);
}

/** Deletes what nobody kept. `finish` ends the job in the last commit. */
export async function sweepFiles(
  { kv, storage }: Pick<Service, "kv" | "storage">,
  brandId: string,
  id: string,
  finish: (commit: Commit) => Promise<void>,
): Promise<void> {
  const keys = await transact(kv, async (commit) => {
    const stored = await commit.get<Reservation>(reservationKey(brandId, id));
    if (stored === null) return [];
    commit.set(reservationKey(brandId, id), { ...stored, sweeping: true });
    return stored.keys;
  });
  for (const key of keys) await storage.delete(key);
  await transact(kv, async (commit) => {
    commit.delete(reservationKey(brandId, id));
    await finish(commit);
  });
}
