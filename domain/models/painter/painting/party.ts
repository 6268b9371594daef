/** A party: balloons, bunting, and a cake on a white table. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { paintWall } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette } from "./palette.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import { paintConfetti } from "./sale.ts";

export async function paintParty(canvas: Canvas, palette: Palette): Promise<void> {
  const { width, height, unit, random } = canvas;
  const floor = height * 0.82;
  await paintWall(canvas, palette, height);
  const wide = width / unit;
  const pen = penAt(canvas, { x: 0, y: 0, scale: unit });
  await paintBunting(pen, palette, wide, 0.1);
  await paintConfetti(canvas, palette, floor * 0.6);
  const colours = [
    palette.hero,
    palette.third,
    palette.second,
    lighter(palette.hero, 0.3),
    palette.light,
  ];
  const places: [number, number][] = [[-0.34, 0.4], [0.34, 0.36], [-0.22, 0.26], [0.22, 0.52], [
    -0.38,
    0.6,
  ]];
  for (const [at, [x, y]] of places.entries()) {
    const foot = {
      x: wide / 2 + x * Math.min(wide, 1.2),
      y: y * floor / unit + 0.04,
      scale: 0.11 + 0.02 * random(),
    };
    await paintBalloon(pen.at(foot), colours[at] ?? palette.hero, floor / unit - foot.y);
  }
  const table = penAt(canvas, { x: width / 2, y: floor, scale: unit });
  await table.path(`M-.42 0 H.42 L.46 ${(height - floor) / unit + 0.02} H-.46 Z`, {
    from: palette.white,
    to: darker(palette.white, 0.14),
  });
  await table.disc(0, 0, 0.42, 0.03, lighter(palette.white, 0.3));
  await paintCelebrationCake(table.at({ x: 0, y: 0, scale: 0.36 }), palette);
}

export async function paintBunting(
  pen: Pen,
  palette: Palette,
  wide: number,
  y: number,
): Promise<void> {
  const colours = [palette.hero, palette.third, palette.second, palette.white];
  const flags = Math.round(wide / 0.105);
  const sag = (x: number) => y + 0.05 * Math.sin(Math.PI * (x / wide * 2 % 1));
  for (let flag = 0; flag < flags; flag++) {
    const [from, to] = [wide * flag / flags, wide * (flag + 0.86) / flags];
    const [one, two] = [sag(from), sag(to)];
    await pen.line(
      [from, one, to, two, wide * (flag + 1) / flags, sag(wide * (flag + 1) / flags)],
      0.005,
      palette.ink,
    );
    await pen.path(
      `M${from} ${one} L${to} ${two} L${(from + to) / 2} ${(one + two) / 2 + 0.1} Z`,
      colours[flag % 4] ?? palette.hero,
    );
  }
}

async function paintBalloon(pen: Pen, colour: Rgb, long: number): Promise<void> {
  await pen.curve(
    [0, 1.15, 0.1, 1.7, -0.05, 2.4, 0.05, Math.min(3.4, long * 8)],
    0.03,
    mix(colour, [255, 255, 255], 0.4),
  );
  await pen.path(
    "M0 1.12 C-.5 .9 -.86 .4 -.86 -.14 C-.86 -.7 -.48 -1.06 0 -1.06 C.48 -1.06 .86 -.7 .86 -.14 C.86 .4 .5 .9 0 1.12 Z",
    rounded(colour, 0.16),
  );
  await pen.path("M-.1 1.2 L0 1.08 L.1 1.2 Z", darker(colour, 0.2));
  await pen.at({ x: -0.36, y: -0.46, scale: 1, turn: 0.5 }).disc(
    0,
    0,
    0.12,
    0.26,
    [255, 255, 255],
    0.45,
  );
}

async function paintCelebrationCake(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0, 0.02, 0.66, 0.06, palette.shade, 0.4);
  await pen.path("M-.1 0 L-.05 -.16 H.05 L.1 0 Z", lighter(palette.metal, 0.3));
  await pen.disc(0, -0.16, 0.58, 0.05, lighter(palette.metal, 0.45));
  for (
    const [y, half, colour] of [[-0.16, 0.46, palette.hero], [
      -0.46,
      0.32,
      lighter(palette.third, 0.2),
    ]] as const
  ) {
    await pen.box(-half, y - 0.3, half * 2, 0.3, 0.03, rounded(colour, 0.14));
    const drops = 6;
    const each = half * 2 / drops;
    let icing = `M${-half} ${y - 0.3} H${half} V${y - 0.22}`;
    for (let drop = drops - 1; drop >= 0; drop--) {
      const x = -half + drop * each;
      icing += ` Q${x + each / 2} ${y - 0.13 + 0.05 * (drop % 2)} ${x} ${y - 0.23}`;
    }
    await pen.path(`${icing} Z`, palette.white);
  }
  for (const x of [-0.18, 0, 0.18]) {
    await pen.shade(x, -1, 0.12, 0.14, palette.light, 0.6);
    await pen.box(x - 0.018, -0.95, 0.036, 0.2, 0.01, palette.second);
    await pen.path(`M${x} -1.06 Q${x + 0.05} -.97 ${x} -.95 Q${x - 0.05} -.97 ${x} -1.06 Z`, [
      255,
      190,
      80,
    ]);
  }
}
