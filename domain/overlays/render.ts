/** Prints an overlay on an image: the final JPEG of a creation. */
import { type AspectRatio, SIZES } from "../aspect.ts";
import { JPEG } from "../images/jpeg.ts";
import { markGenerated, sourceTypeOf } from "../images/mark.ts";
import { drawLayer, type Layer, type Pixels, type Size } from "../images/pixels.ts";
import { loadSharp } from "../images/sharp.ts";
import { copyOf, isRightToLeft } from "./copy.ts";
import type { Overlay } from "./shape.ts";
import { type Sheet, sheetOf } from "./sheet.ts";
import { TEMPLATES } from "./templates.ts";

export interface OverlayRequest {
  /** The stored raw image. */
  image: Uint8Array;
  overlay: Overlay;
  /** The brand's primary logo; drawn when the overlay asks for it. */
  logo: Uint8Array | null;
  aspectRatio: AspectRatio;
}

/** A JPEG of exactly the ratio's size, with the raw image's mark of how it came about. */
export async function renderOverlay(request: OverlayRequest): Promise<Uint8Array<ArrayBuffer>> {
  const sharp = await loadSharp();
  const { pixels, texts } = await layOverlay(request);
  for (const { set, left, top } of texts) drawLayer(pixels, set.layer, left, top);
  const { data, width, height } = pixels;
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } }).jpeg(JPEG).toBuffer();
  return markGenerated(jpeg, sourceTypeOf(request.image));
}

/** The ground of the overlay, drawn, and the texts that are still to be drawn on it. */
export async function layOverlay(request: OverlayRequest): Promise<Sheet> {
  const { overlay, logo, aspectRatio } = request;
  const copy = copyOf(overlay.text);
  const sheet = sheetOf(await pixelsOf(request.image, SIZES[aspectRatio]), {
    copy,
    rtl: isRightToLeft(`${copy.heading} ${copy.support}`),
    isStory: aspectRatio === "story",
    logoIn: (box) => overlay.showLogo && logo !== null ? scaled(logo, box) : Promise.resolve(null),
  });
  await TEMPLATES[overlay.template](sheet);
  return sheet;
}

async function pixelsOf(image: Uint8Array, size: Size): Promise<Pixels> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(image)
    .resize({ ...size, fit: "cover", position: "centre" })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { channels: 3, data, width: info.width, height: info.height };
}

/** A logo of any shape as large as a box allows. */
async function scaled(logo: Uint8Array, box: Size): Promise<Layer> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(logo)
    .resize({ width: Math.round(box.width), height: Math.round(box.height), fit: "inside" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { channels: 4, data, width: info.width, height: info.height };
}
