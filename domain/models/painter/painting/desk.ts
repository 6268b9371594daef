/** A place to work: laptop or charts on a desk, a lamp, a mug, a plant, daylight. */
import { mix, WHITE } from "../../../media/images/colour.ts";
import { paintWall, paintWindow } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { paintLaptop, paintPhone } from "./gadgets.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { paintMug } from "./people.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import { paintFrame, paintPot, paintStack } from "./potted.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintDesk(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const top = height * 0.76;
  await paintWall(canvas, palette, height);
  const middle = width / 2;
  const side = random() < 0.5 ? -1 : 1;
  if (brief.kind === "chart") {
    await paintBoard(
      penAt(canvas, { x: middle, y: top - unit * 0.5, scale: unit * 0.62 }),
      palette,
    );
  } else {
    const view = {
      x: middle - unit * 0.42,
      y: top - unit * 0.72,
      width: unit * 0.36,
      height: unit * 0.44,
    };
    await paintWindow(
      canvas,
      palette,
      tones,
      side > 0 ? view : { ...view, x: middle + unit * 0.06 },
    );
    await paintFrame(
      penAt(canvas, { x: middle + side * unit * 0.25, y: top - unit * 0.55, scale: unit * 0.2 }),
      palette,
    );
  }
  const pen = penAt(canvas, { x: middle, y: top, scale: unit });
  const half = width / unit / 2;
  const wood = lighter(palette.wood, 0.2);
  await pen.box(-half, 0, 2 * half, 0.4, 0, { from: darker(wood, 0.3), to: darker(wood, 0.45) });
  await pen.box(-half, -0.005, 2 * half, 0.1, 0, { from: lighter(wood, 0.14), to: wood });
  await paintLaptop(pen.at({ x: 0, y: 0.06, scale: 0.5 }), palette);
  await pen.shade(-side * 0.36, 0.05, 0.09, 0.018, palette.shade, 0.4);
  await paintMug(pen.at({ x: -side * 0.35, y: 0.055, scale: 0.105 }), palette);
  await paintStack(pen.at({ x: side * 0.38, y: 0.05, scale: 0.2 }), palette, random, 3);
  await paintPot(pen.at({ x: side * 0.38, y: -0.035, scale: 0.11 }), palette, random);
  if (brief.kind === "chart") {
    await paintPhone(pen.at({ x: -side * 0.46, y: 0.06, scale: 0.17 }), palette);
  } else {await paintDeskLamp(
      pen.at({ x: -side * 0.47, y: 0.04, scale: 0.42, isFlipped: side < 0 }),
      palette,
    );}
}

async function paintDeskLamp(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.24, -0.62, 0.34, 0.34, palette.light, 0.45);
  await pen.box(-0.12, -0.04, 0.24, 0.045, 0.02, rounded(palette.hero));
  await pen.line([0, -0.03, -0.1, -0.5, 0.16, -0.86], 0.03, darker(palette.metal, 0.2));
  await pen.at({ x: 0.17, y: -0.86, scale: 1, turn: -0.5 }).path(
    "M-.06 -.05 H.06 L.15 .17 H-.15 Z",
    rounded(palette.hero),
  );
}

/** A board with figures as shapes: bars, a line that rises, a ring. */
async function paintBoard(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.03, 0.04, 0.7, 0.5, palette.shade, 0.2);
  await pen.box(-0.62, -0.42, 1.24, 0.76, 0.03, WHITE);
  const soft = mix(WHITE, palette.hero, 0.1);
  await pen.box(-0.57, -0.37, 0.7, 0.66, 0.02, soft);
  await pen.box(0.17, -0.37, 0.4, 0.31, 0.02, soft);
  await pen.box(0.17, -0.02, 0.4, 0.31, 0.02, soft);
  for (const [bar, high] of [0.14, 0.22, 0.19, 0.31, 0.38, 0.47].entries()) {
    const colour = bar === 5 ? palette.hero : mix(palette.hero, WHITE, 0.45);
    await pen.box(-0.51 + bar * 0.1, 0.24 - high, 0.06, high, 0.012, colour);
  }
  await pen.line(
    [-0.48, 0.02, -0.38, -0.08, -0.28, -0.05, -0.18, -0.17, -0.08, -0.22, 0.04, -0.31],
    0.016,
    palette.third,
  );
  await pen.disc(0.37, -0.215, 0.11, 0.11, mix(palette.second, WHITE, 0.35));
  await pen.path("M.37 -.215 V-.325 C.5 -.325 .5 -.18 .46 -.14 Z", palette.second);
  await pen.disc(0.37, -0.215, 0.055, 0.055, soft);
  for (const [row, long] of [0.3, 0.22, 0.26].entries()) {
    await pen.box(0.22, 0.05 + row * 0.075, 0.3, 0.035, 0.017, mix(palette.third, WHITE, 0.65));
    await pen.box(0.22, 0.05 + row * 0.075, long - 0.06 * row, 0.035, 0.017, palette.third);
  }
}
