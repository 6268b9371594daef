/** The painter's canvas: shaders run over a box, in bands, so that the process can do other things. */
import { BLACK, type Rgb, WHITE } from "../../../media/images/colour.ts";
import type { Box, Pixels, Size } from "../../../media/images/pixels.ts";

/** A shader's result for one pixel: RGB from 0 to 255, then opacity from 0 to 1. */
export type Paint = [red: number, green: number, blue: number, alpha: number];

/** Sets `paint` for the pixel with its middle at (x, y). */
export type Shader = (x: number, y: number, paint: Paint) => void;

export interface Canvas extends Omit<Pixels, "data"> {
  /** Clamped: a value beyond white stays white, where plain bytes would wrap around to black. */
  data: Uint8ClampedArray<ArrayBuffer>;
  /** The short side: measures are shares of it. */
  unit: number;
  random: () => number;
  signal: AbortSignal;
  /** When other work last had its turn. */
  breathedAt: number;
}

/** Longest stretch of painting, ms, before other work gets its turn. */
const BREATH_MS = 4;

export function canvasOf(
  { width, height }: Size,
  random: () => number,
  signal: AbortSignal,
): Canvas {
  const data = new Uint8ClampedArray(width * height * 3);
  const unit = Math.min(width, height);
  return { channels: 3, data, width, height, unit, random, signal, breathedAt: performance.now() };
}

/** The part of a row that a shader may change, which for slanted shapes is far less than their box. */
export type Span = (y: number) => [from: number, to: number];

/** Runs a shader over a box (the whole canvas by default). */
export async function fill(canvas: Canvas, shader: Shader, box?: Box, span?: Span): Promise<void> {
  const { data, width, height } = canvas;
  const left = Math.max(0, Math.floor(box?.left ?? 0));
  const right = Math.min(width, Math.ceil(box === undefined ? width : box.left + box.width));
  const top = Math.max(0, Math.floor(box?.top ?? 0));
  const bottom = Math.min(height, Math.ceil(box === undefined ? height : box.top + box.height));
  const paint: Paint = [0, 0, 0, 1];
  for (let y = top; y < bottom; y++) {
    if (performance.now() - canvas.breathedAt > BREATH_MS) await breathe(canvas);
    const [from, to] = span?.(y + 0.5) ?? [left, right];
    const [first, last] = [Math.max(left, Math.floor(from)), Math.min(right, Math.ceil(to))];
    for (let x = first, at = (y * width + first) * 3; x < last; x++, at += 3) {
      paint[3] = 1;
      shader(x + 0.5, y + 0.5, paint);
      const alpha = paint[3];
      if (alpha <= 0) continue;
      if (alpha >= 1) {
        data[at] = paint[0];
        data[at + 1] = paint[1];
        data[at + 2] = paint[2];
      } else {
        data[at] = data[at]! + (paint[0] - data[at]!) * alpha;
        data[at + 1] = data[at + 1]! + (paint[1] - data[at + 1]!) * alpha;
        data[at + 2] = data[at + 2]! + (paint[2] - data[at + 2]!) * alpha;
      }
    }
  }
}

/** Lets other work run. Throws if the painting was cancelled. */
async function breathe(canvas: Canvas): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  canvas.signal.throwIfAborted();
  canvas.breathedAt = performance.now();
}

export function setRgb(paint: Paint, [red, green, blue]: Rgb): void {
  paint[0] = red;
  paint[1] = green;
  paint[2] = blue;
}

/** Sets a colour between two. */
export function setBetween(paint: Paint, one: Rgb, other: Rgb, share: number): void {
  paint[0] = one[0] + (other[0] - one[0]) * share;
  paint[1] = one[1] + (other[1] - one[1]) * share;
  paint[2] = one[2] + (other[2] - one[2]) * share;
}

/** Moves what is set towards a colour, never beyond it and never away from it. */
export function blend(paint: Paint, colour: Rgb, wanted: number): void {
  const share = clamp(wanted);
  paint[0] += (colour[0] - paint[0]) * share;
  paint[1] += (colour[1] - paint[1]) * share;
  paint[2] += (colour[2] - paint[2]) * share;
}

/** Brings out an unevenness: above 0 lighter, below 0 darker, `most` of the way at 1 and -1. */
export function relieve(paint: Paint, unevenness: number, most: number): void {
  blend(paint, unevenness < 0 ? BLACK : WHITE, Math.abs(unevenness) * most);
}

/** 0 below `from`, 1 above `to`, smooth between. */
export function smooth(from: number, to: number, value: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

export function clamp(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}
