/** A Christmas tree with its presents. */
import { pick } from "../../../foundation/chance.ts";
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { paintWall } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { type Palette } from "./palette.ts";
import { penAt, rounded } from "./pen.ts";
import { paintGift } from "./sale.ts";

export async function paintChristmas(canvas: Canvas, palette: Palette): Promise<void> {
  const { width, height, unit, random } = canvas;
  const floor = height * 0.82;
  await paintWall(canvas, palette, floor);
  const pen = penAt(canvas, {
    x: width / 2,
    y: floor + unit * 0.05,
    scale: Math.min(unit * 0.78, floor * 0.8),
  });
  const green = mix([44, 96, 72], palette.leaf, 0.3);
  await pen.shade(0, 0, 0.46, 0.06, palette.shade, 0.5);
  await pen.box(-0.05, -0.14, 0.1, 0.14, 0, palette.wood);
  for (const [y, half] of [[-0.12, 0.4], [-0.38, 0.32], [-0.62, 0.23]] as const) {
    await pen.path(
      `M0 ${y - 0.42} C${half * 0.3} ${y - 0.2} ${half * 0.7} ${y - 0.06} ${half} ${y} Q0 ${
        y + 0.07
      } ${-half} ${y} C${-half * 0.7} ${y - 0.06} ${-half * 0.3} ${y - 0.2} 0 ${y - 0.42} Z`,
      rounded(green, 0.14),
    );
  }
  const balls: Rgb[] = [palette.hero, palette.light, palette.third, [196, 58, 54]];
  for (
    const [x, y] of [
      [-0.24, -0.17],
      [0, -0.2],
      [0.24, -0.16],
      [-0.12, -0.38],
      [0.16, -0.42],
      [-0.03, -0.6],
      [0.09, -0.74],
      [-0.18, -0.45],
      [0.12, -0.13],
    ] as const
  ) {
    await pen.shade(x, y, 0.07, 0.07, palette.light, 0.35);
    await pen.disc(x, y, 0.034, 0.034, rounded(pick(random, balls)));
  }
  await pen.path(
    "M0 -1.16 L.03 -1.06 L.12 -1.05 L.045 -1 L.075 -.91 L0 -.96 L-.075 -.91 L-.045 -1 L-.12 -1.05 L-.03 -1.06 Z",
    [248, 206, 104],
  );
  await paintGift(pen.at({ x: -0.32, y: 0.04, scale: 0.24 }), palette.hero, palette.white, palette);
  await paintGift(
    pen.at({ x: 0.33, y: 0.05, scale: 0.28 }),
    palette.second,
    palette.light,
    palette,
  );
}
