/** Paints skylines: rows of towers, lit windows and a river below. */
import { BLACK, mix } from "../../../media/images/colour.ts";
import { blend, type Canvas, clamp, fill, setBetween } from "./canvas.ts";
import { paintSky, sunOf } from "./sky.ts";
import type { Tones } from "./tones.ts";
import { paintWater } from "./water.ts";
import type { Brief } from "./words.ts";

interface Tower {
  left: number;
  width: number;
  top: number;
  /** 0 flat, 1 stepped, 2 with a spire. */
  crown: number;
  seed: number;
}

export async function paintCity(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { height, unit } = canvas;
  const shore = height * 0.8;
  const sun = sunOf(canvas, brief.hour, shore * 0.86);
  await paintSky(canvas, tones, brief.hour, shore, sun);
  for (const depth of [0, 0.5, 1]) await paintRow(canvas, brief, tones, shore, depth);
  await paintWater(canvas, tones, shore, sun);
  const quay = { left: 0, top: shore - unit * 0.008, width: canvas.width, height: unit * 0.016 };
  await fill(canvas, (_x, _y, paint) => setBetween(paint, tones.near, BLACK, 0.45), quay);
}

async function paintRow(
  canvas: Canvas,
  brief: Brief,
  tones: Tones,
  shore: number,
  depth: number,
): Promise<void> {
  const { width, unit, random } = canvas;
  const body = mix(mix(tones.far, tones.near, depth * 0.95), tones.skyLow, 0.34 * (1 - depth));
  const shade = mix(body, tones.near, 0.35);
  const isDark = brief.hour === "dusk" || brief.hour === "night";
  const lamps = (isDark ? 0.5 : 0.16) * depth ** 0.6;
  for (let left = -unit * 0.06 * random(); left < width;) {
    const wide = unit * (0.07 + 0.09 * random()) * (0.75 + 0.35 * depth);
    const hill = 1 - Math.abs((left + wide / 2) / width - 0.5) * 1.1;
    const tall = unit * (0.16 + 0.5 * random() ** 1.6) * hill * (1.3 - 0.62 * depth);
    const crown = tall > unit * 0.3 ? Math.floor(random() * 3) : 0;
    const tower = { left, width: wide, top: shore - tall, crown, seed: random() * 1e6 };
    await paintTower(canvas, tones, tower, shore, body, shade, lamps);
    left += wide * (1 + 0.22 * random() * (1 - depth * 0.6));
  }
}

async function paintTower(
  canvas: Canvas,
  tones: Tones,
  tower: Tower,
  shore: number,
  body: Tones["far"],
  shade: Tones["far"],
  lamps: number,
): Promise<void> {
  const { unit } = canvas;
  const cell = unit * 0.0125;
  const spire = tower.crown === 2 ? unit * 0.09 : 0;
  const middle = tower.left + tower.width / 2;
  const step = tower.crown === 1 ? tower.width * 0.2 : 0;
  const stepHeight = unit * 0.05;
  const haze = mix(body, tones.skyLow, 0.5);
  await fill(canvas, (x, y, paint) => {
    const inside = Math.min(x - tower.left, tower.left + tower.width - x);
    const down = y - tower.top;
    const needed = down < stepHeight ? step : 0;
    const isSpire = down < 0 && Math.abs(x - middle) < unit * 0.0016 + (down + spire) * 0.02;
    if (isSpire ? down < -spire : down < 0 || inside < needed) {
      paint[3] = 0;
      return;
    }
    setBetween(paint, body, shade, clamp((x - tower.left) / tower.width * 1.4 - 0.2));
    blend(paint, haze, clamp((y - tower.top) / (shore - tower.top)) ** 2 * 0.55);
    const column = Math.floor((x - tower.left) / cell);
    const row = Math.floor(down / (cell * 1.5));
    const inX = (x - tower.left) / cell - column;
    const inY = down / (cell * 1.5) - row;
    const isPane = inX > 0.25 && inX < 0.8 && inY > 0.25 && inY < 0.75 && inside > cell * 0.6;
    if (!isPane || down < cell) return;
    const chance = Math.sin(column * 127.1 + row * 311.7 + tower.seed) * 43_758.5453;
    const lot = chance - Math.floor(chance);
    if (lot < lamps) blend(paint, tones.light, 0.45 + 0.5 * lot / lamps);
    else blend(paint, tones.skyTop, 0.12);
  }, {
    left: tower.left,
    top: tower.top - spire,
    width: tower.width,
    height: shore - tower.top + spire,
  });
}
