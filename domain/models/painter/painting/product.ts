/** A product on a podium: bottle, jar, shoe, bag, watch, phone or a plain box. */
import { mix } from "../../../media/images/colour.ts";
import { paintHalo, paintWall } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { paintPhone } from "./gadgets.ts";
import { paintBag, paintShoe, paintWatch } from "./fashion.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import { cylinder } from "./shapes.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

type Maker = (pen: Pen, palette: Palette) => Promise<void>;

const PRODUCTS: Record<string, Maker> = {
  bottle: paintBottles,
  jar: paintJars,
  shoe: paintShoe,
  bag: paintBag,
  watch: paintWatch,
  phone: paintPhones,
  box: paintBoxes,
};

export async function paintProduct(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const floor = height * 0.72;
  await paintWall(canvas, palette, floor);
  const x = width / 2;
  await paintHalo(canvas, palette, { x, foot: floor, radius: unit * 0.37 });
  const foot = floor + (height - floor) * 0.42;
  const stage = { x, foot, radius: unit * 0.3, height: unit * 0.1 };
  const pen = penAt(canvas, { x, y: foot, scale: unit });
  await pen.shade(0.07, 0.05, 0.46, 0.1, palette.shade, 0.45);
  await cylinder(canvas, stage, mix(palette.wall, palette.white, 0.35));
  await paintSprigs(pen.at({ x: random() < 0.5 ? 0.38 : -0.38, y: 0.05, scale: 1 }), palette);
  const top = penAt(canvas, { x, y: foot - stage.height + unit * 0.012, scale: unit * 0.44 });
  await (PRODUCTS[brief.kind] ?? paintBoxes)(top, palette);
}

async function paintSprigs(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.02, 0, 0.12, 0.025, palette.shade, 0.4);
  for (const [turn, long] of [[-0.5, 0.24], [0.1, 0.3], [0.6, 0.22]] as const) {
    const blade = pen.at({ x: 0, y: 0, scale: long, turn });
    await blade.path(
      "M0 0 C-.24 -.3 -.2 -.8 0 -1 C.2 -.8 .24 -.3 0 0 Z",
      mix(palette.leaf, palette.wall, 0.25),
    );
  }
  await pen.disc(0, -0.03, 0.055, 0.05, rounded(palette.third));
}

async function paintBottles(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.06, 0, 0.36, 0.05, palette.shade, 0.5);
  const body = palette.hero;
  await pen.box(-0.08, -1.02, 0.16, 0.16, 0.02, rounded(palette.ink));
  await pen.box(-0.055, -0.88, 0.11, 0.1, 0, rounded(darker(body, 0.2)));
  await pen.path(
    "M-.055 -.8 Q-.24 -.76 -.24 -.6 V-.05 Q-.24 .02 -.17 .02 H.17 Q.24 .02 .24 -.05 V-.6 Q.24 -.76 .055 -.8 Z",
    rounded(body, 0.24),
  );
  await pen.box(-0.24, -0.5, 0.48, 0.32, 0, rounded(lighter(palette.white, 0.2), 0.08));
  await paintEmblem(pen.at({ x: 0, y: -0.34, scale: 0.09 }), palette);
  await pen.box(-0.19, -0.68, 0.03, 0.6, 0.015, lighter(body, 0.5));
  const small = pen.at({ x: 0.4, y: 0.03, scale: 0.62 });
  await paintJar(small, palette, palette.second);
}

/** A mark without letters. */
async function paintEmblem(pen: Pen, palette: Palette): Promise<void> {
  await pen.disc(0, 0, 1, 1, mix(palette.white, palette.hero, 0.3));
  await pen.path("M0 .6 C-.5 .3 -.5 -.3 0 -.7 C.5 -.3 .5 .3 0 .6 Z", palette.hero);
}

async function paintJar(pen: Pen, palette: Palette, colour: Palette["hero"]): Promise<void> {
  await pen.shade(0.05, 0, 0.4, 0.06, palette.shade, 0.5);
  await pen.box(-0.3, -0.42, 0.6, 0.44, 0.07, rounded(lighter(colour, 0.1), 0.22));
  await pen.box(-0.32, -0.58, 0.64, 0.18, 0.03, rounded(palette.ink, 0.25));
  await pen.box(-0.3, -0.32, 0.6, 0.22, 0, rounded(palette.white, 0.08));
  await paintEmblem(pen.at({ x: 0, y: -0.21, scale: 0.07 }), palette);
}

async function paintJars(pen: Pen, palette: Palette): Promise<void> {
  const tube = pen.at({ x: -0.34, y: -0.01, scale: 1 });
  await tube.shade(0.03, 0, 0.2, 0.035, palette.shade, 0.45);
  await tube.path("M-.16 -.9 H.16 L.12 -.14 H-.12 Z", rounded(palette.second));
  await tube.box(-0.12, -0.15, 0.24, 0.15, 0.02, rounded(palette.white, 0.2));
  await tube.disc(0, -0.55, 0.055, 0.055, lighter(palette.second, 0.5));
  await paintJar(pen.at({ x: 0.14, y: 0.02, scale: 1.05 }), palette, palette.hero);
  await paintJar(pen.at({ x: 0.14, y: -0.6, scale: 0.7 }), palette, palette.third);
}

async function paintPhones(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.04, 0, 0.36, 0.05, palette.shade, 0.5);
  await paintPhone(pen.at({ x: -0.16, y: 0, scale: 1.02, turn: -0.06 }), palette);
  const back = pen.at({ x: 0.26, y: 0.02, scale: 0.92, turn: 0.08 });
  await back.box(-0.25, -1, 0.5, 1, 0.07, {
    from: lighter(palette.second, 0.15),
    to: darker(palette.second, 0.1),
  });
  await back.box(-0.2, -0.95, 0.18, 0.26, 0.05, darker(palette.second, 0.2));
  await back.disc(-0.11, -0.88, 0.045, 0.045, palette.ink);
  await back.disc(-0.11, -0.76, 0.045, 0.045, palette.ink);
}

async function paintBoxes(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.06, 0, 0.5, 0.06, palette.shade, 0.5);
  await pen.path("M-.34 -.72 L.1 -.66 V.03 L-.34 -.02 Z", {
    from: lighter(palette.hero, 0.1),
    to: palette.hero,
  });
  await pen.path("M.1 -.66 L.36 -.73 V-.05 L.1 .03 Z", darker(palette.hero, 0.25));
  await pen.path("M-.34 -.72 L-.08 -.79 L.36 -.73 L.1 -.66 Z", lighter(palette.hero, 0.32));
  await pen.path("M-.24 -.5 L.0 -.467 V-.2 L-.24 -.232 Z", palette.white);
  await paintEmblem(pen.at({ x: -0.12, y: -0.35, scale: 0.08 }), palette);
  await paintJar(pen.at({ x: 0.42, y: 0.04, scale: 0.56 }), palette, palette.second);
}
