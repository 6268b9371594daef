/** A team at a table: three or four people, their papers and cups, daylight from a window. */
import { mix } from "../../../media/images/colour.ts";
import { paintWall, paintWindow } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { paintBust, personOf } from "./figure.ts";
import { paintLaptop } from "./gadgets.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { paintMug } from "./people.ts";
import { type Pen, penAt } from "./pen.ts";
import { paintPot } from "./potted.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintTeam(canvas: Canvas, _: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const table = height * 0.76;
  await paintWall(canvas, palette, height * 0.9);
  const side = random() < 0.5 ? -1 : 1;
  const middle = width / 2;
  const view = { width: unit * 0.42, height: Math.min(unit * 0.46, table * 0.5) };
  await paintWindow(canvas, palette, tones, {
    ...view,
    x: middle + side * unit * 0.16 - view.width / 2,
    y: table - unit * 0.74,
  });
  const pot = { x: middle - side * unit * 0.37, y: table + unit * 0.02, scale: unit * 0.26 };
  await paintPot(penAt(canvas, pot), palette, random);
  const reach = Math.min(width * 0.92, unit * 1.25);
  const count = width > height ? 4 : 3;
  const clothes = [
    palette.hero,
    palette.second,
    palette.third,
    mix(palette.ink, palette.hero, 0.3),
  ];
  const scale = unit * 0.078;
  for (let seat = 0; seat < count; seat++) {
    const person = personOf(canvas, clothes[seat]!);
    const x = middle + (seat - (count - 1) / 2) * reach / count;
    const lean = (random() - 0.5) * 0.06;
    const pen = penAt(canvas, {
      x,
      y: table - scale * 4.55,
      scale,
      isFlipped: x > middle,
      turn: lean,
    });
    await paintBust(pen, palette, person);
  }
  const top = penAt(canvas, { x: middle, y: table, scale: reach / 2 });
  await paintTable(top, palette);
  await paintThings(top, palette, unit / reach);
}

async function paintTable(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0, 0.61, 1.1, 0.08, palette.shade, 0.5);
  for (const side of [-1, 1]) {
    await pen.path(
      `M${side * 0.78} .1 L${side * 0.86} .1 L${side * 0.8} .62 L${side * 0.75} .62 Z`,
      darker(palette.wood, 0.35),
    );
  }
  const wood = lighter(palette.wood, 0.22);
  await pen.path("M-.9 0 H.9 L1.06 .16 H-1.06 Z", { from: wood, to: lighter(palette.wood, 0.1) });
  await pen.box(-1.06, 0.16, 2.12, 0.045, 0.01, darker(palette.wood, 0.12));
}

async function paintThings(pen: Pen, palette: Palette, share: number): Promise<void> {
  await paintLaptop(pen.at({ x: -0.3, y: 0.09, scale: 0.42 * share + 0.06 }), palette, true);
  await pen.path("M.1 .04 L.3 .04 L.34 .12 L.12 .12 Z", palette.white);
  await pen.path("M.28 .06 L.44 .03 L.5 .1 L.33 .13 Z", lighter(palette.third, 0.55));
  await pen.line([0.15, 0.065, 0.27, 0.065], 0.008, darker(palette.white, 0.35));
  await pen.line([0.16, 0.09, 0.29, 0.09], 0.008, darker(palette.white, 0.35));
  for (const x of [-0.72, 0.68]) {
    await pen.shade(x, 0.11, 0.12, 0.02, palette.shade, 0.4);
    await paintMug(pen.at({ x, y: 0.11, scale: 0.15 }), palette);
  }
}
