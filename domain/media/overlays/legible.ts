/** Measures how much the pixels under a text must change so that it can be read (WCAG 2.2, 1.4.3). */
import { contrast, luminance, luminanceOf, mix, type Rgb } from "../images/colour.ts";
import { type Box, type Layer, type Pixels, samples } from "../images/pixels.ts";

/** The wanted contrast. WCAG requires 4.5, and JPEG and sampling lose a little. */
const AIM = 5;
/** The share of pixels that may have less contrast: specks that no reader notices. */
const SPECKS = 0.005;
/** One of this many pixels is measured, in both directions. */
const STEP = 4;
/** Above this luminance black has more contrast than white. */
const MIDDLE = 0.18;

const BINS = 1024;

export const isLight = (colour: Rgb): boolean => luminanceOf(colour) > MIDDLE;

/** The pixel under boxes with the least contrast to a colour, specks left out. */
export function worstUnder(pixels: Pixels, boxes: Box | readonly Box[], colour: Rgb): Rgb {
  const tally = new Tally(pixels);
  const { width, height } = pixels;
  for (const box of Array.isArray(boxes) ? boxes as readonly Box[] : [boxes as Box]) {
    const right = Math.min(width, box.left + box.width);
    const bottom = Math.min(height, box.top + box.height);
    for (let y = Math.max(0, Math.round(box.top)); y < bottom; y += STEP) {
      for (let x = Math.max(0, Math.round(box.left)); x < right; x += STEP) tally.add(x, y);
    }
  }
  return tally.worst(colour);
}

/** The contrast of a placed text to the pixels under its own ink, specks left out. */
export function contrastUnder(
  pixels: Pixels,
  { layer, left, top }: { layer: Layer; left: number; top: number },
  colour: Rgb,
): number {
  const tally = new Tally(pixels);
  for (let y = 0; y < layer.height; y += 2) {
    for (let x = 0; x < layer.width; x += 2) {
      if (layer.data[(y * layer.width + x) * 4 + 3]! >= 128) tally.add(x + left, y + top);
    }
  }
  return contrast(luminanceOf(colour), luminanceOf(tally.worst(colour)));
}

/** The opacity that a scrim under a text needs so that all of the text can be read. */
export function alphaFor(
  pixels: Pixels,
  boxes: Box | readonly Box[],
  colour: Rgb,
  scrim: Rgb,
): number {
  const worst = worstUnder(pixels, boxes, colour);
  const light = luminanceOf(colour);
  for (let alpha = 0; alpha < 1; alpha += 0.02) {
    if (contrast(light, luminanceOf(mix(worst, scrim, alpha))) >= AIM) return alpha;
  }
  return 1;
}

/** The unrest of a box: the standard deviation of its pixels' luminance. */
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

/** Counts pixels by their luminance, and remembers where one of each was. */
class Tally {
  readonly #pixels: Pixels;
  readonly #counts = new Uint32Array(BINS);
  readonly #places = new Uint32Array(BINS);
  #total = 0;

  constructor(pixels: Pixels) {
    this.#pixels = pixels;
  }

  add(x: number, y: number): void {
    const { data, width } = this.#pixels;
    const at = (y * width + x) * 3;
    const light = luminance(data[at]!, data[at + 1]!, data[at + 2]!);
    // By the square root, so that dark colours are told apart as finely as light ones.
    const bin = Math.floor(Math.sqrt(light) * (BINS - 1));
    this.#counts[bin]!++;
    this.#places[bin] = at;
    this.#total++;
  }

  worst(colour: Rgb): Rgb {
    const fromLight = isLight(colour);
    let left = this.#total * SPECKS;
    for (let index = 0; index < BINS; index++) {
      const bin = fromLight ? BINS - 1 - index : index;
      left -= this.#counts[bin]!;
      if (left < 0) {
        const { data } = this.#pixels;
        const at = this.#places[bin]!;
        return [data[at]!, data[at + 1]!, data[at + 2]!];
      }
    }
    return [128, 128, 128];
  }
}
