/** An animal, sitting and friendly: dog, cat, bird or horse. */
import { pick } from "../../../foundation/chance.ts";
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { paintHalo, paintOpenAir, paintWall, paintWeather } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt } from "./pen.ts";
import { paintPot } from "./potted.ts";
import { paintTree } from "./street.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

const COATS: Rgb[] = [[196, 142, 88], [226, 190, 142], [112, 78, 58], [74, 66, 68], [214, 156, 96]];

export async function paintAnimal(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const isInside = brief.kind === "cat";
  const floor = height * (isInside ? 0.8 : 0.68);
  const coat = brief.hero === null || brief.kind === "bird" ? pick(random, COATS) : tones.hero;
  if (isInside) {
    await paintWall(canvas, palette, floor);
    await paintHalo(canvas, palette, { x: width / 2, foot: floor, radius: unit * 0.38 });
    const pot = { x: width / 2 + unit * 0.36, y: floor + unit * 0.05, scale: unit * 0.2 };
    await paintPot(penAt(canvas, pot), palette, random);
  } else {
    const meadow = mix(
      [122, 162, 104],
      brief.isSea ? [222, 200, 160] : palette.leaf,
      brief.isSea ? 0.9 : 0.3,
    );
    await paintOpenAir(canvas, brief, tones, floor, meadow);
    if (!brief.isSea) {
      await paintTree(
        penAt(canvas, { x: width * 0.14, y: floor + unit * 0.02, scale: unit * 0.34 }),
        palette,
      );
    }
  }
  const foot = floor + (height - floor) * 0.5;
  const pen = penAt(canvas, {
    x: width / 2,
    y: foot,
    scale: unit * 0.62,
    isFlipped: random() < 0.5,
  });
  if (brief.kind === "cat") await paintCat(pen, palette, coat);
  else if (brief.kind === "bird") await paintBird(pen, palette);
  else if (brief.kind === "horse") {
    await paintHorse(pen.at({ x: -0.02, y: 0, scale: 1.05 }), palette, coat);
  } else await paintDog(pen, palette, coat);
  await paintWeather(canvas, brief);
}

async function paintDog(pen: Pen, palette: Palette, coat: Rgb): Promise<void> {
  const [dark, belly] = [darker(coat, 0.3), lighter(coat, 0.5)];
  await pen.shade(0.02, 0, 0.44, 0.07, palette.shade, 0.5);
  await pen.path(
    "M.22 -.12 C.4 -.12 .46 -.3 .4 -.42 C.38 -.46 .33 -.44 .34 -.4 C.38 -.3 .3 -.22 .2 -.22 Z",
    dark,
  );
  await pen.path("M-.16 -.62 C-.28 -.4 -.32 -.14 -.26 0 H.26 C.34 -.14 .28 -.44 .14 -.62 Z", {
    from: coat,
    to: darker(coat, 0.1),
  });
  await pen.path("M-.1 -.56 C-.15 -.36 -.13 -.2 0 -.16 C.13 -.2 .14 -.38 .09 -.56 Z", belly);
  for (const side of [-1, 1]) {
    await pen.disc(side * 0.21, -0.09, 0.11, 0.11, darker(coat, 0.06));
    await pen.box(side * 0.085 - 0.05, -0.36, 0.1, 0.36, 0.05, lighter(coat, 0.06));
    await pen.disc(side * 0.085, -0.025, 0.065, 0.035, belly);
    await pen.disc(side * 0.24, -0.025, 0.085, 0.035, belly);
  }
  await pen.path("M-.15 -.62 Q0 -.52 .15 -.62 L.14 -.55 Q0 -.46 -.14 -.55 Z", palette.hero);
  await pen.disc(0, -0.5, 0.028, 0.028, palette.light);
  await pen.path(
    "M-.2 -.78 C-.2 -1.04 .2 -1.04 .2 -.78 C.21 -.64 .12 -.57 0 -.57 C-.12 -.57 -.21 -.64 -.2 -.78 Z",
    coat,
  );
  await pen.path(
    "M-.05 -.96 Q0 -.98 .05 -.96 C.06 -.84 .12 -.74 .1 -.66 C.06 -.58 -.06 -.58 -.1 -.66 C-.12 -.74 -.06 -.84 -.05 -.96 Z",
    belly,
  );
  for (const side of [-1, 1]) {
    await pen.path(
      `M${side * 0.1} -.95 C${side * 0.2} -1.02 ${side * 0.28} -.94 ${side * 0.28} -.8 C${
        side * 0.28
      } -.7 ${side * 0.24} -.66 ${side * 0.21} -.7 C${side * 0.19} -.8 ${side * 0.17} -.88 ${
        side * 0.1
      } -.95 Z`,
      dark,
    );
    await pen.disc(side * 0.085, -0.79, 0.024, 0.028, [36, 26, 26]);
    await pen.disc(side * 0.085 + 0.008, -0.8, 0.008, 0.008, [255, 255, 255]);
  }
  await pen.path("M-.05 -.71 Q0 -.74 .05 -.71 Q.04 -.665 0 -.655 Q-.04 -.665 -.05 -.71 Z", [
    40,
    30,
    32,
  ]);
  const smile = [-0.075, -0.645, -0.04, -0.618, 0, -0.635, 0.04, -0.618, 0.075, -0.645];
  await pen.curve(smile, 0.011, [70, 44, 40]);
  await pen.path("M-.026 -.625 Q0 -.636 .026 -.625 V-.585 Q0 -.555 -.026 -.585 Z", [226, 112, 116]);
}

