/** Turns painted bytes into stored files: cropped, marked as generated, with the overlay on top. */
import { primaryLogo } from "./assets/shape.ts";
import { SIZES } from "../media/images/aspect.ts";
import { DAY } from "../foundation/calendar.ts";
import { cropTo } from "../media/images/crop.ts";
import { markGenerated, sourceTypeOf } from "../media/images/mark.ts";
import { readKit } from "../brands/kit.ts";
import { type Commit, reader } from "../kv/transact.ts";
import { ModelError, type PaintedImage } from "../models/model.ts";
import type { Service } from "../service/service.ts";
import { reserveFiles } from "../media/storage/reservations.ts";
import { StorageError } from "../media/storage/storage.ts";
import { storeFile } from "../media/storage/store_file.ts";
import type { Look, Overlay } from "../media/overlays/shape.ts";
import type { StoredCreation } from "./shape.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const contentType = "image/jpeg";
/** A replaced image stays this long, because clients may just have received its address. */
const REPLACED_MS = DAY;
const MISSING = "The image store does not have this creation's raw image. Try again shortly. If " +
  "that fails, too, post a new creation.";

/** Files that are stored, but deleted again unless a commit keeps them. */
export interface Rendered {
  finalKey: string;
  keep(commit: Commit): Promise<void>;
}

/** Crops a painted image to the creation's size and stores it, plain and with its overlay. */
export async function storeFiles(
  service: Service,
  creation: StoredCreation,
  painted: PaintedImage,
): Promise<Rendered & { rawKey: string }> {
  const { brandId, overlay } = creation;
  const bytes = await rawImage(creation, painted);
  if (overlay === null) {
    const { key, keep } = await storeFile(service, brandId, { bytes, contentType });
    return { rawKey: key, finalKey: key, keep };
  }
  const [raw, final] = await Promise.all([
    storeFile(service, brandId, { bytes, contentType }),
    storeFinal(service, creation, overlay, bytes),
  ]);
  return {
    rawKey: raw.key,
    finalKey: final.key,
    async keep(commit) {
      await raw.keep(commit);
      await final.keep(commit);
    },
  };
}

async function rawImage(
  { aspectRatio }: StoredCreation,
  { bytes, exact }: PaintedImage,
): Promise<Bytes> {
  if (exact === true) return markGenerated(bytes);
  try {
    return markGenerated(await cropTo(bytes, SIZES[aspectRatio]), sourceTypeOf(bytes));
  } catch (cause) {
    throw new ModelError("The image model returned an image that can't be read.", {
      transient: true,
      tries: 2,
      cause,
    });
  }
}

/**
 * Renders a complete creation's overlay over its stored raw image.
 * @throws StorageError if the image store does not return the raw image
 */
export async function rerender(service: Service, creation: StoredCreation): Promise<Rendered> {
  const { id, rawKey, overlay } = creation;
  if (rawKey === null) throw new StorageError(undefined, MISSING);
  if (overlay === null) return { finalKey: rawKey, keep: () => Promise.resolve() };
  const raw = await service.storage.get(rawKey);
  if (raw === null) {
    service.log.error("storage.missing", { key: rawKey, creation: id });
    throw new StorageError(undefined, MISSING);
  }
  const { key, keep } = await storeFinal(service, creation, overlay, raw.bytes);
  return { finalKey: key, keep };
}

/** Schedules the final image for deletion, because `commit` replaces it. */
export async function dropFinal(
  service: Service,
  commit: Commit,
  { brandId, rawKey, finalKey }: StoredCreation,
): Promise<void> {
  if (finalKey === null || finalKey === rawKey) return;
  const sweepAt = service.now() + REPLACED_MS;
  await reserveFiles(service, commit, { brandId, keys: [finalKey], sweepAt });
}

/** What the brand kit says about the look of overlays. */
export async function lookOf({ kv }: Pick<Service, "kv">, brandId: string): Promise<Look> {
  const { colors, headingFont, bodyFont, language } = await readKit(reader(kv), brandId);
  return { colors, headingFont, bodyFont, language };
}

/** The bytes of the primary logo; null if there is none, or the store does not have them. */
export async function logoOf(
  { kv, storage }: Pick<Service, "kv" | "storage">,
  brandId: string,
): Promise<Bytes | null> {
  const asset = await primaryLogo(kv, brandId);
  const file = asset === null ? null : await storage.get(asset.key);
  return file?.bytes ?? null;
}

/** Prints the overlay on the raw image and stores the result. */
async function storeFinal(
  service: Service,
  { brandId, aspectRatio }: StoredCreation,
  overlay: Overlay,
  image: Bytes,
) {
  const [look, logo, { renderOverlay }] = await Promise.all([
    lookOf(service, brandId),
    overlay.showLogo === true ? logoOf(service, brandId) : null,
    import("../media/overlays/render.ts"),
  ]);
  const bytes = await renderOverlay({ image, overlay, logo, aspectRatio, look });
  return await storeFile(service, brandId, { bytes, contentType });
}
