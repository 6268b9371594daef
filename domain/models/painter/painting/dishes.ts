/** What is on the plate, seen from above: pizza, soup, salad, bread, sushi; cake is the table's own. */
import { BLACK, mix, type Rgb, WHITE } from "../../../media/images/colour.ts";
import type { Canvas } from "./canvas.ts";
import { ball, disc, leaf } from "./shapes.ts";
import { darker, lighter } from "./palette.ts";
import { type Pen, penAt } from "./pen.ts";
import type { Tones } from "./tones.ts";

export interface Round {
  x: number;
  y: number;
  radius: number;
}

type Cook = (canvas: Canvas, pen: Pen, tones: Tones, at: Round) => Promise<void>;

const GREEN: Rgb = [92, 138, 74];

const DISHES: Record<string, Cook> = {
  pizza: paintPizza,
  soup: paintSoup,
  salad: paintSalad,
  meal: paintSalad,
  bread: paintBread,
  sushi: paintSushi,
  ice: paintIce,
};

/** Serves the dish on the plate; false where the kind is none of these. */
export async function serve(
  canvas: Canvas,
  tones: Tones,
  kind: string,
  at: Round,
): Promise<boolean> {
  const cook = DISHES[kind];
  if (cook === undefined) return false;
  await cook(canvas, penAt(canvas, { x: at.x, y: at.y, scale: at.radius }), tones, at);
  return true;
}

/** Places spread evenly over a disc. */
function spread(count: number, reach: number, random: () => number): [x: number, y: number][] {
  return Array.from({ length: count }, (_, at) => {
    const angle = at * 2.39996 + random() * 0.4;
    const away = reach * Math.sqrt((at + 0.5) / count);
    return [Math.cos(angle) * away, Math.sin(angle) * away];
  });
}

async function paintPizza(canvas: Canvas, pen: Pen, _: Tones, { x, y, radius }: Round) {
  const { random } = canvas;
  await pen.shade(0.05, 0.07, 1.08, 1.08, [40, 26, 22], 0.5);
  const round = (share: number) => ({ x, y, radiusX: radius * share, radiusY: radius * share });
  await disc(canvas, round(0.9), [206, 148, 84], 0.16);
  await disc(canvas, round(0.78), [188, 66, 44], 0.08);
  await disc(canvas, round(0.74), [240, 200, 118], 0.1);
  for (const [dx, dy] of spread(14, 0.66, random)) {
    await pen.disc(dx, dy, 0.1, 0.085, [250, 230, 180], 0.8);
  }
  for (const [dx, dy] of spread(9, 0.6, random)) {
    await pen.disc(dx + 0.01, dy + 0.015, 0.115, 0.115, [120, 44, 34], 0.5);
    await pen.disc(dx, dy, 0.11, 0.11, { from: [214, 84, 62], to: [178, 52, 42] });
  }
  for (const [dx, dy] of spread(8, 0.5, random)) {
    const at = {
      x: x + dx * radius + radius * 0.1,
      y: y + dy * radius,
      length: radius * 0.2,
      width: radius * 0.06,
      angle: random() * 6,
    };
    await leaf(canvas, at, GREEN);
  }
  for (let cut = 0; cut < 4; cut++) {
    const slice = pen.at({ x: 0, y: 0, scale: 1, turn: cut * Math.PI / 4 });
    await slice.line([-0.88, 0, 0.88, 0], 0.012, [128, 72, 40], 0.55);
  }
}

async function paintSoup(canvas: Canvas, pen: Pen, tones: Tones, { x, y, radius }: Round) {
  const { random } = canvas;
  const bowl = mix(tones.second, WHITE, 0.2);
  const broth = mix([226, 136, 52], tones.third, 0.18);
  await pen.shade(0.06, 0.08, 0.98, 0.98, [40, 26, 22], 0.5);
  const round = (share: number) => ({ x, y, radiusX: radius * share, radiusY: radius * share });
  await disc(canvas, round(0.8), bowl, 0.14);
  await disc(canvas, round(0.7), darker(bowl, 0.3), -0.1);
  await disc(canvas, round(0.66), broth, 0.08);
  const swirl: number[] = [];
  for (let at = 0; at < 40; at++) {
    const angle = at * 0.32;
    swirl.push(Math.cos(angle) * (0.46 - at * 0.009), Math.sin(angle) * (0.46 - at * 0.009));
  }
  await pen.line(swirl, 0.05, lighter(broth, 0.62));
  for (const [dx, dy] of spread(9, 0.3, random)) {
    await pen.at({ x: dx, y: dy, scale: 1, turn: dx * 9 }).disc(
      0,
      0,
      0.05,
      0.026,
      mix([92, 112, 62], tones.near, 0.2),
    );
  }
  for (const angle of [-0.5, 0.3, 1.2]) {
    await leaf(canvas, {
      x: x + radius * 0.04,
      y,
      length: radius * 0.26,
      width: radius * 0.085,
      angle,
    }, GREEN);
  }
}

async function paintSalad(canvas: Canvas, _: Pen, tones: Tones, { x, y, radius }: Round) {
  const { random } = canvas;
  for (const [dx, dy] of spread(16, 0.56, random)) {
    const green = mix(GREEN, random() < 0.5 ? [156, 190, 96] : [60, 110, 66], 0.6);
    const angle = Math.atan2(dy, dx) + (random() - 0.5);
    await leaf(canvas, {
      x: x + dx * radius * 0.4,
      y: y + dy * radius * 0.4,
      length: radius * 0.46,
      width: radius * 0.17,
      angle,
    }, green);
  }
  const colours: Rgb[] = [[212, 66, 54], [238, 178, 70], mix(tones.main, WHITE, 0.15), [
    250,
    240,
    222,
  ], [212, 66, 54]];
  for (const [at, [dx, dy]] of spread(11, 0.5, random).entries()) {
    const colour = colours[at % colours.length] ?? GREEN;
    await ball(
      canvas,
      x + dx * radius,
      y + dy * radius,
      radius * (0.07 + 0.035 * random()),
      colour,
    );
  }
}