async function paintCat(pen: Pen, palette: Palette, coat: Rgb): Promise<void> {
  const [dark, belly] = [darker(coat, 0.28), lighter(coat, 0.55)];
  await pen.shade(0.02, 0, 0.42, 0.06, palette.shade, 0.5);
  await pen.curve([0.18, -0.05, 0.36, -0.06, 0.44, -0.16, 0.42, -0.3, 0.36, -0.38], 0.07, dark);
  await pen.path("M-.13 -.6 C-.24 -.4 -.28 -.14 -.23 0 H.23 C.3 -.14 .24 -.42 .12 -.6 Z", {
    from: coat,
    to: darker(coat, 0.08),
  });
  await pen.path("M-.08 -.54 C-.12 -.36 -.1 -.22 0 -.18 C.1 -.22 .12 -.36 .07 -.54 Z", belly);
  for (const side of [-1, 1]) {
    await pen.disc(side * 0.18, -0.09, 0.1, 0.1, darker(coat, 0.05));
    await pen.box(side * 0.07 - 0.042, -0.34, 0.084, 0.34, 0.042, lighter(coat, 0.05));
    await pen.disc(side * 0.07, -0.022, 0.055, 0.03, belly);
    await pen.path(
      `M${side * 0.19} -.8 L${side * 0.2} -1.02 Q${side * 0.18} -1.04 ${side * 0.05} -.9 Z`,
      coat,
    );
    await pen.path(`M${side * 0.165} -.84 L${side * 0.175} -.965 L${side * 0.09} -.9 Z`, [
      226,
      150,
      142,
    ]);
  }
  await pen.path(
    "M-.21 -.74 C-.21 -.98 .21 -.98 .21 -.74 C.21 -.62 .12 -.56 0 -.56 C-.12 -.56 -.21 -.62 -.21 -.74 Z",
    coat,
  );
  for (const x of [-0.05, 0, 0.05]) await pen.line([x, -0.9, x * 0.8, -0.83], 0.018, dark);
  await pen.disc(-0.05, -0.645, 0.062, 0.05, belly);
  await pen.disc(0.05, -0.645, 0.062, 0.05, belly);
  for (const side of [-1, 1]) {
    await pen.disc(side * 0.09, -0.745, 0.036, 0.036, mix([120, 168, 96], palette.hero, 0.2));
    await pen.disc(side * 0.09, -0.745, 0.014, 0.03, [26, 22, 26]);
    await pen.disc(side * 0.09 + 0.012, -0.757, 0.008, 0.008, [255, 255, 255]);
    for (const drop of [-0.02, 0.015]) {
      await pen.line([side * 0.09, -0.645 + drop / 2, side * 0.24, -0.65 + drop], 0.005, [
        255,
        255,
        255,
      ], 0.8);
    }
  }
  await pen.path("M-.024 -.695 H.024 L0 -.668 Z", [214, 118, 116]);
  await pen.line([-0.035, -0.64, 0, -0.655, 0.035, -0.64], 0.008, dark);
  await pen.path("M-.13 -.58 Q0 -.51 .13 -.58 L.125 -.545 Q0 -.47 -.125 -.545 Z", palette.hero);
}

