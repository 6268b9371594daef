/** Legibility by measurement: what the pixels under a text must become to be read (WCAG 2.2, 1.4.3). */
import { contrast, luminance, luminanceOf, mix, type Rgb } from "../images/colour.ts";
import { type Box, type Pixels, samples } from "../images/pixels.ts";

/** Contrast that text must reach. */
export const LEGIBLE = 4.5;
/** What we aim at: JPEG and sampling take a little. */
const AIM = 5;
/** The share of the pixels that may be worse: specks that no reader notices. */
const SPECKS = 0.005;

/** The pixel under a text that stands least apart from it, specks left away. */
export function worstUnder(pixels: Pixels, box: Box, colour: Rgb): Rgb {
  const isLight = luminanceOf(colour) > 0.18;
  const found = Array.from(samples(pixels, box, 4));
  const lights = Float64Array.from(found, (rgb) => luminance(...rgb));
  const order = lights.toSorted();
  const index = Math.floor(found.length * SPECKS);
  const limit = order[isLight ? order.length - 1 - index : index] ?? 0.5;
  return found[lights.indexOf(limit)] ?? [128, 128, 128];
}

/** How dense a scrim must lie under a text so that it can be read everywhere. */
export function alphaFor(pixels: Pixels, box: Box, colour: Rgb, scrim: Rgb): number {
  const worst = worstUnder(pixels, box, colour);
  const light = luminanceOf(colour);
  for (let alpha = 0; alpha < 1; alpha += 0.02) {
    if (contrast(light, luminanceOf(mix(worst, scrim, alpha))) >= AIM) return alpha;
  }
  return 1;
}

/** How restless the pixels of a box are: the spread of their luminance. */
export function unrest(pixels: Pixels, box: Box): number {
  let [sum, squares, count] = [0, 0, 0];
  for (const rgb of samples(pixels, box, 12)) {
    const light = luminance(...rgb);
    sum += light;
    squares += light * light;
    count++;
  }
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}
