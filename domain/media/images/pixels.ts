/** Draws an overlay's shapes on an image's pixels: scrims, panels, shadows and layers. */
import { type Rgb } from "./colour.ts";

export interface Size {
  width: number;
  height: number;
}

/** RGB, three bytes a pixel. */
export interface Pixels extends Size {
  readonly channels: 3;
  data: Uint8Array;
}

/** A text or a logo: RGBA, four bytes a pixel, colours not multiplied with alpha. */
export interface Layer extends Size {
  readonly channels: 4;
  data: Uint8Array;
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Covers whole rows with a colour. `alphaAt` returns the opacity of a row. */
export function tintRows(pixels: Pixels, colour: Rgb, alphaAt: (row: number) => number): void {
  const { data, width, height } = pixels;
  for (let row = 0; row < height; row++) {
    const alpha = Math.round(alphaAt(row) * 256);
    if (alpha <= 0) continue;
    const keep = 256 - alpha;
    const [red, green, blue] = [0, 1, 2].map((channel) => colour[channel]! * alpha + 128) as [
      number,
      number,
      number,
    ];
    for (let at = row * width * 3, end = at + width * 3; at < end; at += 3) {
      data[at] = (data[at]! * keep + red) >> 8;
      data[at + 1] = (data[at + 1]! * keep + green) >> 8;
      data[at + 2] = (data[at + 2]! * keep + blue) >> 8;
    }
  }
}

export interface Panel {
  box: Box;
  radius: number;
  colour: Rgb;
  alpha: number;
  /** Width of the soft edge outside the box: 1 for a crisp edge, more for a shadow or soft scrim. */
  feather?: number;
}

/** Draws a rounded box with a crisp or soft edge. */
export function fillBox(pixels: Pixels, panel: Panel): void {
  const { data, width, height } = pixels;
  const { box, radius, colour, alpha, feather = 1 } = panel;
  const [left, top] = [Math.max(0, Math.floor(box.left - feather)), box.top - feather];
  const right = Math.min(width, Math.ceil(box.left + box.width + feather));
  const bottom = Math.min(height, Math.ceil(box.top + box.height + feather));
  const [midX, midY] = [box.left + box.width / 2, box.top + box.height / 2];
  const [halfX, halfY] = [box.width / 2 - radius, box.height / 2 - radius];
  for (let y = Math.max(0, Math.floor(top)); y < bottom; y++) {
    const outY = Math.abs(y + 0.5 - midY) - halfY;
    for (let x = left; x < right; x++) {
      const outX = Math.abs(x + 0.5 - midX) - halfX;
      const reach = outX > 0 && outY > 0
        ? Math.sqrt(outX * outX + outY * outY)
        : Math.max(outX, outY);
      const gone = (reach - radius + 0.5) / feather;
      if (gone >= 1) continue;
      const share = gone <= 0 ? alpha : alpha * (1 - gone * gone * (3 - 2 * gone));
      const at = (y * width + x) * 3;
      data[at] = data[at]! + (colour[0] - data[at]!) * share + 0.5;
      data[at + 1] = data[at + 1]! + (colour[1] - data[at + 1]!) * share + 0.5;
      data[at + 2] = data[at + 2]! + (colour[2] - data[at + 2]!) * share + 0.5;
    }
  }
}

/** Draws a layer with its top left corner at a place. Parts outside the image are left out. */
export function drawLayer(pixels: Pixels, layer: Layer, left: number, top: number): void {
  const { data, width, height } = pixels;
  const [x0, y0] = [Math.round(left), Math.round(top)];
  for (let y = Math.max(0, -y0); y < Math.min(layer.height, height - y0); y++) {
    for (let x = Math.max(0, -x0); x < Math.min(layer.width, width - x0); x++) {
      const from = (y * layer.width + x) * 4;
      const alpha = layer.data[from + 3]!;
      if (alpha === 0) continue;
      const at = ((y + y0) * width + x + x0) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const under = data[at + channel]!;
        data[at + channel] = under + (layer.data[from + channel]! - under) * alpha / 255 + 0.5;
      }
    }
  }
}

/** Colours of a box's pixels, every `step`th in both directions. */
export function* samples(pixels: Pixels, box: Box, step: number): Generator<Rgb> {
  const { data, width, height } = pixels;
  const right = Math.min(width, box.left + box.width);
  const bottom = Math.min(height, box.top + box.height);
  for (let y = Math.max(0, Math.round(box.top)); y < bottom; y += step) {
    for (let x = Math.max(0, Math.round(box.left)); x < right; x += step) {
      const at = (y * width + x) * 3;
      yield [data[at]!, data[at + 1]!, data[at + 2]!];
    }
  }
}
