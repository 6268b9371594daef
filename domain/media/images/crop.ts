/** Crops an image to a size without stretching it. */
import type { Sharp } from "sharp";
import { MAX_IMAGE_PIXELS } from "./ingest.ts";
import type { Size } from "./pixels.ts";
import { JPEG, loadSharp } from "./sharp.ts";

/** An image that is more times longer than the crop is first reduced to its middle. */
const LONGEST = 8;

/** A JPEG of exactly `size`: scaled to cover it, then cropped to the part that draws the eye. */
export async function cropTo(bytes: Uint8Array, size: Size): Promise<Uint8Array<ArrayBuffer>> {
  const jpeg = await (await covering(bytes, size)).flatten({ background: "white" }).jpeg(JPEG)
    .toBuffer();
  return new Uint8Array(jpeg);
}

/**
 * The image scaled to cover `size` and cropped to the part that draws the eye. Only the middle of a
 * far longer image is used, because scaling all of a line of pixels would take gigabytes.
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
