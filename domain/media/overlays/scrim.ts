/** Soft shade behind words only: as dense as their pixels need, and gone a little further on. */
import type { Rgb } from "../images/colour.ts";
import type { Box, Pixels, Size } from "../images/pixels.ts";

export interface Scrim {
  colour: Rgb;
  /** Opacity under the words. */
  alpha: number;
  /** Pixels over which the shade fades out. */
  reach: number;
}

/** Rounds of blurring that make a box look like a soft spot. */
const ROUNDS = 3;

/** Shades the boxes. Those that touch the image's edge stay dense up to it. */
export function shade(pixels: Pixels, boxes: readonly Box[], scrim: Scrim): void {
  if (scrim.alpha <= 0 || boxes.length === 0) return;
  const cell = Math.max(2, Math.round(scrim.reach / 16));
  const radius = Math.max(1, Math.round(scrim.reach / cell / ROUNDS / 2));
  // Far enough that the blur leaves all of the box dense.
  const spread = radius * ROUNDS;
  const size = {
    width: Math.ceil(pixels.width / cell) + 1,
    height: Math.ceil(pixels.height / cell) + 1,
  };
  let mask = new Float32Array(size.width * size.height);
  for (const box of boxes) {
    const left = Math.max(0, Math.floor(box.left / cell) - spread);
    const right = Math.min(size.width, Math.ceil((box.left + box.width) / cell) + spread + 1);
    const top = Math.max(0, Math.floor(box.top / cell) - spread);
    const bottom = Math.min(size.height, Math.ceil((box.top + box.height) / cell) + spread + 1);
    for (let y = top; y < bottom; y++) mask.fill(1, y * size.width + left, y * size.width + right);
  }
  for (let round = 0; round < ROUNDS; round++) {
    mask = blurred(mask, size, radius, 1, size.width);
    mask = blurred(mask, { width: size.height, height: size.width }, radius, size.width, 1);
  }
  lay(pixels, mask, size, cell, scrim);
}

/** A running mean along lines. Beyond its ends a line goes on as it ends. */
function blurred(
  from: Float32Array,
  { width: length, height: lines }: Size,
  radius: number,
  step: number,
  stride: number,
): Float32Array<ArrayBuffer> {
  const to = new Float32Array(from.length);
  const share = 1 / (2 * radius + 1);
  const last = length - 1;
  for (let line = 0; line < lines; line++) {
    const start = line * stride;
    let sum = from[start]! * (radius + 1);
    for (let at = 1; at <= radius; at++) sum += from[start + Math.min(at, last) * step]!;
    for (let at = 0; at < length; at++) {
      to[start + at * step] = sum * share;
      sum += from[start + Math.min(at + radius + 1, last) * step]! -
        from[start + Math.max(at - radius, 0) * step]!;
    }
  }
  return to;
}

/** Less than this of 65,536 can't be seen. */
const UNSEEN = 256;

/** Mixes the colour into the pixels, as much as the mask says between its cells' corners. */
function lay(
  { data, width, height }: Pixels,
  mask: Float32Array,
  size: Size,
  cell: number,
  { colour: [red, green, blue], alpha }: Scrim,
): void {
  const row = new Int32Array(size.width);
  for (let y = 0; y < height; y++) {
    const upper = Math.floor(y / cell) * size.width;
    const below = y % cell / cell;
    let most = 0;
    for (let x = 0; x < size.width; x++) {
      const top = mask[upper + x]!;
      row[x] = (top + ((mask[upper + size.width + x] ?? top) - top) * below) * alpha * 65_536;
      if (row[x]! > most) most = row[x]!;
    }
    if (most < UNSEEN) continue;
    for (let column = 0; column * cell < width; column++) {
      const [from, to] = [row[column]!, row[column + 1] ?? row[column]!];
      if (from < UNSEEN && to < UNSEEN) continue;
      const step = Math.trunc((to - from) / cell);
      const start = (y * width + column * cell) * 3;
      const end = (y * width + Math.min(width, (column + 1) * cell)) * 3;
      let share = from;
      // In whole numbers, because this runs for a million pixels.
      for (let at = start; at < end; at += 3, share += step) {
        const over = share >> 8;
        const keep = 256 - over;
        data[at] = (data[at]! * keep + red * over + 128) >> 8;
        data[at + 1] = (data[at + 1]! * keep + green * over + 128) >> 8;
        data[at + 2] = (data[at + 2]! * keep + blue * over + 128) >> 8;
      }
    }
  }
}
