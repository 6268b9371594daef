/** A bookshop: shelves to the ceiling, a table with an open book, a lamp. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { pick } from "../../../foundation/chance.ts";
import { paintWall } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import { paintPot, paintStack } from "./potted.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintBookshop(canvas: Canvas, _: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const floor = height * 0.84;
  await paintWall(canvas, palette, floor);
  const shelf = penAt(canvas, { x: 0, y: floor, scale: unit });
  await paintShelves(shelf, palette, width / unit, floor / unit, random);
  const table = penAt(canvas, {
    x: width / 2,
    y: height * 0.8,
    scale: Math.min(width, unit * 1.2),
  });
  await table.shade(0, 0.14, 0.48, 0.06, palette.shade, 0.5);
  await table.path("M-.36 .02 H.36 L.34 .3 H-.34 Z", darker(palette.wood, 0.28));
  await table.box(-0.42, -0.02, 0.84, 0.05, 0.015, lighter(palette.wood, 0.2));
  await paintOpenBook(table.at({ x: 0.02, y: -0.02, scale: 0.3 }), palette);
  await paintStack(table.at({ x: -0.29, y: -0.02, scale: 0.2 }), palette, random, 4);
  await paintPot(table.at({ x: 0.31, y: -0.02, scale: 0.12 }), palette, random);
  await paintLamp(penAt(canvas, { x: width / 2, y: 0, scale: unit }), palette, height / unit * 0.2);
}

async function paintShelves(
  pen: Pen,
  palette: Palette,
  wide: number,
  high: number,
  random: () => number,
): Promise<void> {
  const board = mix(palette.wood, palette.ink, 0.3);
  const back = mix(board, palette.ink, 0.45);
  const covers: Rgb[] = [
    palette.hero,
    palette.second,
    palette.third,
    palette.panel,
    palette.white,
    lighter(palette.hero, 0.35),
  ];
  const row = 0.235;
  const margin = Math.max(0.05, (wide - 1.5) / 2);
  const top = -high + Math.max(0.09, high % row);
  await pen.box(margin - 0.03, top - 0.02, wide - 2 * margin + 0.06, -top + 0.02, 0, board);
  for (let y = top + row; y <= 0.01; y += row) {
    await pen.box(margin, y - row + 0.012, wide - 2 * margin, row - 0.012, 0, {
      from: darker(back, 0.2),
      to: back,
    });
    for (let x = margin + 0.012; x < wide - margin - 0.03;) {
      if (random() < 0.07) {
        x += 0.05;
        continue;
      }
      const [thick, tall] = [0.02 + 0.03 * random(), row * (0.58 + 0.26 * random())];
      if (x + thick > wide - margin - 0.01) break;
      const cover = mix(pick(random, covers), palette.ink, 0.1 + 0.12 * random());
      await pen.box(x, y - tall, thick - 0.003, tall, 0.003, cover);
      await pen.box(x, y - tall * 0.82, thick - 0.003, 0.008, 0, lighter(cover, 0.4));
      x += thick;
    }
    await pen.box(margin, y, wide - 2 * margin, 0.014, 0, lighter(board, 0.12));
  }
}

async function paintOpenBook(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0, 0, 0.6, 0.06, palette.shade, 0.5);
  await pen.path(
    "M-.52 -.3 L0 -.2 L.52 -.3 L.56 -.02 Q.3 -.06 0 0 Q-.3 -.06 -.56 -.02 Z",
    palette.hero,
  );
  await pen.path("M-.48 -.36 Q-.22 -.42 0 -.3 V-.04 Q-.26 -.12 -.52 -.06 Z", palette.white);
  await pen.path("M.48 -.36 Q.22 -.42 0 -.3 V-.04 Q.26 -.12 .52 -.06 Z", {
    from: palette.white,
    to: darker(palette.white, 0.1),
    isAcross: true,
  });
  for (let line = 0; line < 4; line++) {
    const y = -0.32 + line * 0.055;
    await pen.line([-0.42, y - 0.012, -0.1, y + 0.012], 0.012, darker(palette.white, 0.3));
    await pen.line([0.1, y + 0.012, 0.42, y - 0.012], 0.012, darker(palette.white, 0.3));
  }
}

/** A pendant lamp with its pool of light, hanging `long` from the top edge. */
export async function paintLamp(pen: Pen, palette: Palette, long: number): Promise<void> {
  await pen.line([0, -0.02, 0, long - 0.08], 0.008, palette.ink);
  await pen.shade(0, long + 0.1, 0.36, 0.3, palette.light, 0.5);
  await pen.path(
    `M-.03 ${long - 0.1} H.03 Q.13 ${long - 0.06} .14 ${long} H-.14 Q-.13 ${long - 0.06} -.03 ${
      long - 0.1
    } Z`,
    rounded(palette.hero),
  );
  await pen.disc(0, long, 0.045, 0.03, palette.light);
}
