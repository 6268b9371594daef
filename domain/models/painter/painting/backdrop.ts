/** What is behind a subject: a room with its light, or open air with its weather. */
import { mix, type Rgb, WHITE } from "../../../media/images/colour.ts";
import { type Canvas, fill, relieve, setBetween, smooth } from "./canvas.ts";
import { fieldNoise } from "./noise.ts";
import { darker, lighter, type Palette } from "./palette.ts";
import { penAt } from "./pen.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

/** A wall with light from the upper left, and a floor from `floor` pixels down. */
export async function paintWall(canvas: Canvas, palette: Palette, floor: number): Promise<void> {
  const { width, height, unit, random } = canvas;
  const noise = fieldNoise(random);
  const bright = lighter(palette.wall, 0.22);
  const corner = darker(palette.wall, 0.1);
  const near = darker(palette.floor, 0.1);
  await fill(canvas, (x, y, paint) => {
    if (y < floor) {
      setBetween(paint, bright, corner, smooth(-0.1, 1.5, x / width * 0.75 + y / height * 0.6));
    } else setBetween(paint, palette.floor, near, (y - floor) / (height - floor + 1));
    relieve(paint, noise(x / unit * 2, y / unit * 2) - 0.5, 0.05);
  });
  if (floor < height) {
    const pen = penAt(canvas, { x: 0, y: floor, scale: unit });
    await pen.box(0, -0.012, width / unit, 0.014, 0, darker(palette.wall, 0.16));
  }
}

/** A flat disc or an arch of colour that holds the subject together. */
export async function paintHalo(
  canvas: Canvas,
  palette: Palette,
  at: { x: number; foot: number; radius: number },
): Promise<void> {
  const pen = penAt(canvas, { x: at.x, y: at.foot, scale: at.radius });
  const ink = { from: lighter(palette.panel, 0.1), to: darker(palette.panel, 0.06) };
  if (canvas.random() < 0.5) await pen.disc(0, -0.9, 1, 1, ink);
  else await pen.path("M-.86 0 V-1.1 C-.86 -2.25 .86 -2.25 .86 -1.1 V0 Z", ink);
}

/** A tall window with a view of the sky; its foot in pixels. */
export async function paintWindow(
  canvas: Canvas,
  palette: Palette,
  tones: Tones,
  at: { x: number; y: number; width: number; height: number },
): Promise<void> {
  const pen = penAt(canvas, { x: at.x, y: at.y, scale: at.width });
  const high = at.height / at.width;
  await pen.box(-0.04, -0.04, 1.08, high + 0.08, 0.02, lighter(palette.wall, 0.5));
  const sky = { from: mix(tones.skyTop, WHITE, 0.25), to: mix(tones.skyLow, WHITE, 0.35) };
  await pen.box(0, 0, 1, high, 0.01, sky);
  const hill = mix(tones.far, tones.skyLow, 0.45);
  await pen.path(
    `M0 ${high * 0.78} Q.3 ${high * 0.6} .6 ${high * 0.76} Q.85 ${high * 0.68} 1 ${
      high * 0.74
    } V${high} H0 Z`,
    hill,
  );
  await pen.box(0.485, 0, 0.03, high, 0, lighter(palette.wall, 0.5));
  await pen.box(0, high * 0.42, 1, 0.03, 0, lighter(palette.wall, 0.5));
  await pen.box(-0.08, high + 0.03, 1.16, 0.06, 0.02, lighter(palette.wall, 0.3));
}

