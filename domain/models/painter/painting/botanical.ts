/** Paints leaves and flowers in layers before a low sun, like a cut-paper print. */
import { BLACK, mix, type Rgb, WHITE } from "../../../media/images/colour.ts";
import { pick } from "../../../foundation/chance.ts";
import { type Canvas, fill, relieve, setBetween, smooth } from "./canvas.ts";
import { fieldNoise } from "./noise.ts";
import { arch, disc, leaf, shadow, stroke } from "./shapes.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

const LEAF_GREEN: Rgb = [74, 128, 88];
/** The largest distance from green, in degrees of hue, of a colour that still looks like a leaf. */
const FAR_FROM_GREEN = 70;

export async function paintBotanical(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const noise = fieldNoise(random);
  const low = mix(tones.paper, tones.third, 0.3);
  await fill(canvas, (x, y, paint) => {
    setBetween(paint, tones.paper, low, smooth(0, 1, y / height));
    relieve(paint, noise(x / unit * 5, y / unit * 5) - 0.5, 0.1);
  });
  const sun = { x: width * (0.38 + 0.24 * random()), y: height * 0.4, radius: unit * 0.27 };
  if (random() < 0.5) {
    await arch(
      canvas,
      {
        x: width / 2,
        foot: height,
        radius: unit * 0.36,
        height: Math.min(height * 0.86, height - unit * 0.1),
      },
      mix(tones.second, WHITE, 0.3),
      mix(tones.second, WHITE, 0.05),
    );
  }
  await disc(canvas, { ...sun, radiusX: sun.radius, radiusY: sun.radius }, tones.third, 0.14);
  for (const depth of [0, 0.5, 1]) {
    const stems = 3 + Math.round(random() * 2);
    for (let stem = 0; stem < stems; stem++) {
      const spread = (stem + 0.5 + 0.5 * (random() - 0.5)) / stems;
      await plant(canvas, brief, tones, width * (1.1 * spread - 0.05), depth);
    }
  }
}

/** A bent stem with leaves on alternating sides, and a flower or bud at its end. */
async function plant(
  canvas: Canvas,
  brief: Brief,
  tones: Tones,
  foot: number,
  depth: number,
): Promise<void> {
  const { width, height, unit, random } = canvas;
  const { foliage, others } = rolesOf(tones);
  const tall = height * (0.78 - 0.38 * depth) * (0.75 + 0.35 * random());
  const lean = (width / 2 - foot) / width * unit * 0.1 + (random() - 0.5) * unit * 0.3;
  const green = mix(mix(foliage, tones.paper, 0.42 * (1 - depth)), tones.near, 0.5 * depth);
  const colour = random() < 0.3 ? mix(green, others[0], 0.35) : green;
  const at = (share: number) => ({
    x: foot + lean * share * share,
    y: height + unit * 0.02 - tall * share,
  });
  const thick = unit * (0.006 + 0.006 * depth);
  for (let part = 0; part < 6; part++) {
    await stroke(canvas, at(part / 6), at((part + 1) / 6), thick, mix(colour, BLACK, 0.15));
  }
  const leaves = 5 + Math.round(random() * 4);
  const long = unit * (0.13 + 0.11 * random() + 0.08 * depth);
  const slim = 0.16 + 0.16 * random();
  for (let index = 0; index < leaves; index++) {
    const share = 0.16 + 0.84 * index / leaves;
    const { x, y } = at(share);
    const turn = (index % 2 === 0 ? 1 : -1) * (0.95 - 0.45 * share);
    const length = long * (1.15 - 0.55 * share);
    const angle = -Math.PI / 2 + turn;
    await leaf(canvas, { x, y, length, width: length * slim, angle }, colour);
  }
  const end = at(1);
  if (brief.hasFlowers || random() < 0.35) {
    await flower(canvas, tones, end.x, end.y, unit * (0.05 + 0.05 * depth), depth);
  } else {
    const tip = { ...end, length: long * 0.6, width: long * 0.6 * slim, angle: -Math.PI / 2 };
    await leaf(canvas, tip, colour);
  }
}

/** Splits the three colours: the one nearest to green is for leaves, the others are for flowers. */
function rolesOf({ main, second, third, swatches }: Tones): { foliage: Rgb; others: [Rgb, Rgb] } {
  const fromGreen = swatches.map(({ hue, chroma }) =>
    chroma < 0.02 ? 180 : Math.min(Math.abs(hue - 145), 360 - Math.abs(hue - 145))
  );
  const nearest = Math.min(...fromGreen);
  if (nearest > FAR_FROM_GREEN) {
    return { foliage: mix(LEAF_GREEN, main, 0.2), others: [main, second] };
  }
  const greenest = fromGreen.indexOf(nearest);
  if (greenest === 0) return { foliage: main, others: [second, third] };
  if (greenest === 1) return { foliage: second, others: [main, third] };
  return { foliage: third, others: [main, second] };
}

async function flower(
  canvas: Canvas,
  tones: Tones,
  x: number,
  y: number,
  size: number,
  depth: number,
): Promise<void> {
  const { random } = canvas;
  const base = pick(random, rolesOf(tones).others);
  const colour = mix(base, tones.paper, 0.35 * (1 - depth));
  const petals = 6 + Math.round(random() * 3);
  const start = random() * Math.PI;
  await shadow(
    canvas,
    { x, y: y + size * 0.2, radiusX: size * 1.3, radiusY: size * 1.2 },
    tones.near,
    0.25,
  );
  for (let petal = 0; petal < petals; petal++) {
    const angle = start + petal / petals * Math.PI * 2;
    const shade = mix(colour, BLACK, petal % 2 === 0 ? 0 : 0.1);
    await leaf(canvas, { x, y, length: size * 1.15, width: size * 0.36, angle }, shade);
  }
  const heart = { x, y, radiusX: size * 0.26, radiusY: size * 0.26 };
  await disc(canvas, heart, mix(tones.light, tones.third, 0.5), 0.2);
}
