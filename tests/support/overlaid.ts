/** Made-up photos and logos for tests, and what tests measure in pictures. */
import { type AspectRatio, SIZES } from "../../domain/media/images/aspect.ts";
import { contrast, luminance, luminanceOf } from "../../domain/media/images/colour.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import type { PlacedText, Sheet } from "../../domain/media/overlays/sheet.ts";
import type { SetText } from "../../domain/media/overlays/typeset.ts";

export type Ground = "white" | "black" | "grey" | "busy" | "waves" | "halves";

const wave = (x: number, y: number) => Math.sin(x / 90) + Math.cos(y / 70);

const GROUNDS: Record<Ground, (x: number, y: number, width: number) => number> = {
  white: () => 255,
  black: () => 0,
  grey: () => 119,
  busy: (x, y) => (Math.imul(x >> 3, 73_856_093) ^ Math.imul(y >> 3, 19_349_663)) & 255,
  waves: (x, y) => 128 + 60 * wave(x, y),
  halves: (x, _y, width) => x < width / 2 ? 20 : 235,
};

/** A made-up photo: no two of them ask the same of an overlay. Each is made once. */
export function photo(ground: Ground, ratio: AspectRatio): Promise<Uint8Array> {
  const name = `${ground} ${ratio}`;
  const known = PHOTOS.get(name) ?? develop(ground, ratio);
  PHOTOS.set(name, known);
  return known;
}

const PHOTOS = new Map<string, Promise<Uint8Array>>();

async function develop(ground: Ground, ratio: AspectRatio): Promise<Uint8Array> {
  const { width, height } = SIZES[ratio];
  const data = new Uint8Array(width * height * 3);
  const valueAt = GROUNDS[ground];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const value = valueAt(x, y, width);
      data[at] = value;
      data[at + 1] = ground === "waves" ? 90 + 30 * wave(x, y) : value;
      data[at + 2] = ground === "waves" ? 150 - 40 * wave(x, y) : value;
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

/** The contrast that all but one in a hundred of a text's pixels have to what is under them. */
export function contrastOf({ pixels }: Sheet, { set, left, top }: PlacedText): number {
  const colour = luminanceOf(set.style.colour);
  const found = new Float64Array(set.layer.height * set.layer.width);
  let count = 0;
  for (let y = 0; y < set.layer.height; y++) {
    for (let x = 0; x < set.layer.width; x++) {
      if (set.layer.data[(y * set.layer.width + x) * 4 + 3]! < 128) continue;
      const at = ((y + top) * pixels.width + x + left) * 3;
      const under = luminance(pixels.data[at]!, pixels.data[at + 1]!, pixels.data[at + 2]!);
      found[count++] = contrast(colour, under);
    }
  }
  return found.subarray(0, count).sort()[Math.floor(count / 100)]!;
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

/** The lines of a set text, and whether each has ink of the text's own colour beside its emoji. */
export function inkedRowsOf({ layer, style }: SetText): { hasLetters: boolean }[] {
  const lines: { hasLetters: boolean }[] = [];
  let isOpen = false;
  for (let y = 0; y < layer.height; y++) {
    let [inked, lettered] = [0, 0];
    for (let x = 0; x < layer.width; x++) {
      const at = (y * layer.width + x) * 4;
      if (layer.data[at + 3]! < 200) continue;
      inked++;
      if (style.colour.every((value, channel) => layer.data[at + channel] === value)) lettered++;
    }
    if (inked === 0) isOpen = false;
    else if (!isOpen) {
      lines.push({ hasLetters: false });
      isOpen = true;
    }
    if (lettered > 0) lines.at(-1)!.hasLetters = true;
  }
  return lines;
}