/** Sky, sun, far land or sea, and ground from `ground` pixels down. */
export async function paintOpenAir(
  canvas: Canvas,
  brief: Brief,
  tones: Tones,
  ground: number,
  floor: Rgb,
): Promise<void> {
  const { width, height, unit, random } = canvas;
  const isNight = brief.hour === "night";
  const low = mix(tones.skyLow, WHITE, isNight ? 0 : 0.2);
  const sun = {
    x: width * (random() < 0.5 ? 0.2 + 0.08 * random() : 0.72 + 0.08 * random()),
    y: ground * (0.26 + 0.14 * random()),
  };
  await fill(canvas, (x, y, paint) => {
    setBetween(paint, tones.skyTop, low, smooth(0, 1, y / ground));
    const away = Math.hypot(x - sun.x, y - sun.y) / unit;
    const glow = (isNight ? 0.25 : 0.5) / (1 + away * away * 22);
    paint[0] += (tones.light[0] - paint[0]) * glow;
    paint[1] += (tones.light[1] - paint[1]) * glow;
    paint[2] += (tones.light[2] - paint[2]) * glow;
  }, { left: 0, top: 0, width, height: ground + 2 });
  const pen = penAt(canvas, { x: 0, y: ground, scale: unit });
  const wide = width / unit;
  const isGrey = brief.weather === "rain" || brief.weather === "snow";
  if (!isGrey) {
    const disc = penAt(canvas, { ...sun, scale: unit });
    await disc.disc(0, 0, 0.075, 0.075, mix(tones.light, WHITE, 0.2));
  }
  for (let cloud = 0; cloud < (isGrey ? 5 : 3); cloud++) {
    const at = { x: wide * random(), y: -ground / unit * (0.62 + 0.26 * random()), scale: 1 };
    await paintCloud(
      pen.at({ ...at, scale: 0.13 + 0.1 * random() }),
      mix(low, WHITE, 0.35),
      isNight,
    );
  }
  if (brief.isSea || brief.hasWater) {
    const water = seaOf(tones);
    const sea = { from: mix(water, tones.skyLow, 0.3), to: water };
    await pen.box(0, -0.15, wide, 0.16, 0, sea);
  } else {
    for (const depth of [0, 1]) {
      const colour = mix(mix(tones.far, low, 0.62 - 0.3 * depth), [70, 128, 92], 0.1 * depth);
      await pen.path(ridge(random, wide, 0.2 - 0.09 * depth), colour);
    }
  }
  const near = brief.weather === "snow" ? mix(floor, [236, 241, 248], 0.85) : floor;
  const front = { from: lighter(near, 0.06), to: darker(near, 0.12) };
  await pen.box(0, 0, wide, (height - ground) / unit + 0.1, 0, front);
}

export function seaOf(tones: Tones): Rgb {
  return mix(mix([46, 104, 146], tones.far, 0.3), tones.skyTop, 0.3);
}

function ridge(random: () => number, wide: number, high: number): string {
  const humps = 3;
  const step = wide / humps;
  let path = `M0 .02 V${-high * (0.5 + 0.5 * random())}`;
  for (let hump = 0; hump < humps; hump++) {
    const middle = step * (hump + 0.5);
    path += ` Q${middle} ${-high * (0.9 + random())} ${step * (hump + 1)} ${
      -high * (0.5 + 0.4 * random())
    }`;
  }
  return `${path} V.02 Z`;
}

async function paintCloud(pen: ReturnType<typeof penAt>, colour: Rgb, isNight: boolean) {
  const shape = "M-1 0 C-1.3 0 -1.3 -.42 -.92 -.4 C-.9 -.78 -.4 -.86 -.26 -.58 " +
    "C-.06 -1.02 .62 -.9 .58 -.42 C1.04 -.5 1.2 0 .9 0 Z";
  await pen.path(shape, colour, isNight ? 0.14 : 0.6);
}

/** Rain or snow before everything else. */
export async function paintWeather(canvas: Canvas, brief: Brief): Promise<void> {
  const { width, height, unit, random } = canvas;
  const pen = penAt(canvas, { x: 0, y: 0, scale: unit });
  const [wide, high] = [width / unit, height / unit];
  for (let drop = 0; drop < 70 && brief.weather !== null; drop++) {
    const [x, y] = [wide * random(), high * random()];
    if (brief.weather === "snow") {
      const size = 0.003 + 0.005 * random();
      await pen.disc(x, y, size, size, WHITE, 0.8);
    } else await pen.line([x, y, x - 0.012, y + 0.05], 0.0025, WHITE, 0.38);
  }
}
