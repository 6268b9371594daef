/** Made-up photos and logos for tests, and what tests measure in pictures. */
import { type AspectRatio, SIZES } from "../domain/aspect.ts";
import { contrast, luminance, luminanceOf } from "../domain/images/colour.ts";
import { loadSharp } from "../domain/images/sharp.ts";
import type { PlacedText, Sheet } from "../domain/overlays/sheet.ts";

export type Ground = "white" | "black" | "grey" | "busy" | "waves" | "halves";

/** A made-up photo: no two of them ask the same of an overlay. */
export async function photo(ground: Ground, ratio: AspectRatio): Promise<Uint8Array> {
  const { width, height } = SIZES[ratio];
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const wave = Math.sin(x / 90) + Math.cos(y / 70);
      const value = {
        white: 255,
        black: 0,
        grey: 119,
        busy: (Math.imul(x >> 3, 73_856_093) ^ Math.imul(y >> 3, 19_349_663)) & 255,
        waves: 128 + 60 * wave,
        halves: x < width / 2 ? 20 : 235,
      }[ground];
      data[at] = value;
      data[at + 1] = ground === "waves" ? 90 + 30 * wave : value;
      data[at + 2] = ground === "waves" ? 150 - 40 * wave : value;
    }
  }
  const sharp = await loadSharp();
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } }).jpeg().toBuffer();
  return new Uint8Array(jpeg);
}

export async function png(
  width: number,
  height: number,
  colour: (x: number) => number[],
): Promise<Uint8Array> {
  const data = Uint8Array.from({ length: width * height }, (_, at) => at);
  const rgba = new Uint8Array(data.length * 4);
  data.forEach((_, at) => rgba.set(colour(at % width), at * 4));
  const sharp = await loadSharp();
  const bytes = await sharp(rgba, { raw: { width, height, channels: 4 } }).png().toBuffer();
  return new Uint8Array(bytes);
}

/** The contrast that all but one in a hundred of a text's pixels have to what lies under them. */
export function contrastOf({ pixels }: Sheet, { set, left, top }: PlacedText): number {
  const colour = luminanceOf(set.style.colour);
  const found: number[] = [];
  for (let y = 0; y < set.layer.height; y++) {
    for (let x = 0; x < set.layer.width; x++) {
      if (set.layer.data[(y * set.layer.width + x) * 4 + 3]! < 128) continue;
      const at = ((y + top) * pixels.width + x + left) * 3;
      const under = luminance(pixels.data[at]!, pixels.data[at + 1]!, pixels.data[at + 2]!);
      found.push(contrast(colour, under));
    }
  }
  return found.sort((a, b) => a - b)[Math.floor(found.length / 100)]!;
}

/** A perceptual hash: for 16x16 cells whether each is brighter than its right neighbour (dHash). */
export async function looksOf(jpeg: Uint8Array): Promise<string> {
  const sharp = await loadSharp();
  const data = await sharp(jpeg).greyscale().resize(17, 16, { fit: "fill" }).raw().toBuffer();
  const bits = new Uint8Array(32);
  for (let cell = 0; cell < 256; cell++) {
    const at = (cell >> 4) * 17 + (cell & 15);
    if (data[at]! > data[at + 1]!) bits[cell >> 3]! |= 1 << (cell & 7);
  }
  return bits.toHex();
}

export function distance(one: string, other: string): number {
  const [a, b] = [Uint8Array.fromHex(one), Uint8Array.fromHex(other)];
  return a.reduce(
    (sum, byte, at) => sum + (byte ^ b[at]!).toString(2).replaceAll("0", "").length,
    0,
  );
}
