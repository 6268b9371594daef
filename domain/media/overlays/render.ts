/** Prints an overlay on an image: the final JPEG of a creation. */
import { type AspectRatio, SIZES } from "../images/aspect.ts";
import { markGenerated, sourceTypeOf } from "../images/mark.ts";
import { drawLayer, type Pixels, type Size } from "../images/pixels.ts";
import { JPEG, loadSharp } from "../images/sharp.ts";
import { copyOf, isRightToLeft } from "./copy.ts";
import { withoutTile } from "./logo.ts";
import { ensureLegible } from "./on_image.ts";
import type { Look, Overlay } from "./shape.ts";
import { type Logo, type Sheet, sheetOf } from "./sheet.ts";
import { TEMPLATES } from "./templates.ts";

export interface OverlayRequest {
  /** The stored raw image. */
  image: Uint8Array;
  overlay: Overlay;
  /** The brand's primary logo; drawn when the overlay asks for it. */
  logo: Uint8Array | null;
  aspectRatio: AspectRatio;
  /** The brand's colours and typefaces; as chosen from the image without them. */
  look?: Look;
  /** Width of the result, in pixels; the ratio's own without it. */
  width?: number;
}

/** A JPEG of exactly the ratio's size, or of the asked width, with the raw image's mark. */
export async function renderOverlay(request: OverlayRequest): Promise<Uint8Array<ArrayBuffer>> {
  const sharp = await loadSharp();
  const { pixels, texts } = await layOverlay(request);
  for (const { set, left, top } of texts) drawLayer(pixels, set.layer, left, top);
  const { data, width, height } = pixels;
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } }).jpeg(JPEG).toBuffer();
  return markGenerated(jpeg, sourceTypeOf(request.image));
}

/** Draws the ground of the overlay. The texts are placed, but not drawn yet. */
export async function layOverlay(request: OverlayRequest): Promise<Sheet> {
  const { overlay, logo, aspectRatio, look = {}, width } = request;
  const copy = copyOf(overlay.text);
  const size = scaledTo(SIZES[aspectRatio], width);
  const sheet = sheetOf(await pixelsOf(request.image, size), look, {
    copy,
    rtl: isRightToLeft(`${copy.heading} ${copy.support}`),
    isStory: aspectRatio === "story",
    logoIn: (box) => overlay.showLogo && logo !== null ? scaled(logo, box) : Promise.resolve(null),
  });
  await TEMPLATES[overlay.template](sheet);
  ensureLegible(sheet);
  return sheet;
}

function scaledTo(size: Size, width = size.width): Size {
  return { width, height: Math.round(size.height * width / size.width) };
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

/** The logo, as large as the box allows. */
async function scaled(logo: Uint8Array, box: Size): Promise<Logo> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(logo)
    .resize({ width: Math.round(box.width), height: Math.round(box.height), fit: "inside" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return withoutTile({ channels: 4, data, width: info.width, height: info.height });
}
