/** A market stall with crates of fruit under a striped awning. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { paintOpenAir } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette } from "./palette.ts";
import { paintBunting } from "./party.ts";
import { penAt } from "./pen.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintMarket(
  canvas: Canvas,
  brief: Brief,
  tones: Tones,
  palette: Palette,
): Promise<void> {
  const { width, height, unit, random } = canvas;
  const ground = height * 0.76;
  await paintOpenAir(canvas, brief, tones, ground, mix([176, 164, 150], palette.wall, 0.35));
  const pen = penAt(canvas, {
    x: width / 2,
    y: ground + (height - ground) * 0.4,
    scale: Math.min(width, unit * 1.15),
  });
  await pen.shade(0, 0.01, 0.5, 0.05, palette.shade, 0.5);
  const pole = darker(palette.wood, 0.25);
  for (const x of [-0.38, 0.38]) await pen.box(x - 0.012, -0.66, 0.024, 0.66, 0, pole);
  await pen.box(-0.36, -0.62, 0.72, 0.4, 0, mix(palette.ink, palette.wood, 0.45));
  await pen.box(-0.41, -0.26, 0.82, 0.26, 0.01, {
    from: palette.wood,
    to: darker(palette.wood, 0.2),
  });
  for (let board = 1; board < 5; board++) {
    await pen.line(
      [-0.41, -0.26 + board * 0.052, 0.41, -0.26 + board * 0.052],
      0.004,
      darker(palette.wood, 0.3),
    );
  }
  const fruits: Rgb[] = [
    [206, 66, 56],
    [236, 156, 58],
    [118, 158, 70],
    [246, 208, 92],
    palette.hero,
  ];
  for (let crate = 0; crate < 4; crate++) {
    const at = pen.at({ x: -0.29 + crate * 0.193, y: -0.24, scale: 0.09 });
    const colour = fruits[(crate + Math.floor(random() * 2)) % fruits.length] ?? palette.hero;
    for (
      const [x, y] of [[-0.66, -0.75], [0, -0.86], [0.66, -0.75], [-0.34, -1.2], [
        0.34,
        -1.2,
      ]] as const
    ) {
      await at.disc(x, y, 0.36, 0.36, { from: lighter(colour, 0.2), to: darker(colour, 0.12) });
    }
    await at.path("M-1 -.7 H1 L.9 .05 H-.9 Z", lighter(palette.wood, 0.18));
    await at.line([-0.95, -0.32, 0.95, -0.32], 0.08, darker(palette.wood, 0.1));
  }
  const stripes = 9;
  const each = 0.96 / stripes;
  for (let stripe = 0; stripe < stripes; stripe++) {
    const x = -0.48 + stripe * each;
    const top = -0.42 + stripe * 0.84 / stripes;
    const colour = stripe % 2 === 0 ? palette.hero : palette.white;
    await pen.path(
      `M${top} -.82 H${top + 0.84 / stripes} L${x + each} -.62 V-.57 Q${
        x + each / 2
      } -.53 ${x} -.57 V-.62 Z`,
      { from: lighter(colour, 0.06), to: darker(colour, 0.06) },
    );
  }
  await paintBunting(penAt(canvas, { x: 0, y: 0, scale: unit }), palette, width / unit, 0.05);
}
