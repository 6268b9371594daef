/** The painter's canvas: shaders run over a box, in bands, so that the process can do other things. */
import type { Rgb } from "../../images/colour.ts";
import type { Box, Pixels, Size } from "../../images/pixels.ts";

/** RGB 0 to 255, then opacity 0 to 1: a shader's answer for one pixel. */
export type Paint = [red: number, green: number, blue: number, alpha: number];

/** Sets `paint` for the middle of a pixel. */
export type Shader = (x: number, y: number, paint: Paint) => void;

export interface Canvas extends Pixels {
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
  const data = new Uint8Array(width * height * 3);
  const unit = Math.min(width, height);
  return { channels: 3, data, width, height, unit, random, signal, breathedAt: performance.now() };
}

/** What of a row can be touched at all: for slanted shapes much less than their box. */
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
        data[at] = paint[0] + 0.5;
        data[at + 1] = paint[1] + 0.5;
        data[at + 2] = paint[2] + 0.5;
      } else {
        data[at] = data[at]! + (paint[0] - data[at]!) * alpha + 0.5;
        data[at + 1] = data[at + 1]! + (paint[1] - data[at + 1]!) * alpha + 0.5;
        data[at + 2] = data[at + 2]! + (paint[2] - data[at + 2]!) * alpha + 0.5;
      }
    }
  }
}

/** Lets other work go on; ends the painting when nobody wants it any more. */
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

/** Moves what is set towards a colour. */
export function blend(paint: Paint, colour: Rgb, share: number): void {
  paint[0] += (colour[0] - paint[0]) * share;
  paint[1] += (colour[1] - paint[1]) * share;
  paint[2] += (colour[2] - paint[2]) * share;
}

/** 0 below `from`, 1 above `to`, smooth between. */
export function smooth(from: number, to: number, value: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

export function clamp(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}