async function paintBird(pen: Pen, palette: Palette): Promise<void> {
  const [coat, breast] = [palette.second, lighter(palette.hero, 0.12)];
  await pen.line(
    [-0.9, -0.08, -0.3, 0.0, 0.2, -0.02, 0.9, -0.14],
    0.06,
    mix(palette.wood, palette.ink, 0.35),
  );
  for (
    const [x, y, turn] of [[-0.62, -0.06, -0.5], [-0.5, 0.02, 2.4], [0.5, -0.08, 0.6], [
      0.66,
      -0.06,
      2.2,
    ]] as const
  ) {
    await pen.at({ x, y, scale: 0.2, turn }).path(
      "M0 0 C-.3 -.3 -.26 -.8 0 -1 C.26 -.8 .3 -.3 0 0 Z",
      palette.leaf,
    );
  }
  await pen.path("M-.3 -.2 L-.68 .14 L-.56 .2 L-.2 -.06 Z", darker(coat, 0.3));
  await pen.path(
    "M-.34 -.2 C-.34 -.44 -.14 -.54 .02 -.6 C.08 -.78 .34 -.78 .36 -.56 C.38 -.3 .24 -.04 0 -.04 C-.2 -.04 -.34 -.08 -.34 -.2 Z",
    coat,
  );
  await pen.path(
    "M.3 -.46 C.36 -.24 .22 -.05 .02 -.05 C-.04 -.05 -.1 -.06 -.13 -.08 C.06 -.14 .12 -.36 .3 -.46 Z",
    breast,
  );
  await pen.path(
    "M-.42 -.1 C-.36 -.34 -.2 -.42 .04 -.4 C.06 -.24 -.1 -.1 -.42 -.1 Z",
    darker(coat, 0.22),
  );
  await pen.line([-0.26, -0.16, -0.04, -0.24], 0.014, lighter(coat, 0.25));
  await pen.path("M.35 -.6 L.48 -.55 L.35 -.52 Z", [232, 168, 72]);
  await pen.disc(0.23, -0.6, 0.034, 0.036, [28, 24, 28]);
  await pen.disc(0.24, -0.612, 0.011, 0.011, [255, 255, 255]);
  for (const x of [-0.02, 0.08]) {
    await pen.line([x, -0.06, x, 0.0, x + 0.03, 0.015], 0.016, [206, 142, 66]);
  }
}

async function paintHorse(pen: Pen, palette: Palette, coat: Rgb): Promise<void> {
  const [dark, mane] = [darker(coat, 0.2), darker(coat, 0.55)];
  await pen.shade(0, 0, 0.56, 0.06, palette.shade, 0.5);
  await pen.path("M-.4 -.56 C-.56 -.5 -.54 -.2 -.5 -.1 C-.46 -.24 -.42 -.36 -.36 -.46 Z", mane);
  for (const [x, colour] of [[-0.26, dark], [0.14, dark], [-0.36, coat], [0.24, coat]] as const) {
    await pen.path(`M${x - 0.05} -.4 H${x + 0.055} L${x + 0.028} -.04 H${x - 0.022} Z`, colour);
    await pen.box(x - 0.035, -0.045, 0.075, 0.045, 0.01, mane);
  }
  await pen.path(
    "M-.42 -.5 C-.42 -.62 -.2 -.62 0 -.58 C.1 -.58 .16 -.66 .24 -.86 L.36 -.96 C.44 -.9 .56 -.76 .58 -.7 C.58 -.64 .5 -.62 .44 -.68 C.38 -.7 .36 -.64 .34 -.54 C.34 -.4 .3 -.3 .2 -.3 H-.3 C-.4 -.3 -.42 -.4 -.42 -.5 Z",
    { from: lighter(coat, 0.1), to: coat },
  );
  await pen.path("M.31 -.94 L.36 -1.04 L.39 -.94 Z", coat);
  await pen.path(
    "M.33 -.98 C.22 -.94 .12 -.76 .04 -.58 C.12 -.6 .2 -.64 .25 -.74 C.27 -.82 .3 -.88 .36 -.94 Z",
    mane,
  );
  await pen.disc(0.41, -0.83, 0.016, 0.02, [26, 20, 22]);
  await pen.line([0.37, -0.73, 0.47, -0.81], 0.012, palette.hero);
  await pen.line([0.35, -0.9, 0.39, -0.71], 0.012, palette.hero);
}
