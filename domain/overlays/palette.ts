/** Colours for an overlay, taken from the image it lies on. */
import { oklch, type Rgb, toOklch } from "../images/colour.ts";
import { type Pixels, samples } from "../images/pixels.ts";

export interface Palette {
  /** Near black, near white: both with a breath of the image's own hue. */
  ink: Rgb;
  paper: Rgb;
  /** Bright enough to lie on ink. */
  accent: Rgb;
  /** Dark enough to lie on paper. */
  deepAccent: Rgb;
}

const BINS = 24;
const DEGREES = 360 / BINS;
/** Amber: what a grey image gets. */
const FALLBACK_HUE = 75;

export function paletteOf(pixels: Pixels): Palette {
  const weights = hueWeights(pixels);
  const strongest = weights.indexOf(Math.max(...weights));
  const isGrey = weights[strongest]! < 0.004;
  const hue = isGrey ? FALLBACK_HUE : (strongest + 0.5) * DEGREES;
  const second = secondHue(weights, strongest);
  const accentHue = isGrey || second === null ? hue : second;
  const tint = isGrey ? 0 : 1;
  return {
    ink: oklch(0.2, 0.035 * tint, hue),
    paper: oklch(0.97, 0.012 * tint, hue),
    accent: oklch(0.82, 0.15, accentHue),
    deepAccent: oklch(0.52, 0.16, accentHue),
  };
}

/** How much of each hue the image holds: its share of the pixels times its chroma. */
function hueWeights(pixels: Pixels): number[] {
  const weights = new Array<number>(BINS).fill(0);
  const all = { left: 0, top: 0, width: pixels.width, height: pixels.height };
  let count = 0;
  for (const rgb of samples(pixels, all, Math.round(Math.max(pixels.width, pixels.height) / 40))) {
    const { chroma, hue } = toOklch(rgb);
    weights[Math.floor(hue / DEGREES) % BINS]! += chroma > 0.03 ? chroma : 0;
    count++;
  }
  return weights.map((weight) => weight / count);
}

/** Another hue that the image holds, far enough from its first to be seen as one. */
function secondHue(weights: number[], first: number): number | null {
  const others = weights.map((weight, bin) => {
    const apart = Math.min(Math.abs(bin - first), BINS - Math.abs(bin - first));
    return apart * DEGREES >= 60 ? weight : 0;
  });
  const best = Math.max(...others);
  return best < 0.0015 ? null : (others.indexOf(best) + 0.5) * DEGREES;
}
