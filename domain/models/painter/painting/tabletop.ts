/** Paints a table from above: cup, plate and small things on cloth, with a low sun's long shadows. */
import { BLACK, mix, type Rgb, WHITE } from "../../../media/images/colour.ts";
import { blend, type Canvas, clamp, fill, relieve, setBetween, setRgb, smooth } from "./canvas.ts";
import { serve } from "./dishes.ts";
import { fieldNoise } from "./noise.ts";
import { penAt } from "./pen.ts";
import { ball, disc, leaf, ring, shadow, stroke } from "./shapes.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

const CREMA: Rgb = [196, 142, 92];
const COFFEE: Rgb = [72, 42, 26];
const FOAM: Rgb = [250, 240, 228];
const HEART = "M0 .5 C-.78 .04 -.58 -.52 -.22 -.44 Q-.05 -.4 0 -.24 Q.05 -.4 .22 -.44 " +
  "C.58 -.52 .78 .04 0 .5 Z";

export async function paintTabletop(canvas: Canvas, { kind }: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  await paintCloth(canvas, tones);
  const side = random() < 0.5 ? -1 : 1;
  const isCup = kind === "coffee";
  const plate = isCup
    ? { x: width / 2 + side * unit * 0.27, y: height * 0.5 - unit * 0.26, radius: unit * 0.23 }
    : { x: width / 2 + side * unit * 0.06, y: height * 0.56, radius: unit * 0.35 };
  const cup = isCup
    ? { x: width / 2 - side * unit * 0.05, y: height * 0.5 + unit * 0.12, radius: unit * 0.25 }
    : { x: plate.x - side * unit * 0.31, y: plate.y - unit * 0.44, radius: unit * 0.15 };
  await paintPlate(canvas, tones, plate, mix(tones.paper, WHITE, 0.5));
  if (!await serve(canvas, tones, kind, plate)) await paintFood(canvas, tones, plate);
  await paintPlate(
    canvas,
    tones,
    { ...cup, radius: cup.radius * 1.42 },
    mix(tones.second, WHITE, 0.12),
  );
  await paintCup(canvas, tones, cup, side);
  const shade = mix(tones.near, BLACK, 0.3);
  const forkX = isCup ? cup.x + side * unit * 0.42 : plate.x - side * unit * 0.42;
  const forkY = isCup ? cup.y : plate.y + unit * 0.1;
  const from = { x: forkX, y: forkY - unit * 0.16 };
  const to = { x: forkX + unit * 0.02, y: forkY + unit * 0.26 };
  const metal = mix(tones.paper, [150, 150, 155], 0.55);
  const off = (point: { x: number; y: number }) => ({
    x: point.x + unit * 0.014,
    y: point.y + unit * 0.02,
  });
  await stroke(canvas, off(from), off(to), unit * 0.022, shade, 0.3);
  await stroke(canvas, from, to, unit * 0.018, metal);
  const bowl = { x: from.x, y: from.y - unit * 0.03, radiusX: unit * 0.035, radiusY: unit * 0.055 };
  await disc(canvas, bowl, metal, 0.3);
  for (let berry = 0; berry < 5; berry++) {
    const x = isCup
      ? cup.x - side * unit * (0.28 + 0.14 * random())
      : cup.x + side * unit * (0.32 + 0.3 * random());
    const y = cup.y + unit * (isCup ? -0.34 - 0.2 * random() : 0.24 * random() - 0.22);
    const radius = unit * (0.02 + 0.014 * random());
    await castShadow(canvas, shade, x, y, radius);
    await ball(canvas, x, y, radius, random() < 0.5 ? tones.main : tones.third);
  }
}

/** Woven cloth in slanting light, with one corner folded over in another colour. */
async function paintCloth(canvas: Canvas, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const noise = fieldNoise(random);
  const cloth = mix(tones.main, tones.paper, 0.35);
  const runner = mix(tones.second, tones.paper, 0.25);
  const fold = width * (0.3 + 0.12 * random());
  const slant = 0.18;
  await fill(canvas, (x, y, paint) => {
    const off = x - fold - (y - height / 2) * slant;
    setBetween(paint, cloth, runner, clamp(0.5 - off));
    const hem = Math.abs(off + unit * 0.03) - unit * 0.003;
    blend(paint, tones.paper, clamp(1 - hem) * 0.7);
    blend(paint, BLACK, off > 0 ? 0.22 * smooth(unit * 0.06, 0, off) : 0);
    const weave = ((x | 0) + (y | 0)) & 3;
    blend(paint, weave < 2 ? WHITE : BLACK, 0.02);
    relieve(paint, 0.45 - noise(x / unit * 1.2, y / unit * 1.2), 0.16);
    const ray = (x + y * 0.6) / unit;
    const beam = smooth(0.3, 0.42, ray) * smooth(1.32, 1.2, ray);
    blend(paint, tones.light, 0.2 * beam);
    blend(paint, tones.near, 0.16 * (1 - beam));
  });
}

