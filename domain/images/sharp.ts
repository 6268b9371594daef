/** sharp, loaded at first use and locked: only JPEG, PNG and WebP are ever decoded. */
import type Sharp from "sharp";

export type SharpModule = typeof Sharp;

let loading: Promise<SharpModule> | undefined;

/** The one way to sharp. Starts it once; fonts are set up before its text engine looks for them. */
export function loadSharp(): Promise<SharpModule> {
  return loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
}

async function load(): Promise<SharpModule> {
  const { setUpFonts } = await import("../overlays/fonts.ts");
  await setUpFonts();
  const { default: sharp } = await import("sharp");
  // Untrusted bytes: no SVG, PDF, TIFF or other loader may ever see them.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: [
      "VipsForeignLoadJpegBuffer",
      "VipsForeignLoadPngBuffer",
      "VipsForeignLoadWebpBuffer",
    ],
  });
  sharp.concurrency(1); // images side by side, each on one thread: memory stays bounded
  sharp.cache(false); // a file is decoded once; a cache would only hold memory
  return sharp;
}
