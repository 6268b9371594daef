/** Makes assets of bytes: fetched from an address, or uploaded by the client and then confirmed. */
import { DAY, MINUTE } from "../../foundation/calendar.ts";
import { invalid, ServiceError } from "../../foundation/errors.ts";
import { MAX_IMAGE_BYTES } from "../../media/images/ingest.ts";
import { takeIn } from "../../media/images/intake.ts";
import { requireType } from "../../media/images/sniff.ts";
import { inDownloadTurn } from "../../media/net/download.ts";
import { audit } from "../../kv/audit.ts";
import { reader, transact } from "../../kv/transact.ts";
import type { Service } from "../../service/service.ts";
import { keepFiles, reserveFiles } from "../../media/storage/reservations.ts";
import { newFileKey } from "../../media/storage/storage.ts";
import { storeFile } from "../../media/storage/store_file.ts";
import type { FileType } from "../../media/images/types.ts";
import { addOpen, closeLink, removeOpen } from "./open_uploads.ts";
import type { AssetKind, StoredAsset } from "./shape.ts";
import { requireRoomFor, shelve } from "./shelf.ts";

/** How long an upload link is valid (DECISIONS "Assets"). */
const LINK_LIVES_MS = 15 * MINUTE;
/** How long after that an upload may be confirmed. */
const CONFIRM_MS = 30 * MINUTE;
/** When unconfirmed files are deleted: after any request that may still work on them. */
const SWEEP_AFTER_MS = CONFIRM_MS + 10 * MINUTE;
/** A confirmed upload is remembered this long, so that confirming it again gets a clear refusal. */
const REMEMBER_MS = 30 * DAY;

export interface AssetDetails {
  kind: AssetKind;
  name: string;
  isPrimary: boolean;
}

export interface NewUpload extends AssetDetails {
  contentType: FileType;
  size: number;
}

/** An upload as stored under its key. */
export interface Upload extends NewUpload {
  /** Storage key of the image once it is confirmed, and the address that the client was given. */
  mediaKey: string;
  url: string;
  expiresAt: number;
  reservationId: string;
  /** Null until the upload is confirmed. */
  assetId: string | null;
  /** Whether its bytes were refused and deleted. Absent: no. */
  refused?: true;
}

export interface StartedUpload {
  uploadUrl: string;
  url: string;
  key: string;
}

const uploadRecordKey = (brandId: string, key: string) => ["upload", brandId, key];

/** Adds the image at a public address. */
export async function addFromAddress(
  service: Service,
  brandId: string,
  details: AssetDetails,
  sourceUrl: string,
): Promise<StoredAsset> {
  await requireRoomFor(reader(service.kv), brandId);
  const image = await inDownloadTurn(brandId, async () => {
    const limits = { maxBytes: MAX_IMAGE_BYTES, field: "sourceUrl", counted: true };
    const bytes = await service.fetchPublic(sourceUrl, limits);
    return await takeIn(brandId, () => Promise.resolve(bytes));
  });
  return await keepImage(service, brandId, details, image);
}

