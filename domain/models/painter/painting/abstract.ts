/** Paints abstract grounds: colours that blend into each other, with ribbons folded over them. */
import { BLACK, mix, WHITE } from "../../../media/images/colour.ts";
import { blend, type Canvas, clamp, fill, setBetween, smooth } from "./canvas.ts";
import { fieldNoise, lineNoise } from "./noise.ts";
import { disc, shadow } from "./shapes.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintAbstract(canvas: Canvas, _: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  await paintBlend(canvas, tones);
  const orb = {
    x: width * (0.3 + 0.4 * random()),
    y: height * (0.26 + 0.14 * random()),
    radius: unit * (0.16 + 0.05 * random()),
  };
  const round = { x: orb.x, y: orb.y, radiusX: orb.radius, radiusY: orb.radius };
  const halo = { ...round, radiusX: orb.radius * 2.2, radiusY: orb.radius * 2.2 };
  await shadow(canvas, halo, tones.light, 0.5);
  await disc(canvas, round, mix(tones.third, tones.light, 0.35), 0.3);
  const colours = [tones.third, tones.second, tones.main, tones.near];
  for (const [layer, colour] of colours.entries()) {
    await paintRibbon(canvas, tones, colour, layer / (colours.length - 1));
  }
}

/** Soft fields of the three colours, bent by noise. */
async function paintBlend(canvas: Canvas, tones: Tones): Promise<void> {
  const { unit, random } = canvas;
  const noise = fieldNoise(random);
  const [u, v] = [random() * 4, random() * 4];
  await fill(canvas, (x, y, paint) => {
    const [atX, atY] = [x / unit * 0.36, y / unit * 0.36];
    const bend = noise(atX + u, atY + v) * 0.7;
    const one = noise(atX + bend, atY + u);
    const two = noise(atX + v, atY + bend + 2);
    setBetween(paint, tones.paper, tones.main, smooth(0.25, 0.68, one));
    blend(paint, tones.second, smooth(0.38, 0.72, two) * 0.85);
    blend(paint, tones.light, smooth(0.55, 0.8, bend / 0.7) * 0.4);
  });
}

/** A sheet with a bright upper edge that casts a shadow on the ground behind it. */
async function paintRibbon(
  canvas: Canvas,
  tones: Tones,
  colour: Tones["main"],
  depth: number,
): Promise<void> {
  const { width, height, unit, random } = canvas;
  const noise = lineNoise(random, 2);
  const start = random() * 100;
  const base = height * (0.5 + 0.36 * depth);
  const slope = (random() - 0.5) * 0.5;
  const heights = Float32Array.from(
    { length: width + 1 },
    (_, x) => base + noise(start + x / unit * 1.05) * unit * 0.2 + (x - width / 2) * slope,
  );
  const top = heights.reduce((least, value) => Math.min(least, value), height);
  const bright = mix(colour, WHITE, 0.35);
  const deep = mix(mix(colour, tones.near, 0.35), BLACK, 0.12);
  const reach = unit * 0.34;
  const gloom = unit * 0.09;
  await fill(canvas, (x, y, paint) => {
    const inside = y - heights[x | 0]!;
    if (inside < 0) {
      setBetween(paint, BLACK, tones.near, 0.5);
      paint[3] = 0.3 * smooth(-gloom, 0, inside) ** 2;
      return;
    }
    setBetween(paint, bright, colour, smooth(0, 0.3, inside / reach));
    blend(paint, deep, smooth(0.25, 1.1, inside / reach));
    blend(paint, WHITE, 0.5 * clamp(1 - inside / (unit * 0.004)));
    paint[3] = clamp(inside + 0.3);
  }, { left: 0, top: top - gloom, width, height: height - top + gloom });
}
