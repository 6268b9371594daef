/** Cuts a picture to a size without stretching it. */
import type { Sharp } from "sharp";
import { MAX_IMAGE_PIXELS } from "./ingest.ts";
import { JPEG } from "./jpeg.ts";
import type { Size } from "./pixels.ts";
import { loadSharp } from "./sharp.ts";

/** How many times longer than the cut a picture is when the eye is asked where to cut. */
const LONGEST = 8;

/** A JPEG of exactly `size`: scaled to cover it, cut where the least is lost to the eye. */
export async function cropTo(bytes: Uint8Array, size: Size): Promise<Uint8Array<ArrayBuffer>> {
  const jpeg = await (await covering(bytes, size)).flatten({ background: "white" }).jpeg(JPEG)
    .toBuffer();
  return new Uint8Array(jpeg);
}

/**
 * The picture scaled to cover `size`, cut where the least is lost to the eye. Of a far longer one only
 * the middle is looked at: scaled whole, a line of pixels would fill gigabytes.
 */
export async function covering(bytes: Uint8Array, size: Size): Promise<Sharp> {
  const sharp = await loadSharp();
  const image = sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, autoOrient: true });
  const { autoOrient: { width, height } } = await image.metadata();
  const most = {
    width: Math.ceil(LONGEST * height * size.width / size.height),
    height: Math.ceil(LONGEST * width * size.height / size.width),
  };
  if (width > most.width || height > most.height) {
    const kept = { width: Math.min(width, most.width), height: Math.min(height, most.height) };
    const left = Math.floor((width - kept.width) / 2);
    const top = Math.floor((height - kept.height) / 2);
    image.extract({ left, top, ...kept });
  }
  return image.resize({ ...size, fit: "cover", position: sharp.strategy.attention });
}
