/** People: one at work, one alone, or a small group, before a calm wall. */
import { pick } from "../../../foundation/chance.ts";
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { paintHalo, paintWall } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { paintBust, personOf } from "./figure.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import { paintPot } from "./potted.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintPeople(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  await paintWall(canvas, palette, height);
  const middle = width / 2;
  await paintHalo(canvas, palette, { x: middle, foot: height * 1.02, radius: unit * 0.46 });
  if (brief.kind === "group") {
    await paintGroup(canvas, palette);
    return;
  }
  const side = random() < 0.5 ? -1 : 1;
  const pot = { x: middle + side * unit * 0.4, y: height * 0.99, scale: unit * 0.24 };
  if (brief.kind === "person") await paintPot(penAt(canvas, pot), palette, random);
  const person = personOf(canvas, palette.hero, brief.who);
  person.wearsApron = brief.kind === "worker";
  const pen = penAt(canvas, {
    x: middle - side * unit * 0.03,
    y: height - unit * (brief.kind === "worker" ? 0.64 : brief.who === "child" ? 0.45 : 0.54),
    scale: unit * (brief.who === "child" ? 0.112 : 0.128),
    isFlipped: side > 0,
  });
  await paintBust(pen, palette, person);
  if (brief.kind === "worker") await paintWork(canvas, pen, palette, person.skin);
}

/** A counter before the person, with a cup, a loaf or a jug on it. */
async function paintWork(canvas: Canvas, pen: Pen, palette: Palette, skin: Palette["hero"]) {
  const { width, height, unit, random } = canvas;
  const top = height - unit * 0.15;
  for (const side of [-1, 1]) {
    await pen.curve(
      [side * 1.5, 2.35, side * 1.72, 3.2, side * 0.85, 3.72],
      0.6,
      darker(palette.hero, 0.08),
    );
    await pen.disc(side * 0.66, 3.7, 0.27, 0.25, skin);
  }
  const counter = penAt(canvas, { x: width / 2, y: top, scale: unit });
  const half = width / unit / 2;
  await counter.box(-half, 0, 2 * half, 0.2, 0, {
    from: palette.wood,
    to: darker(palette.wood, 0.3),
  });
  await counter.box(-half, 0, 2 * half, 0.026, 0, lighter(palette.wood, 0.25));
  await counter.shade(0, 0.012, 0.17, 0.02, palette.shade, 0.4);
  await paintMug(counter.at({ x: 0, y: 0.025, scale: 0.115 }), palette);
  for (const side of [-1, 1]) {
    const at = counter.at({ x: side * (0.3 + 0.04 * random()), y: 0.012, scale: 0.11 });
    await at.shade(0, 0, 1, 0.14, palette.shade, 0.4);
    if (side < 0) await paintLoaf(at, palette);
    else await paintJug(at, palette);
  }
}

const COFFEE: Rgb = [104, 66, 44];

/** A cup with steam; its foot is (0, 0), its height 1. */
export async function paintMug(pen: Pen, palette: Palette, drink: Rgb = COFFEE): Promise<void> {
  await pen.curve(
    [0.4, -0.75, 0.78, -0.72, 0.78, -0.35, 0.36, -0.24],
    0.13,
    darker(palette.white, 0.12),
  );
  await pen.path(
    "M-.55 -.95 H.55 L.46 -.18 Q.42 0 .24 0 H-.24 Q-.42 0 -.46 -.18 Z",
    rounded(palette.white, 0.12),
  );
  await pen.disc(0, -0.95, 0.55, 0.11, darker(palette.white, 0.1));
  await pen.disc(0, -0.94, 0.48, 0.085, drink);
  await pen.disc(0, -0.94, 0.2, 0.035, lighter(drink, 0.5));
  for (const [x, high] of [[-0.16, 0.7], [0.16, 0.9]] as const) {
    const steam = [
      x,
      -1.15,
      x + 0.1,
      -1.15 - high * 0.35,
      x - 0.06,
      -1.15 - high * 0.7,
      x + 0.06,
      -1.15 - high,
    ];
    await pen.curve(steam, 0.06, [255, 255, 255], 0.4);
  }
}

async function paintLoaf(pen: Pen, palette: Palette): Promise<void> {
  const crust = mix([196, 132, 70], palette.wood, 0.2);
  await pen.path("M-1.1 0 C-1.4 -.5 -1 -1 0 -1 C1 -1 1.4 -.5 1.1 0 Z", {
    from: lighter(crust, 0.2),
    to: darker(crust, 0.2),
  });
  for (const x of [-0.5, 0, 0.5]) {
    await pen.line([x - 0.12, -0.85, x + 0.12, -0.45], 0.1, lighter(crust, 0.45));
  }
}

async function paintJug(pen: Pen, palette: Palette): Promise<void> {
  await pen.curve(
    [0.45, -1.2, 0.95, -1.1, 0.9, -0.55, 0.5, -0.4],
    0.13,
    darker(palette.metal, 0.15),
  );
  await pen.path(
    "M-.5 -1.5 L-.72 -1.62 L.5 -1.5 L.62 -.3 Q.62 0 .4 0 H-.4 Q-.62 0 -.62 -.3 Z",
    rounded(palette.metal, 0.3),
  );
}

/** Three or four, the tallest in the middle. */
async function paintGroup(canvas: Canvas, palette: Palette): Promise<void> {
  const { width, height, unit, random } = canvas;
  const clothes = [
    palette.second,
    palette.third,
    palette.hero,
    mix(palette.ink, palette.hero, 0.4),
  ];
  const reach = Math.min(width, unit * 1.3) / unit;
  const places = pick(random, [[-0.3, 0.3, 0], [-0.32, 0.32, -0.11, 0.13]]);
  for (const [at, place] of places.entries()) {
    const person = personOf(canvas, clothes[at]!);
    const scale = unit * (at < 2 ? 0.094 : 0.106);
    const pen = penAt(canvas, {
      x: width / 2 + place * unit * reach,
      y: height - scale * (at < 2 ? 5.2 : 4.2) - unit * 0.015 * random(),
      scale,
      isFlipped: random() < 0.5,
    });
    await paintBust(pen, palette, person);
  }
}
