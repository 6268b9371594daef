/** Movement: a pose on a mat, a runner in the open, a ball on the grass. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { paintHalo, paintOpenAir, paintWall } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { paintHead, type Person, personOf } from "./figure.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import { paintPot } from "./potted.ts";
import { paintTree } from "./street.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintSport(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const person = {
    ...personOf(canvas, palette.hero, brief.who),
    hasBeard: false,
    wearsGlasses: false,
  };
  if (brief.kind === "yoga") {
    const floor = height * 0.76;
    await paintWall(canvas, palette, floor);
    await paintHalo(canvas, palette, { x: width / 2, foot: floor, radius: unit * 0.42 });
    const pot = { x: width / 2 + unit * 0.42, y: floor + unit * 0.03, scale: unit * 0.22 };
    await paintPot(penAt(canvas, pot), palette, random);
    await paintYoga(
      penAt(canvas, { x: width / 2, y: floor + (height - floor) * 0.42, scale: unit * 0.112 }),
      palette,
      person,
    );
    return;
  }
  const ground = height * 0.72;
  const isBall = brief.kind === "ball";
  const floor = isBall
    ? mix([112, 164, 98], palette.leaf, 0.3)
    : mix([196, 120, 88], palette.wall, 0.4);
  await paintOpenAir(canvas, brief, tones, ground, floor);
  const land = penAt(canvas, { x: width / 2, y: ground, scale: unit });
  await paintTree(land.at({ x: -0.4, y: 0.01, scale: 0.24 }), palette);
  await paintTree(land.at({ x: 0.42, y: 0.01, scale: 0.3 }), palette);
  const foot = ground + (height - ground) * 0.5;
  if (isBall) {
    await paintBall(penAt(canvas, { x: width / 2, y: foot, scale: unit * 0.24 }), palette);
    return;
  }
  const wide = width / unit;
  for (const lane of [0.3, 0.74]) {
    await land.box(-wide, lane * (height - ground) / unit, 2 * wide, 0.01, 0, palette.white);
  }
  await paintRunner(
    penAt(canvas, { x: width / 2, y: foot, scale: unit * 0.105, isFlipped: random() < 0.4 }),
    palette,
    person,
  );
}

async function paintYoga(pen: Pen, palette: Palette, person: Person): Promise<void> {
  const legs = mix(palette.ink, palette.second, 0.5);
  await pen.shade(0, 0.1, 4.4, 0.5, palette.shade, 0.4);
  await pen.path("M-3.4 -.25 H3.4 L3.8 .35 H-3.8 Z", lighter(palette.third, 0.15));
  await pen.at({ x: 0, y: -4.95, scale: 0.72 }).disc(0, 0.1, 0.4, 0.2, person.skin);
  await pen.path(
    "M-2.9 -.2 C-3 -.9 -1.9 -1.2 -.8 -1.5 H.8 C1.9 -1.2 3 -.9 2.9 -.2 C2 .1 .8 0 0 -.2 C-.8 0 -2 .1 -2.9 -.2 Z",
    legs,
  );
  await pen.path(
    "M-2.6 -.3 C-1.2 -.9 .4 -.7 1.3 -.25 C.6 .05 -.6 .1 -2.6 -.3 Z",
    lighter(legs, 0.12),
  );
  await pen.disc(1.5, -0.2, 0.42, 0.2, person.skin);
  await pen.disc(-1.5, -0.16, 0.42, 0.2, person.skin);
  await pen.box(-0.22, -4.7, 0.44, 0.9, 0.1, darker(person.skin, 0.12));
  await pen.path(
    "M-1.05 -3.75 Q0 -4.3 1.05 -3.75 C1.1 -3 .8 -2.4 .86 -1.4 H-.86 C-.8 -2.4 -1.1 -3 -1.05 -3.75 Z",
    rounded(person.clothes, 0.12),
  );
  for (const side of [-1, 1]) {
    await pen.line([side * 0.92, -3.62, side * 1.55, -2.4, side * 2.1, -1.05], 0.42, person.skin);
    await pen.disc(side * 2.16, -0.95, 0.24, 0.2, person.skin);
  }
  await pen.disc(0, -6.15, 0.38, 0.36, person.hair);
  await paintHead(pen.at({ x: 0, y: -5.25, scale: 0.86 }), palette, { ...person, cut: "short" });
}

async function paintRunner(pen: Pen, palette: Palette, person: Person): Promise<void> {
  const { skin, clothes } = person;
  const shorts = mix(palette.ink, palette.second, 0.4);
  const shoe = palette.third;
  await pen.shade(0.2, 0.05, 2.4, 0.26, palette.shade, 0.5);
  const far = darker(skin, 0.14);
  await pen.line([-0.1, -3.1, -1.2, -2.1, -2.35, -2.5], 0.56, far);
  await paintTrainer(pen.at({ x: -2.4, y: -2.55, scale: 0.5, turn: 1.5 }), darker(shoe, 0.2));
  await pen.line([0.55, -5.1, 1.4, -4.4, 2.15, -5.1], 0.4, far);
  await pen.line([0, -3.2, 1.25, -2.35, 0.95, -0.5], 0.62, skin);
  await paintTrainer(pen.at({ x: 0.92, y: -0.32, scale: 0.55, turn: 0.05 }), shoe);
  await pen.path(
    "M-.62 -3.75 H.62 C.9 -3.2 1.15 -2.8 1.25 -2.35 L.5 -2.05 L.05 -2.7 L-.85 -2.05 L-1.2 -2.6 C-.9 -2.9 -.7 -3.3 -.62 -3.75 Z",
    shorts,
  );
  await pen.path(
    "M-.15 -5.6 Q.5 -5.9 1.02 -5.45 C1.02 -4.6 .8 -4.2 .66 -3.6 H-.66 C-.6 -4.3 -.5 -5 -.15 -5.6 Z",
    rounded(clothes, 0.12),
  );
  await pen.box(0.28, -6.3, 0.42, 0.8, 0.1, darker(skin, 0.12));
  await pen.line([0.02, -5.25, -0.95, -4.55, -0.35, -3.75], 0.42, skin);
  await pen.path(
    "M-.2 -5.55 C-.5 -5.4 -.62 -5.1 -.6 -4.95 L-.15 -4.7 L.3 -5.2 Z",
    darker(clothes, 0.08),
  );
  if (person.cut !== "short" && person.cut !== "bald") {
    await pen.path(
      "M.2 -7.1 C-.5 -7.3 -1.1 -6.8 -1.25 -6.1 C-.8 -6.3 -.3 -6.2 .2 -6.5 Z",
      person.hair,
    );
  }
  const cut = person.cut === "long" || person.cut === "bob" ? "short" : person.cut;
  await paintHead(pen.at({ x: 0.62, y: -6.8, scale: 0.72, turn: 0.06 }), palette, {
    ...person,
    cut,
  });
}

async function paintTrainer(pen: Pen, colour: Rgb): Promise<void> {
  await pen.path("M-.6 -.5 H.1 C.5 -.3 1.1 -.2 1.15 .2 L1.1 .45 H-.65 Z", colour);
  await pen.box(-0.68, 0.36, 1.86, 0.2, 0.08, [250, 248, 244]);
}

async function paintBall(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.2, 0, 1.3, 0.22, palette.shade, 0.6);
  await pen.disc(0, -1, 1, 1, { from: [255, 255, 255], to: darker(palette.white, 0.2) });
  const patch = mix(palette.ink, palette.hero, 0.55);
  await pen.path("M0 -1.36 L.34 -1.11 L.21 -.71 H-.21 L-.34 -1.11 Z", patch);
  for (let side = 0; side < 5; side++) {
    const spoke = pen.at({ x: 0, y: -1, scale: 1, turn: side / 5 * Math.PI * 2 });
    await spoke.line([0, -0.36, 0, -0.68], 0.03, patch);
    await spoke.path("M-.22 -.76 L0 -.66 L.22 -.76 L.16 -.97 Q0 -1.01 -.16 -.97 Z", patch);
  }
}
