/** A brand's open uploads: links whose bytes may be in the store and belong to no asset yet. */
import { iso } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import type { Commit } from "../../kv/transact.ts";

/** Of at most 10 MB each, so 200 MB in all (DECISIONS "Bounds"). */
const MOST = 20;

interface OpenUpload {
  /** Storage key of the uploaded bytes. */
  key: string;
  /** Instant, ms, at which the bytes are deleted unless the upload was confirmed. */
  endsAt: number;
}

const openKey = (brandId: string): Deno.KvKey => ["openUploads", brandId];
const closedLinkKey = (key: string): Deno.KvKey => ["closedUpload", key];

/** Counts one more open upload in `commit`. @throws ServiceError `validationError` at the limit */
export async function addOpen(
  commit: Commit,
  brandId: string,
  upload: OpenUpload,
  at: number,
): Promise<void> {
  const open = (await readOpen(commit, brandId)).filter(({ endsAt }) => endsAt > at);
  if (open.length >= MOST) {
    const nextEnd = Math.min(...open.map(({ endsAt }) => endsAt));
    throw new ServiceError(
      "validationError",
      `A brand may have at most ${MOST} open uploads. Confirm one first; the next that is not ` +
        `confirmed ends at ${iso(nextEnd)}.`,
    );
  }
  commit.set(openKey(brandId), [...open, upload]);
}

/** Stops counting an upload as open. */
export async function removeOpen(commit: Commit, brandId: string, key: string): Promise<void> {
  const open = await readOpen(commit, brandId);
  commit.set(openKey(brandId), open.filter((upload) => upload.key !== key));
}

/** Makes the link with this storage key take no further PUT. `expireIn`: ms that it is still valid. */
export function closeLink(commit: Commit, key: string, expireIn: number): void {
  commit.set(closedLinkKey(key), true, { expireIn });
}

export async function isLinkClosed(kv: Deno.Kv, key: string): Promise<boolean> {
  return (await kv.get(closedLinkKey(key))).value !== null;
}

async function readOpen(commit: Commit, brandId: string): Promise<OpenUpload[]> {
  return await commit.get<OpenUpload[]>(openKey(brandId)) ?? [];
}
