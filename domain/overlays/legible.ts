/** Legibility by measurement: what the pixels under a text must become to be read (WCAG 2.2, 1.4.3). */
import { contrast, luminance, luminanceOf, mix, type Rgb } from "../images/colour.ts";
import { type Box, type Pixels, samples } from "../images/pixels.ts";

/** Text must reach 4.5; we aim higher, since JPEG and sampling take a little. */
const AIM = 5;
/** The share of the pixels that may be worse: specks that no reader notices. */
const SPECKS = 0.005;
/** Every how manyeth pixel is looked at. */
const STEP = 4;

const BINS = 1024;

/** The pixel under a text that stands least apart from it, specks left away. */
export function worstUnder({ data, width, height }: Pixels, box: Box, colour: Rgb): Rgb {
  const counts = new Uint32Array(BINS);
  const places = new Uint32Array(BINS);
  const right = Math.min(width, box.left + box.width);
  const bottom = Math.min(height, box.top + box.height);
  let total = 0;
  for (let y = Math.max(0, Math.round(box.top)); y < bottom; y += STEP) {
    for (let x = Math.max(0, Math.round(box.left)); x < right; x += STEP) {
      const at = (y * width + x) * 3;
      const light = luminance(data[at]!, data[at + 1]!, data[at + 2]!);
      // Square roots: as fine in the dark as in the light.
      const bin = Math.floor(Math.sqrt(light) * (BINS - 1));
      counts[bin]!++;
      places[bin] = at;
      total++;
    }
  }
  const isLight = luminanceOf(colour) > 0.18;
  let left = total * SPECKS;
  for (let index = 0; index < BINS; index++) {
    const bin = isLight ? BINS - 1 - index : index;
    left -= counts[bin]!;
    if (left < 0) {
      const at = places[bin]!;
      return [data[at]!, data[at + 1]!, data[at + 2]!];
    }
  }
  return [128, 128, 128];
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
