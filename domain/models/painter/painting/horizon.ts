/** Paints landscapes: ridges in the haze, with trees, snow, dunes or water if the prompt names them. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { blend, type Canvas, clamp, fill, setBetween, smooth } from "./canvas.ts";
import { lineNoise } from "./noise.ts";
import { paintSky, sunOf } from "./sky.ts";
import type { Tones } from "./tones.ts";
import { paintWater } from "./water.ts";
import type { Brief } from "./words.ts";

export async function paintHorizon(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { height, unit, random } = canvas;
  const horizon = height * (0.6 + 0.06 * random());
  const sun = sunOf(canvas, brief.hour, horizon);
  await paintSky(canvas, tones, brief.hour, horizon + unit * 0.1, sun);
  const shore = brief.hasWater ? height * 0.68 : height;
  const layers = brief.isSea ? 2 : brief.hasWater ? 3 : 5;
  for (let layer = 0; layer < layers; layer++) {
    const depth = layer / (layers - 1);
    const base = brief.hasWater
      ? shore - unit * (brief.isSea ? 0.035 - 0.03 * depth : 0.13 - 0.1 * depth)
      : horizon + (height * 1.02 - horizon) * depth ** 1.3 * 0.8;
    const heights = ridge(canvas, brief, base, depth);
    const isNear = depth > 0.7 && !brief.isDry;
    if (brief.hasTrees && depth > 0.3) plantPines(canvas, heights, depth);
    await paintRidge(canvas, brief, tones, heights, depth, sun.x, isNear ? shore : height);
  }
  if (brief.hasWater) await paintWater(canvas, tones, shore, sun);
}

/** The upper edge of a ridge: a height for each column. */
function ridge(canvas: Canvas, brief: Brief, base: number, depth: number): Float32Array {
  const { width, unit, random } = canvas;
  const noise = lineNoise(random, brief.isDry ? 2 : 6);
  const start = random() * 200;
  const isPeaky = !brief.isDry && depth < 0.5;
  const rise = unit * (isPeaky ? 0.3 - 0.3 * depth : brief.isDry ? 0.14 : 0.1) *
    (brief.isSea ? 0.12 : brief.hasWater ? 0.6 : 1);
  const pace = (isPeaky ? 2.6 : 1.5) + depth;
  return Float32Array.from({ length: width + 1 }, (_, x) => {
    const value = noise(start + x / unit * pace);
    return base - rise * (isPeaky ? 1.1 - 1.9 * Math.abs(value) : value);
  });
}

/** Raises the columns of a ridge to the crowns of pines. */
function plantPines({ width, unit, random }: Canvas, heights: Float32Array, depth: number): void {
  const size = unit * (0.035 + 0.15 * depth * depth);
  for (let at = -size * random(); at < width + size; at += size * (0.14 + 0.34 * random())) {
    const tall = size * (0.55 + 0.75 * random());
    const half = tall * 0.2;
    const foot = heights[Math.min(width, Math.max(0, Math.round(at)))]!;
    for (let x = Math.max(0, Math.ceil(at - half)); x <= Math.min(width, at + half); x++) {
      const out = Math.abs(x - at) / half;
      const twig = (Math.sin(out * 19 + at) * 0.5 + 0.5) * 0.16 * out;
      heights[x] = Math.min(heights[x]!, foot - tall * (1 - out) ** 1.25 * (1 - twig));
    }
  }
}

async function paintRidge(
  canvas: Canvas,
  brief: Brief,
  tones: Tones,
  heights: Float32Array,
  depth: number,
  sunX: number,
  bottom: number,
): Promise<void> {
  const { width, unit } = canvas;
  const colour = mix(tones.far, tones.near, depth);
  const haze: Rgb = mix(colour, tones.skyLow, 0.62 * (1 - depth * 0.75));
  const lit = mix(colour, tones.light, 0.3 * (1 - 0.6 * depth));
  const reach = unit * (0.3 + 0.15 * depth);
  const top = heights.reduce((least, value) => Math.min(least, value), bottom);
  const relief = lineNoise(canvas.random, 5);
  await fill(canvas, (x, y, paint) => {
    const column = Math.floor(x);
    const edge = heights[column]!;
    const inside = y - edge;
    if (inside < -0.7) {
      paint[3] = 0;
      return;
    }
    const down = clamp(inside / reach);
    setBetween(paint, colour, haze, brief.hasTrees ? down * 0.7 : down);
    if (!brief.hasTrees || depth < 0.3) {
      // Spurs run down at an angle; straight down they would look like a curtain.
      const aside = column + Math.round(inside * 0.55 * Math.sign(relief(column / unit * 2.2)));
      const far = Math.min(width, Math.max(14, aside + 7));
      const near = Math.max(0, Math.min(width - 14, aside - 7));
      const slope = (heights[far]! - heights[near]!) / 14 +
        relief(y / unit * 5 + x / unit * 4) * 0.5;
      const fromSun = Math.max(-1, Math.min(1, (x - sunX) / (unit * 0.3)));
      const facing = clamp(slope * fromSun * (brief.isDry ? 1.6 : 0.8));
      blend(paint, lit, facing * (1 - down) * 0.9);
      if (brief.hasSnow && depth < 0.5) {
        const cap = smooth(unit * 0.11, unit * 0.02, inside + relief(x / unit * 14) * unit * 0.06);
        blend(paint, tones.paper, cap * (0.55 + 0.4 * facing));
      }
    }
    paint[3] = clamp(inside + 0.7);
  }, { left: 0, top: top - 1, width, height: bottom - top + 1 });
}
