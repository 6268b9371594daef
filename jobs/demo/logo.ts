/** The demo brand's logo, drawn by the painter's pen: a folded paper lantern that is lit by a bean. */
import { mix, type Rgb } from "../../domain/media/images/colour.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { canvasOf } from "../../domain/models/painter/painting/canvas.ts";
import { type Pen, penAt } from "../../domain/models/painter/painting/pen.ts";
import { COLORS } from "./brand.ts";

const SIDE = 640;
const CENTRE = SIDE / 2;
const RADIUS = 304;

const rgb = (hex: string): Rgb => {
  const [red = 0, green = 0, blue = 0] = Uint8Array.fromHex(hex.slice(1));
  return [red, green, blue];
};
const [NIGHT, PAPER, COPPER] = [COLORS.night, COLORS.paper, COLORS.copper].map(rgb) as [
  Rgb,
  Rgb,
  Rgb,
];
/** The right half of each fold lies in the shade. */
const SHADED = mix(PAPER, NIGHT, 0.16);
const FOLDS = [
  ["M236 178 L320 178 L320 252 L186 252 Z", "M320 178 L404 178 L454 252 L320 252 Z"],
  ["M186 260 L320 260 L320 424 L186 424 Z", "M320 260 L454 260 L454 424 L320 424 Z"],
  ["M186 432 L320 432 L320 500 L240 500 Z", "M320 432 L454 432 L400 500 L320 500 Z"],
] as const;

/** A PNG of the round mark on a transparent ground. */
export async function drawLogo(signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = canvasOf({ width: SIDE, height: SIDE }, () => 0.5, signal);
  const pen = penAt(canvas, { x: 0, y: 0, scale: 1 });
  await pen.disc(CENTRE, CENTRE, SIDE, SIDE, NIGHT);
  await pen.disc(CENTRE, CENTRE, RADIUS - 22, RADIUS - 22, COPPER);
  await pen.disc(CENTRE, CENTRE, RADIUS - 28, RADIUS - 28, NIGHT);
  await drawLantern(pen);
  await drawBean(pen.at({ x: CENTRE, y: 342, scale: 1, turn: 0.42 }));
  const sharp = await loadSharp();
  const mark = { raw: { width: SIDE, height: SIDE, channels: 4 } } as const;
  return new Uint8Array(await sharp(rounded(canvas.data), mark).png().toBuffer());
}

async function drawLantern(pen: Pen): Promise<void> {
  await pen.line([CENTRE, 92, CENTRE, 148], 12, COPPER);
  await pen.path("M248 144 L392 144 L406 170 L234 170 Z", COPPER);
  for (const [left, right] of FOLDS) {
    await pen.path(left, PAPER);
    await pen.path(right, SHADED);
  }
  await pen.path("M240 508 L400 508 L388 534 L252 534 Z", COPPER);
  await pen.line([CENTRE, 534, CENTRE, 560], 10, COPPER);
}

async function drawBean(pen: Pen): Promise<void> {
  await pen.disc(0, 0, 54, 74, COPPER);
  await pen.curve([5, -64, -13, -24, 12, 24, -5, 64], 11, PAPER);
}

/** RGB with an opacity that ends smoothly at the mark's edge. */
function rounded(data: Uint8ClampedArray): Uint8Array {
  const pixels = new Uint8Array(SIDE * SIDE * 4);
  for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
    const [x, y] = [pixel % SIDE + 0.5 - CENTRE, Math.floor(pixel / SIDE) + 0.5 - CENTRE];
    const inside = RADIUS - Math.hypot(x, y) + 0.5;
    pixels.set(data.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    pixels[pixel * 4 + 3] = Math.round(255 * Math.min(1, Math.max(0, inside)));
  }
  return pixels;
}
