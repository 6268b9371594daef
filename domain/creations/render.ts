/** From painted bytes to stored files: cropped, marked as generated, with the overlay on top. */
import { primaryLogo } from "../assets/shape.ts";
import { SIZES } from "../aspect.ts";
import { DAY, HOUR } from "../calendar.ts";
import { cropTo } from "../images/crop.ts";
import { markGenerated, sourceTypeOf } from "../images/mark.ts";
import { type Commit, transact } from "../kv.ts";
import { ModelError, type PaintedImage } from "../models/model.ts";
import type { Service } from "../service.ts";
import { keepFiles, reserveFiles } from "../storage/reservations.ts";
import { newFileKey, StorageError } from "../storage/storage.ts";
import type { StoredCreation } from "./shape.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const TYPE = "image/jpeg";
/** Nobody paints or renders this long. */
const RESERVED_MS = HOUR;
/** How long a replaced image stays for those who were just given its address. */
const REPLACED_MS = DAY;
const MISSING = "The image store does not have this creation's raw image. Try again shortly; if " +
  "it stays away, post a new creation.";

/** Files that are stored but owned by nobody until the commit that keeps them. */
export interface Rendered {
  finalKey: string;
  keep(commit: Commit): Promise<void>;
}

/** Crops what was painted to the creation's size and stores it, plain and with its overlay. */
export async function storeFiles(
  service: Service,
  creation: StoredCreation,
  painted: PaintedImage,
): Promise<Rendered & { rawKey: string }> {
  const raw = await rawImage(creation, painted);
  if (creation.overlay === null) {
    const { keys: [rawKey], keep } = await store(service, creation, [raw]);
    return { rawKey: rawKey!, finalKey: rawKey!, keep };
  }
  const final = await withOverlay(service, creation, raw);
  const { keys: [rawKey, finalKey], keep } = await store(service, creation, [raw, final]);
  return { rawKey: rawKey!, finalKey: finalKey!, keep };
}

async function rawImage(
  { aspectRatio }: StoredCreation,
  { bytes, exact }: PaintedImage,
): Promise<Bytes> {
  if (exact === true) return markGenerated(bytes);
  try {
    return markGenerated(await cropTo(bytes, SIZES[aspectRatio]), sourceTypeOf(bytes));
  } catch (cause) {
    throw new ModelError("The image model answered with a picture that can't be read.", {
      transient: true,
      tries: 2,
      cause,
    });
  }
}

/**
 * Renders the creation's overlay over its stored raw image.
 * @throws StorageError when the image store does not hand it out
 */
export async function rerender(service: Service, creation: StoredCreation): Promise<Rendered> {
  const rawKey = creation.rawKey!;
  if (creation.overlay === null) return { finalKey: rawKey, keep: () => Promise.resolve() };
  const raw = await service.storage.get(rawKey);
  if (raw === null) {
    service.log.error("storage.missing", { key: rawKey, creation: creation.id });
    throw new StorageError(undefined, MISSING);
  }
  const final = await withOverlay(service, creation, raw.bytes);
  const { keys: [finalKey], keep } = await store(service, creation, [final]);
  return { finalKey: finalKey!, keep };
}

/** Gives up the final image that another one replaces in `commit`. */
export async function dropFinal(
  service: Service,
  commit: Commit,
  { brandId, rawKey, finalKey }: StoredCreation,
): Promise<void> {
  if (finalKey === null || finalKey === rawKey) return;
  const sweepAt = service.now() + REPLACED_MS;
  await reserveFiles(service, commit, { brandId, keys: [finalKey], sweepAt });
}

async function store(service: Service, { brandId }: StoredCreation, files: Bytes[]) {
  const { kv, now, storage } = service;
  const keys = files.map(() => newFileKey("media", TYPE));
  const sweepAt = now() + RESERVED_MS;
  const reservation = await transact(
    kv,
    (commit) => reserveFiles(service, commit, { brandId, keys, sweepAt }),
  );
  await Promise.all(
    files.map((bytes, at) => storage.put(keys[at]!, { bytes, contentType: TYPE })),
  );
  return { keys, keep: (commit: Commit) => keepFiles(commit, brandId, reservation, keys) };
}

async function withOverlay(
  service: Service,
  creation: StoredCreation,
  image: Bytes,
): Promise<Bytes> {
  const { brandId, aspectRatio } = creation;
  const overlay = creation.overlay!;
  const asset = overlay.showLogo === true ? await primaryLogo(service.kv, brandId) : null;
  const file = asset === null ? null : await service.storage.get(asset.key);
  const { renderOverlay } = await import("../overlays/render.ts");
  return await renderOverlay({ image, overlay, logo: file?.bytes ?? null, aspectRatio });
}
