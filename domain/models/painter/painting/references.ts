/** Uses reference images in a painting: colours of an inspiration, the portrait of a cast photo. */
import { BLACK, mix, type Rgb, toOklch, WHITE } from "../../../media/images/colour.ts";
import { covering } from "../../../media/images/crop.ts";
import type { Size } from "../../../media/images/pixels.ts";
import { type Canvas, clamp, fill, setRgb, smooth } from "./canvas.ts";
import { shadow } from "./shapes.ts";
import type { Tones } from "./tones.ts";
import type { Swatch } from "./words.ts";

interface Photo extends Size {
  /** RGB, three bytes a pixel. */
  data: Uint8Array;
}

const SIDE = 40;
const BINS = 18;

/** The strongest colours of some images, at most `count`, the strongest first. */
export async function swatchesOf(pictures: Uint8Array[], count: number): Promise<Swatch[]> {
  const bins = Array.from({ length: BINS }, () => ({ weight: 0, lightness: 0, chroma: 0, hue: 0 }));
  for (const bytes of pictures) {
    const { data } = await photoOf(bytes, { width: SIDE, height: SIDE });
    for (let at = 0; at < data.length; at += 3) {
      const { lightness, chroma, hue } = toOklch([data[at]!, data[at + 1]!, data[at + 2]!]);
      const bin = bins[Math.floor(hue / 360 * BINS) % BINS]!;
      // Grey has no hue, and very dark or light colours have little.
      const weight = chroma * chroma * clamp(lightness * 1.6) + 1e-9;
      bin.weight += weight;
      bin.lightness += lightness * weight;
      bin.chroma += chroma * weight;
      bin.hue += hue * weight;
    }
  }
  // Empty bins have no colour, so images with few colours give fewer than `count`.
  const filled = bins.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  return filled.slice(0, count).map((bin) => ({
    lightness: Math.min(0.85, Math.max(0.4, bin.lightness / bin.weight)),
    chroma: Math.min(0.2, bin.chroma / bin.weight * 1.15),
    hue: bin.hue / bin.weight,
  }));
}

/** Puts a person's photo into the scene: framed, in an arch of light, like a printed card. */
export async function paintPortrait(
  canvas: Canvas,
  tones: Tones,
  photos: Uint8Array[],
): Promise<void> {
  const { width, height, unit, random } = canvas;
  const radius = unit * 0.27;
  const tall = Math.min(height * 0.66, radius * 2.75);
  const side = random() < 0.5 ? -1 : 1;
  const x = width / 2 + side * Math.max(0, width - height) * 0.16;
  const foot = height * 0.5 + tall * 0.54;
  await shadow(
    canvas,
    {
      x: x + unit * 0.02,
      y: foot - tall * 0.44,
      radiusX: radius * 1.6,
      radiusY: tall * 0.74,
    },
    mix(tones.near, BLACK, 0.5),
    0.8,
  );
  const frame = unit * 0.018;
  const rim = mix(tones.paper, WHITE, 0.5);
  const halo = {
    x,
    foot: foot + frame * 2.4,
    radius: radius + frame * 2.4,
    height: tall + frame * 4.8,
  };
  await fillArch(canvas, halo, () => tones.third);
  await fillArch(canvas, {
    x,
    foot: foot + frame,
    radius: radius + frame,
    height: tall + frame * 2,
  }, () => rim);
  await paintPhoto(canvas, photos[0]!, { x, foot, radius, height: tall });
  const [, second] = photos;
  if (second === undefined) return;
  const small = radius * 0.46;
  const corner = {
    x: x + side * radius * 0.98,
    foot: foot + small * 0.5,
    radius: small,
    height: small * 2,
  };
  const edge = { ...corner, foot: corner.foot + frame * 0.8, radius: small + frame * 0.8 };
  await fillArch(canvas, { ...edge, height: edge.radius * 2 }, () => rim, true);
  await paintPhoto(canvas, second, corner, true);
}

interface Arch {
  x: number;
  foot: number;
  radius: number;
  height: number;
}

async function paintPhoto(
  canvas: Canvas,
  bytes: Uint8Array,
  at: Arch,
  isRound = false,
): Promise<void> {
  const size = { width: Math.ceil(at.radius * 2) + 2, height: Math.ceil(at.height) + 2 };
  const photo = await photoOf(bytes, size);
  const colour: [number, number, number] = [0, 0, 0];
  await fillArch(canvas, at, (x, y) => {
    const column = Math.min(size.width - 1, Math.max(0, Math.floor(x - at.x + at.radius)));
    const row = Math.min(size.height - 1, Math.max(0, Math.floor(y - at.foot + at.height)));
    const from = (row * size.width + column) * 3;
    colour[0] = photo.data[from]!;
    colour[1] = photo.data[from + 1]!;
    colour[2] = photo.data[from + 2]!;
    return colour;
  }, isRound);
}

async function fillArch(
  canvas: Canvas,
  { x: x0, foot, radius, height }: Arch,
  colourAt: (x: number, y: number) => Rgb,
  isRound = false,
): Promise<void> {
  const shoulder = foot - height + radius;
  const corner = isRound ? radius : radius * 0.12;
  await fill(canvas, (x, y, paint) => {
    const dx = Math.abs(x - x0);
    const up = y < shoulder
      ? Math.sqrt(dx * dx + (y - shoulder) * (y - shoulder)) - radius
      : dx - radius;
    const inX = dx - radius + corner;
    const inY = y - foot + corner;
    const low = inX > 0 && inY > 0 ? Math.sqrt(inX * inX + inY * inY) - corner : y - foot;
    setRgb(paint, colourAt(x, y));
    paint[3] = smooth(0.6, -0.6, Math.max(up, low));
  }, { left: x0 - radius - 1, top: foot - height - 1, width: radius * 2 + 2, height: height + 2 });
}

async function photoOf(bytes: Uint8Array, size: Size): Promise<Photo> {
  const { data, info } = await (await covering(bytes, size))
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