async function paintBread(canvas: Canvas, pen: Pen, _: Tones, __: Round) {
  const crust: Rgb = [194, 128, 66];
  await pen.shade(0.05, 0.1, 0.98, 0.62, [40, 26, 22], 0.5);
  const board = pen.at({ x: 0, y: 0, scale: 1, turn: -0.35 });
  await board.path(
    "M-.82 0 C-.86 -.46 -.4 -.5 0 -.48 C.4 -.5 .86 -.46 .82 0 C.86 .44 .4 .48 0 .47 C-.4 .48 -.86 .44 -.82 0 Z",
    { from: lighter(crust, 0.26), to: darker(crust, 0.22) },
  );
  for (const x of [-0.46, -0.16, 0.14, 0.44]) {
    await board.path(
      `M${x - 0.13} .28 C${x - 0.02} .14 ${x + 0.1} -.1 ${x + 0.14} -.34 C${x + 0.16} -.1 ${
        x + 0.05
      } .2 ${x - 0.13} .28 Z`,
      lighter(crust, 0.55),
    );
  }
  for (let speck = 0; speck < 26; speck++) {
    await board.disc((canvas.random() - 0.5) * 1.3, (canvas.random() - 0.5) * 0.7, 0.012, 0.009, [
      255,
      246,
      226,
    ], 0.7);
  }
}

async function paintSushi(canvas: Canvas, pen: Pen, tones: Tones, _: Round) {
  const slate = mix(tones.near, BLACK, 0.25);
  await pen.at({ x: 0, y: 0, scale: 1, turn: -0.12 }).box(-0.72, -0.5, 1.44, 1, 0.06, slate);
  const fills: Rgb[] = [[236, 122, 88], [120, 168, 82], [240, 196, 92], [214, 74, 66]];
  for (let piece = 0; piece < 6; piece++) {
    const at = pen.at({
      x: -0.4 + (piece % 3) * 0.4 + 0.03 * canvas.random(),
      y: piece < 3 ? -0.2 : 0.2,
      scale: 0.17,
    });
    await at.shade(0.2, 0.25, 1.3, 1.3, [0, 0, 0], 0.5);
    if (piece % 3 === 2) {
      await at.path("M-1 -.5 Q0 -.8 1 -.5 Q1.2 0 1 .5 Q0 .8 -1 .5 Q-1.2 0 -1 -.5 Z", [
        252,
        248,
        240,
      ]);
      await at.path(
        "M-1.05 -.55 Q0 -.95 1.05 -.55 Q1.2 -.05 1 .3 Q0 .05 -1 .3 Q-1.2 -.05 -1.05 -.55 Z",
        fills[0]!,
      );
      for (const x of [-0.5, 0, 0.5]) {
        await at.line([x - 0.1, -0.6, x + 0.1, 0], 0.08, lighter(fills[0]!, 0.5));
      }
      continue;
    }
    await at.disc(0, 0, 1, 1, [38, 50, 44]);
    await at.disc(0, 0, 0.84, 0.84, [250, 246, 238]);
    await at.disc(0.05, 0, 0.4, 0.4, fills[(piece + 1) % 4]!);
    await at.disc(-0.18, 0.12, 0.2, 0.2, fills[(piece + 2) % 4]!);
  }
}

async function paintIce(canvas: Canvas, pen: Pen, tones: Tones, { x, y, radius }: Round) {
  const bowl = mix(tones.second, WHITE, 0.35);
  await pen.shade(0.06, 0.08, 0.86, 0.86, [40, 26, 22], 0.5);
  const round = (share: number) => ({ x, y, radiusX: radius * share, radiusY: radius * share });
  await disc(canvas, round(0.7), bowl, 0.14);
  await disc(canvas, round(0.62), darker(bowl, 0.22), -0.1);
  const scoops: Rgb[] = [[250, 226, 190], [236, 150, 160], [128, 84, 62]];
  for (const [at, colour] of scoops.entries()) {
    const angle = at / 3 * Math.PI * 2 - 0.5;
    const [dx, dy] = [Math.cos(angle) * 0.26, Math.sin(angle) * 0.26];
    await pen.shade(dx + 0.04, dy + 0.06, 0.36, 0.36, [60, 36, 30], 0.45);
    await ball(canvas, x + dx * radius, y + dy * radius, radius * 0.28, lighter(colour, 0.12));
  }
  for (const turn of [-0.2, 0.25]) {
    const wafer = pen.at({ x: 0.1, y: -0.1, scale: 1, turn: turn + 0.7 });
    await wafer.path("M0 0 L.1 -.62 Q0 -.7 -.1 -.62 Z", {
      from: [224, 172, 104],
      to: [198, 140, 78],
    });
    await wafer.line([0, -0.06, 0, -0.62], 0.012, [168, 112, 60]);
  }
  await leaf(canvas, { x, y, length: radius * 0.24, width: radius * 0.08, angle: 2.4 }, GREEN);
  await ball(canvas, x + radius * 0.02, y + radius * 0.02, radius * 0.085, [196, 44, 58]);
}
