/** Paints the sky of outdoor scenes: a gradient, the sun or moon with its glow, clouds or stars. */
import type { Rgb } from "../../../media/images/colour.ts";
import { blend, type Canvas, fill, setBetween, smooth } from "./canvas.ts";
import { fieldNoise } from "./noise.ts";
import type { Tones } from "./tones.ts";
import type { Hour } from "./words.ts";

export interface Sun {
  x: number;
  y: number;
  radius: number;
}

/** The place of the sun or moon, which is low at the ends of the day. */
export function sunOf({ width, unit, random }: Canvas, hour: Hour, horizon: number): Sun {
  const height = { dawn: 0.2, day: 0.62, golden: 0.3, dusk: 0.1, night: 0.62 }[hour];
  return {
    x: width * (0.28 + 0.44 * random()),
    y: horizon * (1 - height) - unit * 0.04,
    radius: unit * (hour === "night" || hour === "day" ? 0.055 : 0.085),
  };
}

export async function paintSky(
  canvas: Canvas,
  tones: Tones,
  hour: Hour,
  horizon: number,
  sun: Sun,
): Promise<void> {
  const { unit, random } = canvas;
  const noise = fieldNoise(random);
  const drift = random() * 9;
  const isNight = hour === "night";
  const cover = isNight ? 0.12 : 0.3 + 0.25 * random();
  const cloud: Rgb = isNight ? tones.skyLow : tones.light;
  const starAt = isNight ? stars(canvas) : null;
  const box = { left: 0, top: 0, width: canvas.width, height: horizon + 2 };
  await fill(canvas, (x, y, paint) => {
    const down = y / horizon;
    setBetween(paint, tones.skyTop, tones.skyLow, smooth(0, 1, down));
    if (starAt !== null) blend(paint, tones.light, starAt(x, y) * Math.max(0, 1 - down));
    const dx = x - sun.x;
    const dy = y - sun.y;
    const away = Math.sqrt(dx * dx + dy * dy);
    const glow = away / unit * (isNight ? 7 : 3.2);
    blend(paint, tones.light, (isNight ? 0.35 : 0.75) / (1 + glow * glow * glow));
    const streak = noise(x / unit * 0.42 + drift, y / unit * 1.7);
    const fade = smooth(0, 0.25, down) * (1 - 0.6 * down);
    blend(paint, cloud, smooth(0.62 - cover * 0.35, 0.82, streak) * cover * 1.6 * fade);
    const edge = sun.radius + 0.8 - away;
    if (edge > 0) blend(paint, tones.light, Math.min(1, edge / 1.6));
  }, box);
}

function stars({ width, height, unit, random }: Canvas): (x: number, y: number) => number {
  const cell = unit * 0.03;
  const columns = Math.ceil(width / cell) + 1;
  const count = columns * (Math.ceil(height / cell) + 1);
  const [lefts, tops, sizes] = [0, 1, 2].map(() =>
    Float32Array.from({ length: count }, random)
  ) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  return (x, y) => {
    const column = Math.floor(x / cell);
    const row = Math.floor(y / cell);
    const index = row * columns + column;
    const size = sizes[index]!;
    if (size < 0.55) return 0;
    const dx = x - (column + 0.2 + 0.6 * lefts[index]!) * cell;
    const dy = y - (row + 0.2 + 0.6 * tops[index]!) * cell;
    const radius = unit * 0.0028 * size * size;
    const away = (dx * dx + dy * dy) / (radius * radius);
    return away > 4 ? 0 : size / (1 + away * away);
  };
}