/** Adds an image that came with the request itself. */
export async function addFromBytes(
  service: Service,
  brandId: string,
  details: AssetDetails,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<StoredAsset> {
  await requireRoomFor(reader(service.kv), brandId);
  const image = await takeIn(brandId, () => Promise.resolve(bytes));
  return await keepImage(service, brandId, details, image);
}

async function keepImage(
  service: Service,
  brandId: string,
  details: AssetDetails,
  image: Awaited<ReturnType<typeof takeIn>>,
): Promise<StoredAsset> {
  const { kv } = service;
  const { key, keep } = await storeFile(service, brandId, image);
  return await transact(kv, async (commit) => {
    await keep(commit);
    return await shelve(service, commit, brandId, { ...details, key, image });
  });
}

/** The uploads of a brand that are remembered, with their keys. */
export async function uploadsOf(
  kv: Deno.Kv,
  brandId: string,
): Promise<{ key: Deno.KvKey; upload: Upload }[]> {
  const found = await Array.fromAsync(kv.list<Upload>({ prefix: ["upload", brandId] }));
  return found.map(({ key, value }) => ({ key, upload: value }));
}

/** Returns a link for one PUT, and the key and address with which the upload is confirmed. */
export async function beginUpload(
  service: Service,
  brandId: string,
  input: NewUpload,
): Promise<StartedUpload> {
  const { kv, now, storage } = service;
  await requireRoomFor(reader(kv), brandId);
  const key = newFileKey("uploads", input.contentType);
  const mediaKey = newFileKey("media", input.contentType);
  const expiresAt = now() + LINK_LIVES_MS;
  const url = await storage.url(mediaKey);
  const { contentType, size } = input;
  const uploadUrl = await storage.uploadUrl({ key, contentType, size, expiresAt });
  const sweepAt = expiresAt + SWEEP_AFTER_MS;
  await transact(kv, async (commit) => {
    await addOpen(commit, brandId, { key, endsAt: sweepAt }, now());
    const keys = [key, mediaKey];
    const reservationId = await reserveFiles(service, commit, { brandId, keys, sweepAt });
    const upload: Upload = { ...input, mediaKey, url, expiresAt, reservationId, assetId: null };
    commit.set(uploadRecordKey(brandId, key), upload, { expireIn: DAY });
    // Without the folder: a whole key would count as the name of a file that must exist.
    const subject = key.slice(key.indexOf("/") + 1);
    audit(commit, service, { action: "upload.started", of: brandId, subject });
  });
  return { uploadUrl, url, key };
}

/** Makes an upload an asset, once. Of two confirmations at the same time one gets `conflict`. */
export async function confirmUpload(
  service: Service,
  brandId: string,
  key: string,
  url: string,
  isPrimary: boolean | undefined,
): Promise<StoredAsset> {
  const { kv, now, storage } = service;
  const upload = (await kv.get<Upload>(uploadRecordKey(brandId, key))).value;
  if (upload === null) throw invalid("key", "is not the key of an upload of this brand");
  if (upload.url !== url) throw invalid("url", "must be the address returned with this key");
  requireOpen(upload, now());
  if (isPrimary && upload.kind !== "logo") throw onlyLogos();
  await requireRoomFor(reader(kv), brandId);
  const image = await takeIn(brandId, () => uploadedBytes(service, key, upload))
    .catch(async (error) => {
      if (isRefusal(error)) await discard(service, brandId, key);
      throw error;
    });
  await storage.put(upload.mediaKey, image);
  return await transact(kv, async (commit) => {
    const stored = await commit.get<Upload>(uploadRecordKey(brandId, key));
    if (stored === null) throw invalid("key", "is not the key of an upload of this brand");
    requireOpen(stored, now());
    await keepFiles(commit, brandId, stored.reservationId, [stored.mediaKey]);
    await removeOpen(commit, brandId, key);
    const asset = await shelve(service, commit, brandId, {
      kind: stored.kind,
      name: stored.name,
      isPrimary: isPrimary ?? stored.isPrimary,
      key: stored.mediaKey,
      image,
    });
    const confirmed: Upload = { ...stored, assetId: asset.id };
    commit.set(uploadRecordKey(brandId, key), confirmed, { expireIn: REMEMBER_MS });
    return asset;
  });
}

/** The refusal of `isPrimary` for assets that are not logos. */
export function onlyLogos(): ServiceError {
  return invalid("isPrimary", "only a logo can be primary");
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "validationError";
}

/** Deletes the refused bytes of an upload, and stops counting it as open. */
async function discard(service: Service, brandId: string, key: string): Promise<void> {
  const { kv, storage } = service;
  await transact(kv, async (commit) => {
    const stored = await commit.get<Upload>(uploadRecordKey(brandId, key));
    if (stored === null || stored.assetId !== null) return;
    commit.set(uploadRecordKey(brandId, key), { ...stored, refused: true } satisfies Upload, {
      expireIn: DAY,
    });
    closeLink(commit, key, LINK_LIVES_MS);
    // A bucket's link takes another PUT until it expires, so the upload counts until it is swept.
    if (storage.local !== null) await removeOpen(commit, brandId, key);
  });
  // What fails here was logged, and the sweep deletes the file.
  await storage.delete(key).catch(() => {});
}

function requireOpen({ assetId, refused, expiresAt }: Upload, at: number): void {
  if (assetId !== null) throw new ServiceError("conflict", "This upload is confirmed already.");
  if (refused) {
    throw new ServiceError("conflict", "This upload's file was refused. Start another upload.");
  }
  if (at <= expiresAt + CONFIRM_MS) return;
  throw new ServiceError("conflict", "This upload has expired. Start another one.");
}

/** The uploaded bytes. @throws ServiceError if they are missing or not what the link was made for */
async function uploadedBytes({ storage }: Service, key: string, upload: Upload) {
  const head = await storage.head(key);
  if (head !== null && head.size !== upload.size) {
    throw invalid("size", `${head.size} bytes were uploaded instead of ${upload.size}`);
  }
  const file = head === null ? null : await storage.get(key);
  if (file === null) {
    throw new ServiceError(
      "conflict",
      "Nothing is uploaded yet. PUT the bytes to uploadUrl first.",
    );
  }
  requireType(file.bytes, upload.contentType);
  return file.bytes;
}
