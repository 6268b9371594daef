/** Paints still water: the scene above it upside down, broken by ripples. */
import { blend, type Canvas, fill, setRgb, smooth } from "./canvas.ts";
import { fieldNoise } from "./noise.ts";
import type { Tones } from "./tones.ts";
import type { Sun } from "./sky.ts";

export async function paintWater(
  canvas: Canvas,
  tones: Tones,
  shore: number,
  sun: Sun,
): Promise<void> {
  const { width, height, unit, random, data } = canvas;
  const noise = fieldNoise(random);
  const depth = height - shore;
  const mirrored: [number, number, number] = [0, 0, 0];
  await fill(canvas, (x, y, paint) => {
    const down = (y - shore) / depth;
    const swell = noise(x / unit * 0.5, (y / unit) * (7 - 4 * down)) - 0.5;
    const sway = swell * unit * (0.02 + 0.13 * down);
    const fromX = Math.min(width - 1, Math.max(0, Math.floor(x + sway)));
    const fromY = Math.max(0, Math.floor(shore - (y - shore) * 1.15 + sway * 0.6) - 1);
    const at = (Math.min(fromY, Math.floor(shore) - 1) * width + fromX) * 3;
    mirrored[0] = data[at]!;
    mirrored[1] = data[at + 1]!;
    mirrored[2] = data[at + 2]!;
    setRgb(paint, mirrored);
    blend(paint, tones.near, 0.12 + 0.42 * down + Math.max(0, -swell) * 0.3);
    const across = Math.abs(x - sun.x) / unit / (0.05 + 0.16 * down);
    if (across < 2.5) {
      blend(paint, tones.light, smooth(0.06, 0.2, swell) * 0.85 / (1 + across * across * 3));
    }
  }, { left: 0, top: shore, width, height: depth });
}
