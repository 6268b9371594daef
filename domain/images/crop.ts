/** Cuts a picture to a size without stretching it. */
import { MAX_IMAGE_PIXELS } from "./ingest.ts";
import { loadSharp } from "./sharp.ts";

export interface Size {
  width: number;
  height: number;
}

const QUALITY = 90;

/** A JPEG of exactly `size`: scaled to cover it, cut where the least is lost to the eye. */
export async function cropTo(bytes: Uint8Array, size: Size): Promise<Uint8Array<ArrayBuffer>> {
  const sharp = await loadSharp();
  const jpeg = await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, autoOrient: true })
    .resize({ ...size, fit: "cover", position: sharp.strategy.attention })
    .flatten({ background: "white" })
    .jpeg({ quality: QUALITY, chromaSubsampling: "4:4:4" })
    .toBuffer();
  return new Uint8Array(jpeg);
}
