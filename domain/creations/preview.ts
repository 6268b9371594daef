/** A creation's image, scaled down for an agent to look at. */
import { loadSharp } from "../media/images/sharp.ts";
import { reader } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import { readListed } from "./store.ts";

/** Longest edge, pixels. */
const EDGE = 512;
const QUALITY = 75;

/** JPEG bytes of the final image, or null before the creation is complete. */
export async function previewOf(
  service: Service,
  brandId: string,
  id: string,
): Promise<Uint8Array | null> {
  const creation = await readListed(reader(service.kv), brandId, id);
  const key = creation?.finalKey ?? null;
  const file = key === null ? null : await service.storage.get(key);
  if (file === null) return null;
  const sharp = await loadSharp();
  const image = sharp(file.bytes).resize(EDGE, EDGE, { fit: "inside", withoutEnlargement: true });
  return new Uint8Array(await image.jpeg({ quality: QUALITY }).toBuffer());
}
