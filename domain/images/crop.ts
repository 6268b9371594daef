/** Cuts a picture to a size without stretching it. */
import { MAX_IMAGE_PIXELS } from "./ingest.ts";
import { JPEG } from "./jpeg.ts";
import type { Size } from "./pixels.ts";
import { loadSharp } from "./sharp.ts";

/** A JPEG of exactly `size`: scaled to cover it, cut where the least is lost to the eye. */
export async function cropTo(bytes: Uint8Array, size: Size): Promise<Uint8Array<ArrayBuffer>> {
  const sharp = await loadSharp();
  const jpeg = await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, autoOrient: true })
    .resize({ ...size, fit: "cover", position: sharp.strategy.attention })
    .flatten({ background: "white" })
    .jpeg(JPEG)
    .toBuffer();
  return new Uint8Array(jpeg);
}