interface Round {
  x: number;
  y: number;
  radius: number;
}

async function castShadow(canvas: Canvas, colour: Rgb, x: number, y: number, radius: number) {
  const off = radius * 0.35;
  const reach = radius * 1.55;
  await shadow(
    canvas,
    { x: x + off, y: y + off * 1.4, radiusX: reach, radiusY: reach },
    colour,
    0.75,
  );
}

async function paintPlate(canvas: Canvas, tones: Tones, { x, y, radius }: Round, glaze: Rgb) {
  await castShadow(canvas, mix(tones.near, BLACK, 0.3), x, y, radius);
  const round = (share: number) => ({ x, y, radiusX: radius * share, radiusY: radius * share });
  await disc(canvas, round(1), glaze, 0.1);
  await ring(canvas, round(0.98), radius * 0.018, mix(tones.second, tones.near, 0.2), 0.8);
  await disc(canvas, round(0.7), mix(glaze, BLACK, 0.06), -0.08);
  await ring(canvas, round(0.7), radius * 0.01, WHITE, 0.5);
}

/** A round cake or tart with fruit and leaves on it. */
async function paintFood(canvas: Canvas, tones: Tones, { x, y, radius }: Round): Promise<void> {
  const { random } = canvas;
  const shade = mix(tones.near, BLACK, 0.3);
  await castShadow(canvas, shade, x, y, radius * 0.46);
  const round = (share: number) => ({ x, y, radiusX: radius * share, radiusY: radius * share });
  await disc(canvas, round(0.5), mix([205, 152, 96], tones.third, 0.25), 0.14);
  await disc(canvas, round(0.43), mix(tones.third, WHITE, 0.35), 0.1);
  const pieces = 9;
  for (let piece = 0; piece < pieces; piece++) {
    const angle = piece / pieces * Math.PI * 2 + random() * 0.2;
    const reach = radius * 0.3;
    const [pieceX, pieceY] = [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach];
    await castShadow(canvas, shade, pieceX, pieceY, radius * 0.062);
    await ball(canvas, pieceX, pieceY, radius * 0.075, piece % 2 === 0 ? tones.main : tones.second);
  }
  for (let index = 0; index < 3; index++) {
    const angle = -2.2 + index * 0.75;
    const at = { x, y, length: radius * 0.22, width: radius * 0.065, angle };
    await leaf(canvas, at, mix([88, 130, 78], tones.near, 0.2));
  }
}

/** A cup with its handle, and a heart poured into the foam. */
async function paintCup(canvas: Canvas, tones: Tones, { x, y, radius }: Round, side: number) {
  const shade = mix(tones.near, BLACK, 0.3);
  const glaze = mix(tones.paper, WHITE, 0.55);
  await castShadow(canvas, shade, x, y, radius * 0.9);
  const grip = { x: x - side * radius * 1.32, y: y + radius * 0.5 };
  await stroke(canvas, { x, y }, grip, radius * 0.26, mix(glaze, BLACK, 0.06));
  const round = (share: number) => ({ x, y, radiusX: radius * share, radiusY: radius * share });
  await disc(canvas, round(1), glaze, 0.1);
  await disc(canvas, round(0.88), mix(glaze, BLACK, 0.2), -0.1);
  await fill(canvas, (px, py, paint) => {
    const [dx, dy] = [(px - x) / radius, (py - y) / radius];
    const away = Math.sqrt(dx * dx + dy * dy);
    setRgb(paint, CREMA);
    blend(paint, COFFEE, smooth(0.5, 0.84, away) * 0.85);
    blend(paint, WHITE, clamp(-(dx + dy)) * 0.12);
    paint[3] = clamp((0.84 - away) * radius + 0.5);
  }, { left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius });
  const pour = penAt(canvas, { x, y, scale: radius });
  for (const [share, colour] of [[1, FOAM], [0.74, CREMA], [0.5, FOAM]] as const) {
    await pour.at({ x: 0, y: 0.08 - 0.04 * share, scale: 1.1 * share }).path(HEART, colour);
  }
}
