/** Loads sharp at its first use and locks it: it only ever decodes JPEG, PNG and WebP. */
import type Sharp from "sharp";
import { once } from "../../foundation/once.ts";

export type SharpModule = typeof Sharp;

/** Options of all JPEGs that Marquee makes. Colours keep full resolution, because letters have sharp edges. */
export const JPEG = { quality: 90, chromaSubsampling: "4:4:4" } as const;

/** Loads sharp. Never import it otherwise: fonts must be set up before, and loaders locked after. */
export const loadSharp: () => Promise<SharpModule> = once(load);

async function load(): Promise<SharpModule> {
  const { setUpFonts } = await import("./fonts.ts");
  await setUpFonts();
  const { default: sharp } = await import("sharp");
  lockLoaders(sharp);
  sharp.concurrency(1); // one thread an image, so that memory stays bounded
  sharp.cache(false); // files are decoded once, so a cache would only take memory
  return sharp;
}

/** All of libvips' loaders except JPEG, PNG and WebP in memory (its `foreign` folder, version 8.18). */
const LOCKED = [
  ...["Analyze", "Csv", "DcRaw", "Fits", "Heif", "Jp2k", "Jxl", "Magick", "Magick7", "Mat"],
  ...["Matrix", "Nifti", "Nsgif", "Openexr", "Openslide", "Pdf", "Ppm", "Rad", "Raw", "Svg"],
  ...["Tiff", "Uhdr", "Vips", "JpegFile", "JpegSource", "PngFile", "PngSource", "WebpFile"],
  "WebpSource",
].map((format) => `VipsForeignLoad${format}`);

/**
 * Locks all loaders that must not read untrusted bytes: SVG, PDF, TIFF and so on. The locks hold for
 * the whole process, and each new thread sets them again. So the list names the loaders to lock:
 * locking all and unlocking three would, for a moment, refuse good images of other threads.
 */
export function lockLoaders(sharp: SharpModule): void {
  sharp.block({ operation: LOCKED });
}
