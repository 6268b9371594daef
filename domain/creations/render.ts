/** From painted bytes to stored files: cropped, marked as generated, with the overlay on top. */
import { primaryLogo } from "../assets/shape.ts";
import { SIZES } from "../aspect.ts";
import { cropTo } from "../images/crop.ts";
import { markGenerated, sourceTypeOf } from "../images/mark.ts";
import { renderOverlay } from "../overlays/render.ts";
import type { Service } from "../service.ts";
import { newFileKey } from "../storage/storage.ts";
import type { StoredCreation } from "./shape.ts";

type Doors = Pick<Service, "kv" | "storage" | "secrets">;
type Bytes = Uint8Array<ArrayBuffer>;

const TYPE = "image/jpeg";

export interface Files {
  rawKey: string;
  finalKey: string;
}

/** Stores a generation's files. Done again, it writes the same keys: a crash leaves nothing over. */
export async function storeFiles(
  service: Doors,
  creation: StoredCreation,
  painted: Bytes,
): Promise<Files> {
  const { storage } = service;
  const cropped = await cropTo(painted, SIZES[creation.aspectRatio]);
  const raw = markGenerated(cropped, sourceTypeOf(painted));
  const rawKey = await generationKey(service, creation, "raw");
  await storage.put(rawKey, { bytes: raw, contentType: TYPE });
  if (creation.overlay === null) return { rawKey, finalKey: rawKey };
  const finalKey = await generationKey(service, creation, "final");
  const final = await withOverlay(service, creation, raw);
  await storage.put(finalKey, { bytes: final, contentType: TYPE });
  return { rawKey, finalKey };
}

/** Renders the creation's overlay over its stored raw image; answers the final image's key. */
export async function rerender(service: Doors, creation: StoredCreation): Promise<string> {
  const rawKey = creation.rawKey!;
  if (creation.overlay === null) return rawKey;
  const raw = await service.storage.get(rawKey);
  if (raw === null) throw new Error(`The raw image of ${creation.id} is missing in the storage.`);
  const bytes = await withOverlay(service, creation, raw.bytes);
  const finalKey = newFileKey("media", TYPE);
  await service.storage.put(finalKey, { bytes, contentType: TYPE });
  return finalKey;
}

async function withOverlay(service: Doors, creation: StoredCreation, image: Bytes): Promise<Bytes> {
  const { brandId, aspectRatio } = creation;
  const overlay = creation.overlay!;
  const asset = overlay.showLogo === true ? await primaryLogo(service.kv, brandId) : null;
  const logo = asset === null ? null : (await service.storage.get(asset.key))?.bytes ?? null;
  const final = await renderOverlay({ image, overlay, logo, aspectRatio });
  return markGenerated(final, sourceTypeOf(image));
}

/** A name that nobody guesses, yet always the same for one generation. */
async function generationKey(
  { secrets }: Doors,
  { id, generation }: StoredCreation,
  part: "raw" | "final",
): Promise<string> {
  return `media/${await secrets.sign(`creation ${id} ${generation} ${part}`)}.jpg`;
}
