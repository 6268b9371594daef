/**
 * Reservations of files that no record owns yet. A file is reserved before it is written, and kept by
 * the commit that gives it an owner; otherwise it is deleted later. So a crash at any moment leaves no
 * file without an owner.
 */
import type { Jobs } from "../../kv/jobs/jobs.ts";
import { readJob, removeJob } from "../../kv/jobs/records.ts";
import { ServiceError } from "../../foundation/errors.ts";
import { type Commit, transact } from "../../kv/transact.ts";
import type { Storage } from "./storage.ts";

export interface Reservation {
  keys: string[];
  /** Whether the files are being deleted, so that none can be kept any more. */
  sweeping: boolean;
}

export interface NewReservation {
  brandId: string;
  /** Storage keys. */
  keys: string[];
  /** Instant, ms, at which files that were not kept are deleted. Nobody may work on them by then. */
  sweepAt: number;
}

const reservationKey = (brandId: string, id: string) => ["fileReservation", brandId, id];
const sweepId = (id: string) => `sweep_${id}`;

/** Reserves files in `commit`, before they are written. Returns the reservation's id. */
export async function reserveFiles(
  { jobs }: { jobs: Jobs },
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
 * Keeps files in the commit that writes their owner. Call it at most once for a reservation.
 * @throws ServiceError `conflict` if they are being deleted already
 */
export async function keepFiles(
  commit: Commit,
  brandId: string,
  id: string,
  kept: readonly string[],
): Promise<void> {
  const stored = await commit.get<Reservation>(reservationKey(brandId, id));
  if (stored === null || stored.sweeping || !kept.every((key) => stored.keys.includes(key))) {
    throw new ServiceError(
      "conflict",
      "The file was deleted, because this took too long. Start again.",
    );
  }
  const keys = stored.keys.filter((key) => !kept.includes(key));
  if (keys.length > 0) return commit.set(reservationKey(brandId, id), { ...stored, keys });
  commit.delete(reservationKey(brandId, id));
  const job = await readJob(commit, sweepId(id));
  if (job !== null) removeJob(commit, job);
}

/** Deletes the files that were not kept. `finish` ends the job in the last commit. */
export async function sweepFiles(
  { kv, storage }: { kv: Deno.Kv; storage: Storage },
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
