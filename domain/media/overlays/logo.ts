/** Draws the logo: bare where it stands out from the image, else on a plate of its own. */
import { contrast, luminance, luminanceOf, type Rgb } from "../images/colour.ts";
import { drawLayer, fillBox, type Layer, type Pixels } from "../images/pixels.ts";
import type { Logo, Sheet } from "./sheet.ts";

/**
 * How many of a logo's pixels need which contrast to the ground, at least. No rule asks for one in
 * logos (WCAG 2.2, 1.4.3), so a second colour may be a little fainter than graphics else have to be.
 */
const STANDS_OUT = [{ contrast: 3, share: 0.5 }, { contrast: 2, share: 0.9 }];

export function drawLogo(sheet: Sheet, logo: Logo, left: number, top: number): void {
  const { pixels, palette, unit } = sheet;
  const [x, y] = [Math.round(left), Math.round(top)];
  const onImage = contrasts(logo, (column, row) => lightAt(pixels, x + column, y + row));
  if (!hasAlpha(logo) || standsOut(onImage)) return drawLayer(pixels, logo, x, y);
  const plates = [logo.tile, palette.paper, palette.ink].filter((one) => one !== null);
  const on = (plate: Rgb) => contrasts(logo, () => luminanceOf(plate));
  const plate = plates.find((one) => standsOut(on(one))) ??
    plates.reduce((best, one) => clarity(on(one)) > clarity(on(best)) ? one : best);
  const pad = Math.round(20 * unit);
  const box = {
    left: x - pad,
    top: y - pad,
    width: logo.width + 2 * pad,
    height: logo.height + 2 * pad,
  };
  fillBox(pixels, { box, radius: pad, colour: plate, alpha: 1 });
  drawLayer(pixels, logo, x, y);
}

function standsOut(found: Float32Array): boolean {
  return STANDS_OUT.every(({ contrast, share }) =>
    found.reduce((count, one) => count + (one >= contrast ? 1 : 0), 0) >= share * found.length
  );
}

/** How well a logo is seen in all, where parts of it are hard to see on any ground. */
const clarity = (found: Float32Array): number =>
  found.reduce((sum, one) => sum + Math.log(one), 0) / Math.max(1, found.length);

/** The contrast of each visible pixel of a logo to what is under it. */
function contrasts(
  logo: Layer,
  lightUnder: (column: number, row: number) => number,
): Float32Array {
  const found = new Float32Array(logo.width * logo.height);
  let visible = 0;
  for (let y = 0; y < logo.height; y++) {
    for (let x = 0; x < logo.width; x++) {
      const at = (y * logo.width + x) * 4;
      if (logo.data[at + 3]! < 128) continue;
      const own = luminance(logo.data[at]!, logo.data[at + 1]!, logo.data[at + 2]!);
      found[visible++] = contrast(own, lightUnder(x, y));
    }
  }
  return found.subarray(0, visible);
}

function lightAt({ data, width, height }: Pixels, x: number, y: number): number {
  const [column, row] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  const at = (row * width + column) * 3;
  return luminance(data[at]!, data[at + 1]!, data[at + 2]!);
}

function hasAlpha({ data }: Layer): boolean {
  for (let alpha = 3; alpha < data.length; alpha += 4) {
    if (data[alpha]! < 250) return true;
  }
  return false;
}

/** How far from the colour of its ground a pixel is at most still ground, and at least a logo's own. */
const [GROUND, OWN] = [12, 96];
/** Less of a logo than this share is no logo, but a plain tile. */
const LEAST = 0.02;
/** More ground inside a logo than this share of it is part of the logo: the letters of a badge. */
const INSIDE = 0.2;

/** A logo without the plain tile that it was saved with, or as it is if it has none. */
export function withoutTile(layer: Layer): Logo {
  const logo = { ...layer, tile: null };
  const ground = hasAlpha(logo) ? null : groundOf(logo);
  if (ground === null) return logo;
  const data = new Uint8Array(logo.data);
  const alphas = new Uint8Array(data.length / 4);
  for (let pixel = 0; pixel < alphas.length; pixel++) {
    const share = Math.min(
      1,
      Math.max(0, (away(data, pixel * 4, ground) - GROUND) / (OWN - GROUND)),
    );
    alphas[pixel] = Math.round(share * 255);
    for (let channel = 0; share > 0 && channel < 3; channel++) {
      const at = pixel * 4 + channel;
      const own = ground[channel]! + (data[at]! - ground[channel]!) / share;
      data[at] = Math.min(255, Math.max(0, own));
    }
    data[pixel * 4 + 3] = alphas[pixel]!;
  }
  const own = alphas.reduce((count, alpha) => count + (alpha >= 128 ? 1 : 0), 0);
  const enclosed = alphas.length - own - outside(alphas, logo);
  return own < alphas.length * LEAST || enclosed > own * INSIDE
    ? logo
    : { ...logo, data, tile: ground };
}

/** The colour of the tile: that of all of the logo's edge. Null if the edge has several. */
function groundOf({ data, width, height }: Layer): Rgb | null {
  const colour: Rgb = [data[0]!, data[1]!, data[2]!];
  for (let y = 0; y < height; y++) {
    const step = y === 0 || y === height - 1 ? 1 : Math.max(1, width - 1);
    for (let x = 0; x < width; x += step) {
      if (away(data, (y * width + x) * 4, colour) > GROUND * 2) return null;
    }
  }
  return colour;
}

function away(data: Uint8Array, at: number, [red, green, blue]: Rgb): number {
  return Math.max(
    Math.abs(data[at]! - red),
    Math.abs(data[at + 1]! - green),
    Math.abs(data[at + 2]! - blue),
  );
}

/** How many see-through pixels can be reached from the edge. */
function outside(alphas: Uint8Array, { width, height }: Layer): number {
  const seen = new Uint8Array(alphas.length);
  const open: number[] = [];
  const visit = (x: number, y: number) => {
    const at = y * width + x;
    if (x < 0 || y < 0 || x >= width || y >= height || seen[at] === 1 || alphas[at]! >= 128) return;
    seen[at] = 1;
    open.push(at);
  };
  for (let x = 0; x < width; x++) [0, height - 1].forEach((y) => visit(x, y));
  for (let y = 0; y < height; y++) [0, width - 1].forEach((x) => visit(x, y));
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    count++;
    const [x, y] = [at % width, Math.floor(at / width)];
    visit(x - 1, y);
    visit(x + 1, y);
    visit(x, y - 1);
    visit(x, y + 1);
  }
  return count;
}
