/** A street of small houses and shops: awnings, windows, a tree, a lamp. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { paintOpenAir, paintWeather } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt } from "./pen.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintStreet(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const kerb = height * 0.8;
  const paving = mix([158, 152, 148], palette.wall, 0.35);
  await paintOpenAir(canvas, brief, tones, kerb, paving);
  const pen = penAt(canvas, { x: 0, y: kerb, scale: unit });
  const wide = width / unit;
  const walls: Rgb[] = [palette.hero, palette.second, palette.third, palette.wall].map((
    colour,
    at,
  ) => mix(colour, palette.white, at === 3 ? 0.2 : 0.32));
  const isLit = brief.hour === "night" || brief.hour === "dusk";
  const houses = Math.max(3, Math.round(wide / 0.36));
  const step = wide / houses;
  const tall = Math.min(0.86, kerb / unit * 0.78);
  for (let house = 0; house < houses; house++) {
    const high = tall * (0.72 + 0.28 * random());
    const at = pen.at({ x: step * house, y: 0, scale: 1 });
    const wall = walls[house % walls.length] ?? palette.wall;
    await paintHouse(at, palette, {
      wide: step,
      high,
      wall,
      isLit,
      isShop: brief.kind === "shops",
      random,
    });
  }
  await pen.box(0, -0.005, wide, 0.05, 0, lighter(paving, 0.25));
  await pen.box(0, 0.045, wide, 0.014, 0, darker(paving, 0.2));
  await paintTree(pen.at({ x: wide * 0.1, y: 0.03, scale: 0.3 }), palette);
  await paintTree(pen.at({ x: wide * 0.93, y: 0.03, scale: 0.26 }), palette);
  await paintStreetLamp(
    pen.at({ x: wide * (0.52 + 0.1 * random()), y: 0.035, scale: 0.34 }),
    palette,
    isLit,
  );
  await paintWeather(canvas, brief);
}

interface House {
  wide: number;
  high: number;
  wall: Rgb;
  isLit: boolean;
  isShop: boolean;
  random: () => number;
}

async function paintHouse(pen: Pen, palette: Palette, house: House): Promise<void> {
  const { wide, high, wall, isLit, isShop, random } = house;
  const roof = mix(palette.ink, [150, 74, 58], 0.45);
  const eaves = -high + 0.1;
  const isGable = random() < 0.5;
  const shape = isGable
    ? `M-.01 ${eaves} L${wide / 2} ${-high - 0.06} L${wide + 0.01} ${eaves} Z`
    : `M-.01 ${eaves} L.05 ${-high + 0.01} H${wide - 0.05} L${wide + 0.01} ${eaves} Z`;
  await pen.path(shape, { from: lighter(roof, 0.12), to: roof });
  await pen.box(0, eaves, wide, -eaves, 0, { from: lighter(wall, 0.08), to: darker(wall, 0.06) });
  await pen.box(-0.005, eaves, wide + 0.01, 0.016, 0, lighter(wall, 0.4));
  const pane = isLit
    ? mix(palette.light, [255, 206, 120], 0.5)
    : mix(palette.ink, [150, 190, 210], 0.55);
  const frame = lighter(wall, 0.55);
  const shop = isShop ? 0.3 : 0.26;
  const rows = Math.max(1, Math.floor((-eaves - shop - 0.03) / 0.17));
  for (let row = 0; row < rows; row++) {
    const y = eaves + 0.05 + row * (-eaves - shop - 0.03) / rows;
    for (const share of [0.25, 0.75]) {
      const x = wide * share - 0.042;
      await pen.box(x - 0.008, y - 0.008, 0.1, 0.126, 0.006, frame);
      await pen.box(x, y, 0.084, 0.11, 0, { from: pane, to: lighter(pane, 0.2) });
      await pen.box(x + 0.039, y, 0.006, 0.11, 0, frame);
      await pen.box(x - 0.014, y + 0.118, 0.112, 0.012, 0, frame);
    }
  }
  await (isShop
    ? paintShopFront(pen, palette, house, pane)
    : paintDoor(pen, palette, house, pane, frame));
}

async function paintShopFront(pen: Pen, palette: Palette, { wide, wall }: House, pane: Rgb) {
  const front = darker(wall, 0.42);
  await pen.box(0.02, -0.27, wide - 0.04, 0.27, 0.004, front);
  await pen.box(0.035, -0.2, wide * 0.56, 0.16, 0, {
    from: lighter(pane, 0.15),
    to: lighter(pane, 0.45),
  });
  for (const [at, colour] of [palette.hero, palette.third, palette.white].entries()) {
    const x = 0.06 + at * wide * 0.17;
    await pen.box(x, -0.04 - 0.05, 0.036, 0.05, 0.006, colour);
  }
  await pen.box(wide * 0.7, -0.2, wide * 0.22, 0.2, 0.004, {
    from: lighter(pane, 0.1),
    to: lighter(pane, 0.3),
  });
  await pen.disc(wide * 0.74, -0.09, 0.006, 0.006, palette.light);
  const stripes = 7;
  const each = (wide - 0.02) / stripes;
  await pen.shade(wide / 2, -0.17, wide * 0.5, 0.05, palette.ink, 0.4);
  for (let stripe = 0; stripe < stripes; stripe++) {
    const x = 0.01 + stripe * each;
    const colour = stripe % 2 === 0 ? palette.white : darker(wall, 0.22);
    await pen.path(`M${x} -.28 H${x + each} V-.2 Q${x + each / 2} -.165 ${x} -.2 Z`, colour);
  }
}

async function paintDoor(pen: Pen, palette: Palette, { wide, wall }: House, pane: Rgb, frame: Rgb) {
  const door = darker(palette.hero, 0.3);
  await pen.box(wide * 0.6 - 0.012, -0.222, 0.124, 0.222, 0.006, frame);
  await pen.box(wide * 0.6, -0.21, 0.1, 0.21, 0.004, door);
  await pen.box(wide * 0.6 + 0.02, -0.19, 0.06, 0.06, 0.004, pane);
  await pen.disc(wide * 0.6 + 0.085, -0.1, 0.006, 0.006, palette.light);
  await pen.box(wide * 0.16, -0.19, 0.1, 0.12, 0.004, frame);
  await pen.box(wide * 0.16 + 0.008, -0.182, 0.084, 0.104, 0, pane);
  await pen.box(wide * 0.16 - 0.01, -0.07, 0.12, 0.03, 0.006, darker(palette.wood, 0.1));
  for (let plant = 0; plant < 4; plant++) {
    await pen.disc(
      wide * 0.16 + 0.012 + plant * 0.026,
      -0.078,
      0.02,
      0.018,
      plant % 2 === 0 ? palette.leaf : palette.hero,
    );
  }
  await pen.box(wide * 0.6 - 0.03, -0.012, 0.16, 0.014, 0, lighter(wall, 0.45));
}

export async function paintTree(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.05, 0, 0.34, 0.05, palette.shade, 0.4);
  await pen.path("M-.035 0 L-.02 -.7 H.02 L.035 0 Z", mix(palette.wood, palette.ink, 0.5));
  for (
    const [x, y, size] of [[-0.16, -0.78, 0.24], [0.17, -0.8, 0.23], [0, -1, 0.27], [
      0.02,
      -0.72,
      0.22,
    ]] as const
  ) {
    await pen.disc(x, y, size, size, {
      from: lighter(palette.leaf, 0.16),
      to: darker(palette.leaf, 0.08),
    });
  }
}

async function paintStreetLamp(pen: Pen, palette: Palette, isLit: boolean): Promise<void> {
  await pen.box(-0.014, -1.2, 0.028, 1.2, 0.01, palette.ink);
  await pen.box(-0.05, -0.04, 0.1, 0.05, 0.015, palette.ink);
  if (isLit) await pen.shade(0, -1.28, 0.5, 0.5, palette.light, 0.7);
  await pen.path("M-.07 -1.36 H.07 L.045 -1.18 H-.045 Z", mix(palette.light, palette.white, 0.4));
  await pen.path("M-.09 -1.36 L0 -1.45 L.09 -1.36 Z", palette.ink);
}
