/** Paints still lifes: pedestals, balls and an arch against a wall, lit through a window. */
import { BLACK, mix, WHITE } from "../../../media/images/colour.ts";
import { blend, type Canvas, fill, relieve, setBetween, smooth } from "./canvas.ts";
import { fieldNoise } from "./noise.ts";
import { arch, ball, cylinder, disc, leaf, shadow } from "./shapes.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintStillLife(canvas: Canvas, _: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const floor = height * (0.7 + 0.05 * random());
  await paintRoom(canvas, tones, floor);
  const side = random() < 0.5 ? -1 : 1;
  const middle = width / 2;
  const archRadius = unit * (0.27 + 0.05 * random());
  const door = {
    x: middle + side * unit * 0.06,
    foot: floor,
    radius: archRadius,
    height: Math.min(floor * 0.86, archRadius * 2.3),
  };
  await arch(canvas, door, mix(tones.main, WHITE, 0.1), mix(tones.main, BLACK, 0.16));
  await paintWindowLight(canvas, tones, floor);
  const ground = floor + (height - floor) * 0.34;
  const tall = { x: middle - side * unit * 0.23, foot: ground - unit * 0.03, radius: unit * 0.1 };
  const wide = { x: middle + side * unit * 0.07, foot: ground + unit * 0.03, radius: unit * 0.23 };
  const shade = mix(tones.near, BLACK, 0.3);
  await standShadow(canvas, tall.x, tall.foot, tall.radius, shade);
  const column = unit * (0.32 + 0.1 * random());
  await cylinder(canvas, { ...tall, height: column }, tones.second);
  await standShadow(canvas, wide.x, wide.foot, wide.radius, shade);
  const stage = unit * 0.13;
  await cylinder(canvas, { ...wide, height: stage }, mix(tones.paper, tones.main, 0.18));
  const heroRadius = unit * (0.125 + 0.02 * random());
  const top = wide.foot - stage;
  await shadow(
    canvas,
    {
      x: wide.x + unit * 0.03,
      y: top + unit * 0.006,
      radiusX: heroRadius * 1.25,
      radiusY: heroRadius * 0.3,
    },
    shade,
    0.7,
  );
  await ball(canvas, wide.x, top - heroRadius + unit * 0.012, heroRadius, tones.third);
  const small = unit * 0.055;
  const smallX = wide.x + side * unit * 0.36;
  const smallFoot = ground + unit * 0.09;
  await standShadow(canvas, smallX, smallFoot - small * 0.2, small, shade);
  await ball(canvas, smallX, smallFoot - small, small, tones.main);
  await sprig(canvas, tones, tall.x, tall.foot - column, unit * 0.32, side);
}

/** An uneven wall, and the floor. */
async function paintRoom(canvas: Canvas, tones: Tones, floor: number): Promise<void> {
  const { width, height, unit, random } = canvas;
  const noise = fieldNoise(random);
  const wall = mix(tones.paper, tones.main, 0.3);
  const corner = mix(tones.main, tones.near, 0.28);
  const ground = mix(tones.paper, tones.second, 0.34);
  const front = mix(ground, tones.near, 0.3);
  await fill(canvas, (x, y, paint) => {
    if (y < floor) {
      setBetween(paint, wall, corner, smooth(-0.2, 1.5, x / width * 0.7 + y / floor * 0.4));
    } else setBetween(paint, ground, front, smooth(0, 1.1, (y - floor) / (height - floor)));
    const crease = Math.abs(y - floor) / unit;
    blend(paint, tones.near, 0.16 / (1 + crease * crease * 900));
    relieve(paint, noise(x / unit * 3, y / unit * 3) - 0.5, 0.07);
  });
}

/** Slanted panes of sunlight on the wall, with soft edges. */
async function paintWindowLight(canvas: Canvas, tones: Tones, floor: number): Promise<void> {
  const { width, unit, random } = canvas;
  const slant = 0.45;
  const left = width * (0.1 + 0.2 * random());
  const [pane, gap] = [unit * 0.24, unit * 0.03];
  await fill(canvas, (x, y, paint) => {
    const across = x - left - (y - floor * 0.2) * slant;
    const down = y - floor * 0.12;
    const soft = unit * 0.012;
    const column = Math.floor(across / (pane + gap));
    const inX = across - column * (pane + gap);
    const row = Math.floor(down / (pane * 1.1 + gap));
    const inY = down - row * (pane * 1.1 + gap);
    const isPane = column >= 0 && column < 2 && row >= 0 && row < 2;
    paint[0] = tones.light[0];
    paint[1] = tones.light[1];
    paint[2] = tones.light[2];
    paint[3] = isPane
      ? 0.3 * smooth(0, soft, inX) * smooth(pane, pane - soft, inX) * smooth(0, soft, inY) *
        smooth(pane * 1.1, pane * 1.1 - soft, inY)
      : 0;
  }, { left: 0, top: 0, width, height: floor });
}

async function standShadow(
  canvas: Canvas,
  x: number,
  foot: number,
  radius: number,
  colour: Tones["near"],
): Promise<void> {
  const at = {
    x: x + radius * 0.7,
    y: foot + radius * 0.12,
    radiusX: radius * 2.1,
    radiusY: radius * 0.55,
  };
  await shadow(canvas, at, colour, 0.55);
}

/** A vase with a few leaves. */
async function sprig(
  canvas: Canvas,
  tones: Tones,
  x: number,
  foot: number,
  size: number,
  side: number,
): Promise<void> {
  const stem = mix(tones.near, tones.main, 0.35);
  for (const [turn, length] of [[-0.75, 0.8], [-0.35, 1], [0.05, 1.08], [0.42, 0.86]] as const) {
    const angle = -Math.PI / 2 + turn * side;
    const at = { x, y: foot - size * 0.28, length: size * length, width: size * 0.12, angle };
    await leaf(canvas, at, mix(stem, tones.second, (turn + 0.75) / 3));
  }
  const rest = {
    x: x + size * 0.04,
    y: foot + size * 0.02,
    radiusX: size * 0.26,
    radiusY: size * 0.07,
  };
  await shadow(canvas, rest, mix(tones.near, BLACK, 0.3), 0.6);
  await ball(canvas, x, foot - size * 0.15, size * 0.19, mix(tones.paper, tones.main, 0.12));
  await disc(
    canvas,
    { x, y: foot - size * 0.31, radiusX: size * 0.08, radiusY: size * 0.022 },
    stem,
  );
}
