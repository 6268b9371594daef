/** A room to live in: sofa, lamp, rug, pictures, a plant. */
import { paintWall } from "./backdrop.ts";
import { paintLamp } from "./bookshop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import { paintFrame, paintPot, paintStack } from "./potted.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintHome(canvas: Canvas, _: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const floor = height * 0.76;
  await paintWall(canvas, palette, floor);
  const middle = width / 2;
  const side = random() < 0.5 ? -1 : 1;
  const deep = (height - floor) / unit;
  const pen = penAt(canvas, { x: middle, y: floor, scale: unit });
  await pen.disc(0, deep * 0.52, 0.46, deep * 0.26, lighter(palette.third, 0.35));
  await pen.disc(0, deep * 0.52, 0.4, deep * 0.21, lighter(palette.third, 0.5));
  const wall = penAt(canvas, { x: middle, y: floor - unit * 0.56, scale: unit });
  await paintFrame(wall.at({ x: -0.14, y: 0, scale: 0.2 }), palette);
  await paintFrame(wall.at({ x: 0.12, y: 0.03, scale: 0.15, isFlipped: true }), palette);
  await paintLamp(
    penAt(canvas, { x: middle + side * unit * 0.34, y: 0, scale: unit }),
    palette,
    (floor / unit) * 0.36,
  );
  await paintSofa(pen.at({ x: 0, y: deep * 0.2, scale: 0.62 }), palette);
  await paintPot(pen.at({ x: -side * 0.41, y: deep * 0.16, scale: 0.2 }), palette, random);
  const table = pen.at({ x: side * 0.41, y: deep * 0.28, scale: 0.2 });
  await table.shade(0, 0, 0.5, 0.07, palette.shade, 0.4);
  for (const x of [-0.26, 0.26]) {
    await table.line([x * 0.8, -0.56, x, 0], 0.04, darker(palette.wood, 0.2));
  }
  await table.box(-0.4, -0.62, 0.8, 0.07, 0.03, lighter(palette.wood, 0.15));
  await paintStack(table.at({ x: 0, y: -0.62, scale: 0.5 }), palette, random, 2);
}

async function paintSofa(pen: Pen, palette: Palette): Promise<void> {
  const cloth = palette.hero;
  await pen.shade(0, 0.02, 0.66, 0.06, palette.shade, 0.5);
  for (const x of [-0.46, 0.46]) {
    await pen.box(x - 0.018, -0.08, 0.036, 0.1, 0.01, darker(palette.wood, 0.3));
  }
  await pen.box(-0.5, -0.52, 1, 0.4, 0.09, { from: lighter(cloth, 0.12), to: darker(cloth, 0.12) });
  await pen.line([0, -0.5, 0, -0.25], 0.008, darker(cloth, 0.2));
  for (const x of [-0.24, 0.24]) {
    await pen.box(x - 0.235, -0.27, 0.47, 0.14, 0.05, { from: lighter(cloth, 0.22), to: cloth });
  }
  await pen.box(-0.5, -0.14, 1, 0.09, 0.02, darker(cloth, 0.18));
  for (const x of [-0.52, 0.52]) {
    await pen.box(x - 0.075, -0.36, 0.15, 0.31, 0.06, rounded(darker(cloth, 0.06), 0.1));
  }
  await pen.at({ x: -0.3, y: -0.33, scale: 1, turn: -0.18 }).box(
    -0.1,
    -0.1,
    0.2,
    0.19,
    0.05,
    rounded(palette.third),
  );
  await pen.at({ x: 0.31, y: -0.33, scale: 1, turn: 0.16 }).box(
    -0.1,
    -0.1,
    0.2,
    0.19,
    0.05,
    rounded(palette.white),
  );
}
