/** Drinks on a counter: beer, wine, something cold with ice, or tea. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { paintHalo, paintWall } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { paintMug } from "./people.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

const GLASS: Rgb = [236, 244, 248];

export async function paintDrinks(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit } = canvas;
  const palette = paletteOf(tones);
  const counter = height * 0.78;
  await paintWall(canvas, palette, height);
  await paintHalo(canvas, palette, { x: width / 2, foot: counter, radius: unit * 0.38 });
  const scale = Math.min(unit, counter);
  const pen = penAt(canvas, { x: width / 2, y: counter, scale });
  const half = width / scale / 2;
  await pen.box(-half, 0.07, 2 * half, 0.5, 0, {
    from: darker(palette.wood, 0.2),
    to: darker(palette.wood, 0.4),
  });
  await pen.box(-half, -0.02, 2 * half, 0.1, 0, {
    from: lighter(palette.wood, 0.3),
    to: lighter(palette.wood, 0.1),
  });
  const at = (x: number, share: number, y = 0.03) => pen.at({ x, y, scale: share });
  for (const x of [-0.2, 0.2]) await pen.shade(x, 0.035, 0.17, 0.025, palette.shade, 0.4);
  if (brief.kind === "beer") {
    await paintBeer(pen.at({ x: -0.18, y: 0.03, scale: 0.5, isFlipped: true }), palette);
    await paintBeer(at(0.17, 0.46, 0.045), palette);
  } else if (brief.kind === "wine") {
    await paintBottle(at(-0.2, 0.62), palette);
    await paintWine(at(0.06, 0.5, 0.035), [142, 36, 60]);
    await paintWine(at(0.28, 0.46, 0.05), [236, 202, 122]);
  } else if (brief.kind === "tea") {
    await paintTeapot(at(-0.12, 0.36), palette);
    await paintMug(at(0.26, 0.2, 0.04), palette, [196, 128, 56]);
  } else {
    await paintLongDrink(at(-0.17, 0.5), mix(palette.hero, [244, 150, 60], 0.3), palette);
    await paintLongDrink(
      pen.at({ x: 0.19, y: 0.045, scale: 0.45, isFlipped: true }),
      mix(palette.third, [240, 200, 90], 0.4),
      palette,
    );
    for (
      const [x, y, colour] of [[0.0, 0.05, [246, 206, 72]], [0.42, 0.05, [124, 176, 76]]] as const
    ) {
      await pen.disc(x, y - 0.045, 0.055, 0.055, colour);
      await pen.disc(x, y - 0.045, 0.045, 0.045, lighter(colour, 0.45));
      await pen.disc(x, y - 0.045, 0.012, 0.012, colour);
    }
  }
}

async function paintBeer(pen: Pen, palette: Palette): Promise<void> {
  const ring = [0.3, -0.68, 0.5, -0.64, 0.52, -0.3, 0.29, -0.22];
  await pen.curve(ring, 0.075, darker(GLASS, 0.12));
  const beer: Rgb = mix([232, 168, 52], palette.hero, 0.08);
  await pen.path("M-.32 -.78 H.32 L.29 0 H-.29 Z", rounded(beer, 0.16));
  for (const x of [-0.17, 0, 0.17]) {
    await pen.box(x - 0.03, -0.62, 0.06, 0.54, 0.03, lighter(beer, 0.3));
  }
  for (
    const [x, y, size] of [[-0.22, -0.84, 0.14], [0, -0.9, 0.17], [0.2, -0.84, 0.15], [
      -0.05,
      -0.78,
      0.2,
    ], [0.16, -0.78, 0.14]] as const
  ) {
    await pen.disc(x, y, size, size * 0.8, [255, 250, 240]);
  }
  await pen.path("M-.32 -.8 H.32 V-.72 Q.2 -.64 .1 -.7 Q0 -.62 -.12 -.7 Q-.22 -.66 -.32 -.72 Z", [
    255,
    250,
    240,
  ]);
  await pen.box(-0.3, -0.05, 0.6, 0.06, 0.02, GLASS);
}

async function paintWine(pen: Pen, wine: Rgb): Promise<void> {
  await pen.box(-0.016, -0.5, 0.032, 0.5, 0.01, GLASS);
  await pen.disc(0, 0, 0.19, 0.03, GLASS);
  await pen.path(
    "M-.2 -1.08 H.2 C.28 -.8 .24 -.5 0 -.48 C-.24 -.5 -.28 -.8 -.2 -1.08 Z",
    GLASS,
    0.55,
  );
  await pen.path(
    "M-.235 -.84 H.235 C.24 -.66 .18 -.5 0 -.5 C-.18 -.5 -.24 -.66 -.235 -.84 Z",
    rounded(wine, 0.16),
  );
  await pen.disc(0, -0.84, 0.235, 0.028, lighter(wine, 0.25));
  await pen.line([-0.17, -1, -0.19, -0.78], 0.02, [255, 255, 255], 0.8);
}

async function paintBottle(pen: Pen, palette: Palette): Promise<void> {
  const glass = mix([44, 74, 58], palette.hero, 0.2);
  await pen.path(
    "M-.06 -1.12 H.06 V-.8 C.08 -.7 .19 -.68 .19 -.54 V-.04 Q.19 0 .15 0 H-.15 Q-.19 0 -.19 -.04 V-.54 C-.19 -.68 -.08 -.7 -.06 -.8 Z",
    rounded(glass, 0.24),
  );
  await pen.box(-0.07, -1.16, 0.14, 0.2, 0.015, rounded(palette.hero));
  await pen.box(-0.19, -0.46, 0.38, 0.3, 0, rounded(palette.white, 0.08));
  await pen.disc(0, -0.31, 0.09, 0.09, palette.third);
  await pen.path("M-.07 -.27 Q-.02 -.36 .02 -.29 Q.05 -.34 .08 -.27 Z", palette.hero);
}

async function paintLongDrink(pen: Pen, drink: Rgb, palette: Palette): Promise<void> {
  await pen.line([0.02, -0.1, 0.2, -1.12, 0.34, -1.16], 0.035, palette.second);
  await pen.path("M-.27 -.92 H.27 L.22 0 H-.22 Z", GLASS, 0.5);
  await pen.path("M-.258 -.76 H.258 L.22 -.02 H-.22 Z", { from: lighter(drink, 0.3), to: drink });
  for (
    const [x, y, turn] of [[-0.1, -0.62, 0.3], [0.1, -0.5, -0.4], [-0.05, -0.36, 0.8]] as const
  ) {
    await pen.at({ x, y, scale: 1, turn }).box(
      -0.075,
      -0.075,
      0.15,
      0.15,
      0.03,
      lighter(drink, 0.55),
    );
  }
  for (const turn of [-0.6, 0, 0.5]) {
    const leaf = pen.at({ x: -0.1, y: -0.86, scale: 0.2, turn });
    await leaf.path("M0 0 C-.36 -.3 -.3 -.8 0 -1 C.3 -.8 .36 -.3 0 0 Z", palette.leaf);
  }
  const slice = pen.at({ x: 0.25, y: -0.9, scale: 0.15 });
  await slice.disc(0, 0, 1, 1, [246, 206, 72]);
  await slice.disc(0, 0, 0.8, 0.8, [255, 238, 168]);
  for (let wedge = 0; wedge < 6; wedge++) {
    await slice.at({ x: 0, y: 0, scale: 1, turn: wedge }).line([0, -0.1, 0, -0.7], 0.08, [
      246,
      206,
      72,
    ]);
  }
  await pen.line([-0.19, -0.84, -0.165, -0.12], 0.026, [255, 255, 255], 0.6);
}

async function paintTeapot(pen: Pen, palette: Palette): Promise<void> {
  const clay = palette.hero;
  await pen.curve([-0.5, -0.78, -0.86, -0.76, -0.86, -0.34, -0.5, -0.26], 0.11, darker(clay, 0.2));
  await pen.path(
    "M.45 -.34 C.7 -.36 .66 -.78 .9 -.86 L1 -.78 C.86 -.62 .86 -.18 .45 -.12 Z",
    darker(clay, 0.12),
  );
  await pen.path(
    "M-.42 -.86 H.42 C.72 -.7 .7 -.1 .36 0 H-.36 C-.7 -.1 -.72 -.7 -.42 -.86 Z",
    rounded(clay, 0.2),
  );
  await pen.path("M-.4 -.86 Q0 -1.08 .4 -.86 Z", rounded(lighter(clay, 0.12), 0.16));
  await pen.disc(0, -1, 0.075, 0.075, darker(clay, 0.15));
  for (const x of [-0.2, 0, 0.2]) {
    await pen.path(
      `M${x} -.28 C${x - 0.12} -.42 ${x - 0.1} -.6 ${x} -.66 C${x + 0.1} -.6 ${
        x + 0.12
      } -.42 ${x} -.28 Z`,
      lighter(clay, 0.35),
    );
  }
}
