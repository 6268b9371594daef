/** An overlay's colours: the brand's where it has some, else those of the image. */
import {
  contrast,
  fromHex,
  luminanceOf,
  oklch,
  type Rgb,
  toOklch,
  WHITE,
} from "../images/colour.ts";
import { type Pixels, samples } from "../images/pixels.ts";

export interface Palette {
  /** Near black and near white, both with a little of the main hue. */
  ink: Rgb;
  paper: Rgb;
  /** Bright enough to be read on ink. */
  accent: Rgb;
  /** Dark enough to be read on paper. */
  deepAccent: Rgb;
  /** The ground of panels, badges and buttons: the brand's first colour. */
  main: Rgb;
  /** Words on `main`, and something that stands out from it. */
  onMain: Rgb;
  markOnMain: Rgb;
}

/** Contrast of words and of marks (WCAG 2.2, 1.4.3 and 1.4.11), with some to spare for JPEG. */
const WORDS = 5;
const MARKS = 3;

const BINS = 24;
const DEGREES = 360 / BINS;
/** Amber, for grey images. */
const FALLBACK_HUE = 75;
/** Below this chroma a colour is a grey, whose hue means nothing. */
const GREY = 0.03;

/** @param colours of the brand, `#rrggbb`, the main one first */
export function paletteOf(pixels: Pixels, colours: readonly string[] = []): Palette {
  const [main, ...others] = colours.map(fromHex);
  return main === undefined ? ofImage(pixels) : ofBrand(main, others);
}

function ofImage(pixels: Pixels): Palette {
  const weights = hueWeights(pixels);
  const most = Math.max(...weights);
  const strongest = weights.indexOf(most);
  const isGrey = most < 0.004;
  const hue = isGrey ? FALLBACK_HUE : (strongest + 0.5) * DEGREES;
  const second = secondHue(weights, strongest);
  const accentHue = isGrey || second === null ? hue : second;
  const { ink, paper } = greysOf(hue, isGrey);
  const accent = oklch(0.82, 0.15, accentHue);
  const deepAccent = oklch(0.52, 0.16, accentHue);
  return { ink, paper, accent, deepAccent, main: ink, onMain: WHITE, markOnMain: accent };
}

function ofBrand(first: Rgb, others: Rgb[]): Palette {
  const { chroma, hue } = toOklch(first);
  const { paper } = greysOf(hue, chroma < GREY);
  const ink = oklch(0.22, Math.min(chroma, 0.07), hue);
  const all = [first, ...others];
  // White words on a strong colour are what most brands do, so ink is only taken where they fail.
  const takesInk = apart(first, paper) < WORDS && apart(first, ink) >= WORDS;
  const onMain = takesInk ? ink : paper;
  const main = readable(first, onMain, WORDS);
  return {
    ink,
    paper,
    accent: readable(nearest(all, ink), ink, WORDS),
    deepAccent: readable(nearest(all, paper), paper, WORDS),
    main,
    onMain,
    markOnMain: others.find((one) => apart(one, main) >= MARKS) ?? onMain,
  };
}

function greysOf(hue: number, isGrey: boolean): { ink: Rgb; paper: Rgb } {
  const tint = isGrey ? 0 : 1;
  return { ink: oklch(0.2, 0.035 * tint, hue), paper: oklch(0.97, 0.012 * tint, hue) };
}

function apart(one: Rgb, other: Rgb): number {
  return contrast(luminanceOf(one), luminanceOf(other));
}

/** The first of the colours that can be read on `ground`, or that which comes closest to it. */
function nearest(colours: Rgb[], ground: Rgb): Rgb {
  return colours.find((one) => apart(one, ground) >= WORDS) ??
    colours.reduce((best, one) => apart(one, ground) > apart(best, ground) ? one : best);
}

/** The colour, as much lighter or darker as it takes to be told apart from `ground`. */
export function readable(colour: Rgb, ground: Rgb, least: number): Rgb {
  const { lightness, chroma, hue } = toOklch(colour);
  const step = luminanceOf(ground) > 0.18 ? -0.02 : 0.02;
  let found = colour;
  for (let at = lightness; apart(found, ground) < least && at > 0 && at < 1; at += step) {
    found = oklch(at, chroma < GREY ? 0 : chroma, hue);
  }
  return found;
}

/** The amount of each hue in the image: its share of the pixels times its chroma. */
function hueWeights(pixels: Pixels): Float64Array {
  const weights = new Float64Array(BINS);
  const all = { left: 0, top: 0, width: pixels.width, height: pixels.height };
  let count = 0;
  for (const rgb of samples(pixels, all, Math.round(Math.max(pixels.width, pixels.height) / 40))) {
    const { chroma, hue } = toOklch(rgb);
    weights[Math.floor(hue / DEGREES) % BINS]! += chroma > GREY ? chroma : 0;
    count++;
  }
  return weights.map((weight) => weight / count);
}

/** Another hue of the image that clearly differs from its first one, or null. */
function secondHue(weights: Float64Array, first: number): number | null {
  const others = weights.map((weight, bin) => {
    const apart = Math.min(Math.abs(bin - first), BINS - Math.abs(bin - first));
    return apart * DEGREES >= 60 ? weight : 0;
  });
  const best = Math.max(...others);
  return best < 0.0015 ? null : (others.indexOf(best) + 0.5) * DEGREES;
}
