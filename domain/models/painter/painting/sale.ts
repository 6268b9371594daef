/** A sale or a present, told without words: bags, boxes, ribbons and blank tags on a bold ground. */
import { pick } from "../../../foundation/chance.ts";
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { type Canvas, fill, setBetween } from "./canvas.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintSale(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  await paintGround(canvas, palette);
  const foot = height * 0.86;
  const pen = penAt(canvas, { x: width / 2, y: foot, scale: Math.min(unit, width * 0.9) });
  await paintConfetti(canvas, palette, foot);
  await pen.shade(0, 0.01, 0.48, 0.06, palette.shade, 0.5);
  const side = random() < 0.5;
  const row = pen.at({ x: 0, y: 0, scale: 1, isFlipped: side });
  if (brief.kind === "gift") {
    await paintGift(row.at({ x: -0.2, y: 0, scale: 0.36 }), palette.second, palette.white, palette);
    await paintGift(
      row.at({ x: 0.15, y: 0.02, scale: 0.48 }),
      palette.hero,
      palette.light,
      palette,
    );
    await paintGift(
      row.at({ x: -0.13, y: -0.3, scale: 0.22 }),
      palette.third,
      palette.white,
      palette,
    );
    return;
  }
  await paintShoppingBag(row.at({ x: 0.2, y: -0.01, scale: 0.34 }), palette.second, palette);
  await paintShoppingBag(row.at({ x: -0.08, y: 0, scale: 0.46 }), palette.hero, palette);
  await paintGift(row.at({ x: 0.27, y: 0.03, scale: 0.2 }), palette.third, palette.white, palette);
  await paintTag(row.at({ x: -0.3, y: -0.02, scale: 0.3, turn: -0.5 }), palette.white, palette);
  await paintTag(row.at({ x: 0.3, y: -0.52, scale: 0.26, turn: 0.35 }), palette.third, palette);
}

/** Rays of two close tones from below the middle. */
async function paintGround(canvas: Canvas, palette: Palette): Promise<void> {
  const { width, height } = canvas;
  const base = mix(palette.panel, palette.wall, 0.3);
  const [one, other, rim] = [lighter(base, 0.1), base, darker(base, 0.14)];
  const [x0, y0] = [width / 2, height * 0.62];
  await fill(canvas, (x, y, paint) => {
    const wave = Math.sin(Math.atan2(y - y0, x - x0) * 14);
    const share = Math.min(1, Math.max(0, wave * 6 + 0.5));
    setBetween(paint, one, other, share);
    const away = Math.hypot((x - x0) / width, (y - y0) / height);
    paint[0] += (rim[0] - paint[0]) * Math.min(1, away);
    paint[1] += (rim[1] - paint[1]) * Math.min(1, away);
    paint[2] += (rim[2] - paint[2]) * Math.min(1, away);
  });
  const pen = penAt(canvas, { x: x0, y: y0, scale: canvas.unit });
  await pen.disc(0, -0.02, 0.4, 0.4, lighter(base, 0.34), 0.9);
}

export async function paintConfetti(canvas: Canvas, palette: Palette, foot: number): Promise<void> {
  const { width, unit, random } = canvas;
  const colours: Rgb[] = [
    palette.hero,
    palette.second,
    palette.third,
    palette.white,
    palette.light,
  ];
  for (let piece = 0; piece < 46; piece++) {
    const [x, y] = [width * random(), foot * (0.02 + 0.9 * random() ** 1.3)];
    const pen = penAt(canvas, {
      x,
      y,
      scale: unit * (0.012 + 0.012 * random()),
      turn: random() * 6,
    });
    const colour = pick(random, colours);
    if (piece % 3 === 0) await pen.disc(0, 0, 0.5, 0.5, colour);
    else if (piece % 3 === 1) await pen.box(-0.5, -0.28, 1, 0.56, 0.08, colour);
    else await pen.line([-0.8, 0.2, -0.3, -0.25, 0.2, 0.25, 0.7, -0.2], 0.26, colour);
  }
}

async function paintShoppingBag(pen: Pen, colour: Rgb, palette: Palette): Promise<void> {
  const grip = [-0.2, -1, -0.2, -1.18, -0.1, -1.28, 0.1, -1.28, 0.2, -1.18, 0.2, -1];
  await pen.curve(grip, 0.035, darker(colour, 0.4));
  await pen.path("M-.46 -1.02 H.34 V0 H-.46 Z", { from: lighter(colour, 0.14), to: colour });
  await pen.path("M.34 -1.02 L.5 -.94 V-.06 L.34 0 Z", darker(colour, 0.28));
  await pen.path("M.34 -1.02 L.42 -.5 L.34 0 Z", darker(colour, 0.16));
  await pen.path(
    "M-.06 -.3 C-.34 -.5 -.26 -.72 -.06 -.6 C.14 -.72 .22 -.5 -.06 -.3 Z",
    palette.white,
  );
  for (const x of [-0.2, 0.2]) await pen.disc(x - 0.02, -0.96, 0.022, 0.022, darker(colour, 0.4));
}

/** A wrapped box with its bow; its foot is (0, 0), its width 1. */
export async function paintGift(
  pen: Pen,
  colour: Rgb,
  ribbon: Rgb,
  palette: Palette,
): Promise<void> {
  await pen.shade(0.04, 0, 0.6, 0.08, palette.shade, 0.4);
  await pen.box(-0.46, -0.66, 0.92, 0.66, 0.02, rounded(colour, 0.14));
  await pen.box(-0.09, -0.66, 0.18, 0.66, 0, ribbon);
  await pen.box(-0.5, -0.82, 1, 0.2, 0.03, rounded(lighter(colour, 0.12), 0.12));
  await pen.box(-0.09, -0.82, 0.18, 0.2, 0, ribbon);
  for (const side of [-1, 1]) {
    await pen.path(
      `M0 -.82 C${side * 0.1} -1.12 ${side * 0.44} -1.1 ${side * 0.36} -.9 C${side * 0.3} -.8 ${
        side * 0.1
      } -.82 0 -.82 Z`,
      ribbon,
    );
    await pen.path(
      `M${side * 0.06} -.85 C${side * 0.12} -.98 ${side * 0.3} -1 ${side * 0.28} -.91 C${
        side * 0.24
      } -.85 ${side * 0.12} -.85 ${side * 0.06} -.85 Z`,
      darker(ribbon, 0.22),
    );
  }
  await pen.disc(0, -0.84, 0.07, 0.06, darker(ribbon, 0.1));
}

async function paintTag(pen: Pen, colour: Rgb, palette: Palette): Promise<void> {
  await pen.shade(0.04, -0.4, 0.5, 0.6, palette.shade, 0.25);
  await pen.path("M-.3 0 V-.72 L0 -1 L.3 -.72 V0 Q.3 .04 .26 .04 H-.26 Q-.3 .04 -.3 0 Z", {
    from: lighter(colour, 0.1),
    to: darker(colour, 0.06),
  });
  await pen.disc(0, -0.78, 0.07, 0.07, darker(colour, 0.4));
  await pen.line([0, -0.78, 0.1, -1.02, 0.04, -1.2], 0.03, palette.ink);
  await pen.path("M0 -.1 C-.32 -.3 -.22 -.54 0 -.4 C.22 -.54 .32 -.3 0 -.1 Z", palette.hero);
}
