/** sharp, loaded at first use and locked: only JPEG, PNG and WebP are ever decoded. */
import type Sharp from "sharp";
import { once } from "../once.ts";

export type SharpModule = typeof Sharp;

/** The one way to sharp. Starts it once; fonts are set up before its text engine looks for them. */
export const loadSharp: () => Promise<SharpModule> = once(load);

async function load(): Promise<SharpModule> {
  const { setUpFonts } = await import("../overlays/fonts.ts");
  await setUpFonts();
  const { default: sharp } = await import("sharp");
  lockLoaders(sharp);
  sharp.concurrency(1); // images side by side, each on one thread: memory stays bounded
  sharp.cache(false); // a file is decoded once; a cache would only hold memory
  return sharp;
}

/** libvips' loaders but for JPEG, PNG and WebP in memory: its source's `foreign` folder, 8.18. */
const LOCKED = [
  ...["Analyze", "Csv", "DcRaw", "Fits", "Heif", "Jp2k", "Jxl", "Magick", "Magick7", "Mat"],
  ...["Matrix", "Nifti", "Nsgif", "Openexr", "Openslide", "Pdf", "Ppm", "Rad", "Raw", "Svg"],
  ...["Tiff", "Uhdr", "Vips", "JpegFile", "JpegSource", "PngFile", "PngSource", "WebpFile"],
  "WebpSource",
].map((format) => `VipsForeignLoad${format}`);

/**
 * No SVG, PDF, TIFF or other loader may ever see untrusted bytes. libvips keeps the locks for the
 * whole process, and a thread that starts locks again: locking all loaders to open three of them
 * again would, for that moment, refuse the good pictures of the other threads.
 */
export function lockLoaders(sharp: SharpModule): void {
  sharp.block({ operation: LOCKED });
}
