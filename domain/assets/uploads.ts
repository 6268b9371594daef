/** Bytes → assets: fetched from an address, or uploaded by the client and confirmed. */
import { DAY, HOUR, MINUTE } from "../calendar.ts";
import { invalid, ServiceError } from "../errors.ts";
import { ingestImage, MAX_IMAGE_BYTES } from "../images/ingest.ts";
import { sniffType } from "../images/sniff.ts";
import { transact } from "../kv.ts";
import type { Service } from "../service.ts";
import { keepFiles, reserveFiles } from "../storage/reservations.ts";
import { type FileType, newFileKey } from "../storage/storage.ts";
import type { AssetKind, StoredAsset } from "./shape.ts";
import { requireRoomFor, shelve } from "./shelf.ts";

/** How long an upload link takes its PUT (DECISIONS "Assets"). */
export const LINK_LIVES_MS = 15 * MINUTE;
/** How long after that an upload may be confirmed. */
const CONFIRM_MS = 30 * MINUTE;
/** Later than any request that is still at work on a file. */
const SWEEP_AFTER_MS = HOUR;
/** Confirmed uploads are remembered so long, to say that they were. */
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
interface Upload extends NewUpload {
  /** Where the picture will lie once confirmed, and the address that was told for it. */
  mediaKey: string;
  url: string;
  expiresAt: number;
  reservationId: string;
  /** The asset it became. */
  assetId: string | null;
}

export interface StartedUpload {
  uploadUrl: string;
  url: string;
  key: string;
}

const uploadRecordKey = (brandId: string, key: string) => ["upload", brandId, key];

/** Fetches the image at a public address. */
export async function addFromAddress(
  service: Service,
  brandId: string,
  details: AssetDetails,
  sourceUrl: string,
): Promise<StoredAsset> {
  const { kv, now, storage } = service;
  await requireRoomFor(kv, brandId);
  const image = await ingestImage(
    await service.fetchPublic(sourceUrl, { maxBytes: MAX_IMAGE_BYTES, field: "sourceUrl" }),
  );
  const key = newFileKey("media", image.contentType);
  const sweepAt = now() + SWEEP_AFTER_MS;
  const reservationId = await transact(
    kv,
    (commit) => reserveFiles(service, commit, { brandId, keys: [key], sweepAt }),
  );
  await storage.put(key, image);
  return await transact(kv, async (commit) => {
    await keepFiles(commit, brandId, reservationId, [key]);
    return await shelve(now(), commit, brandId, { ...details, key, image });
  });
}

/** Hands out a link for one PUT, and the key and address with which it is confirmed. */
export async function beginUpload(
  service: Service,
  brandId: string,
  input: NewUpload,
): Promise<StartedUpload> {
  const { kv, now, storage } = service;
  await requireRoomFor(kv, brandId);
  const key = newFileKey("uploads", input.contentType);
  const mediaKey = newFileKey("media", input.contentType);
  const expiresAt = now() + LINK_LIVES_MS;
  const url = await storage.url(mediaKey);
  const { contentType, size } = input;
  const uploadUrl = await storage.uploadUrl({ key, contentType, size, expiresAt });
  await transact(kv, async (commit) => {
    const reservationId = await reserveFiles(service, commit, {
      brandId,
      keys: [key, mediaKey],
      sweepAt: expiresAt + SWEEP_AFTER_MS,
    });
    const upload: Upload = { ...input, mediaKey, url, expiresAt, reservationId, assetId: null };
    commit.set(uploadRecordKey(brandId, key), upload, { expireIn: DAY });
  });
  return { uploadUrl, url, key };
}

/** Makes the asset of an upload, once: of two at the same time one gets `conflict`. */
export async function confirmUpload(
  service: Service,
  brandId: string,
  key: string,
  url: string,
  isPrimary: boolean | undefined,
): Promise<StoredAsset> {
  const { kv, now, storage } = service;
  const upload = (await kv.get<Upload>(uploadRecordKey(brandId, key))).value;
  if (upload === null) throw invalid("key", "names no upload of this brand");
  if (upload.url !== url) throw invalid("url", "must be the address returned with this key");
  requireOpen(upload, now());
  if (isPrimary && upload.kind !== "logo") throw onlyLogos();
  await requireRoomFor(kv, brandId);
  const image = await ingestImage(await uploadedBytes(service, key, upload));
  await storage.put(upload.mediaKey, image);
  return await transact(kv, async (commit) => {
    const stored = await commit.get<Upload>(uploadRecordKey(brandId, key));
    if (stored === null) throw invalid("key", "names no upload of this brand");
    requireOpen(stored, now());
    await keepFiles(commit, brandId, stored.reservationId, [stored.mediaKey]);
    const asset = await shelve(now(), commit, brandId, {
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

/** The refusal of `isPrimary` for anything but a logo. */
export function onlyLogos(): ServiceError {
  return invalid("isPrimary", "only a logo can be primary");
}

function requireOpen({ assetId, expiresAt }: Upload, at: number): void {
  if (assetId !== null) throw new ServiceError("conflict", "This upload was confirmed before.");
  if (at <= expiresAt + CONFIRM_MS) return;
  throw new ServiceError("conflict", "This upload has expired; start another.");
}

/** What was uploaded, if it is what the link was made for. */
async function uploadedBytes({ storage }: Service, key: string, upload: Upload) {
  const head = await storage.head(key);
  if (head !== null && head.size !== upload.size) {
    throw invalid("size", `${head.size} bytes were uploaded instead of ${upload.size}`);
  }
  const file = head === null ? null : await storage.get(key);
  if (file === null) {
    throw new ServiceError("conflict", "Nothing was uploaded yet: PUT the bytes to uploadUrl.");
  }
  const type = sniffType(file.bytes);
  if (type !== null && type !== upload.contentType) {
    throw invalid("contentType", `the uploaded bytes are ${type}, not ${upload.contentType}`);
  }
  return file.bytes;
}
