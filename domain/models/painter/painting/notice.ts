/** What words would say, without words: a blank poster, a calendar page, speech bubbles. */
import { WHITE } from "../../../media/images/colour.ts";
import { paintWall } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import { paintPot, paintStack } from "./potted.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintNotice(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const floor = height * 0.84;
  await paintWall(canvas, palette, floor);
  const pen = penAt(canvas, {
    x: width / 2,
    y: height * 0.45,
    scale: Math.min(unit, height * 0.8),
  });
  if (brief.kind === "quote") await paintBubbles(pen, palette);
  else if (brief.kind === "calendar") await paintCalendar(pen, palette);
  else await paintPoster(pen, palette);
  const side = random() < 0.5 ? -1 : 1;
  const low = penAt(canvas, { x: width / 2, y: floor + (height - floor) * 0.45, scale: unit });
  await paintPot(low.at({ x: side * 0.43, y: 0, scale: 0.11 }), palette, random);
  await paintStack(low.at({ x: -side * 0.36, y: 0, scale: 0.2 }), palette, random, 2);
}

/** A large empty sheet held by clips: the overlay's words go there. */
async function paintPoster(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.03, 0.06, 0.5, 0.58, palette.shade, 0.32);
  await pen.box(-0.33, -0.36, 0.66, 0.78, 0.008, palette.hero);
  await pen.box(-0.29, -0.32, 0.58, 0.7, 0.004, {
    from: lighter(palette.white, 0.4),
    to: darker(palette.white, 0.05),
  });
  await pen.path(
    "M-.29 .38 V.2 Q-.1 .1 .06 .22 Q.2 .32 .29 .2 V.38 Z",
    lighter(palette.third, 0.25),
  );
  await pen.path(
    "M-.29 .38 V.3 Q-.05 .2 .12 .3 Q.22 .36 .29 .32 V.38 Z",
    lighter(palette.hero, 0.15),
  );
  await pen.disc(0.18, -0.2, 0.06, 0.06, lighter(palette.third, 0.2));
  for (const x of [-0.2, 0.2]) {
    await pen.box(x - 0.03, -0.4, 0.06, 0.07, 0.012, rounded(palette.ink));
    await pen.line([x, -0.4, x * 0.2, -0.62], 0.006, palette.ink);
  }
  await pen.disc(0, -0.62, 0.016, 0.016, palette.ink);
}

async function paintCalendar(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.03, 0.05, 0.48, 0.5, palette.shade, 0.32);
  await pen.box(-0.34, -0.3, 0.68, 0.66, 0.03, lighter(palette.white, 0.4));
  await pen.box(-0.34, -0.34, 0.68, 0.18, 0.03, rounded(palette.hero, 0.1));
  await pen.box(-0.34, -0.2, 0.68, 0.04, 0, rounded(palette.hero, 0.1));
  for (const x of [-0.2, 0.2]) {
    await pen.box(x - 0.016, -0.4, 0.032, 0.12, 0.016, palette.ink);
  }
  for (let day = 0; day < 24; day++) {
    const [x, y] = [-0.27 + (day % 6) * 0.108, -0.08 + Math.floor(day / 6) * 0.105];
    const isDay = day === 15;
    const soft = day % 6 === 5 ? lighter(palette.third, 0.5) : darker(palette.white, 0.08);
    await pen.box(x - 0.036, y - 0.036, 0.072, 0.072, 0.014, isDay ? palette.hero : soft);
    if (isDay) {
      await pen.line([x - 0.018, y, x - 0.004, y + 0.016, x + 0.02, y - 0.016], 0.012, WHITE);
    }
  }
}

async function paintBubbles(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.02, 0.02, 0.56, 0.42, palette.shade, 0.22);
  await pen.path(
    "M-.42 -.3 Q-.42 -.38 -.34 -.38 H.3 Q.38 -.38 .38 -.3 V.04 Q.38 .12 .3 .12 H-.12 L-.24 .25 L-.24 .12 H-.34 Q-.42 .12 -.42 .04 Z",
    { from: lighter(palette.hero, 0.1), to: palette.hero },
  );
  for (const [row, long] of [0.52, 0.58, 0.36].entries()) {
    await pen.box(-0.31, -0.26 + row * 0.1, long, 0.045, 0.022, lighter(palette.hero, 0.55));
  }
  await pen.path(
    "M-.06 .2 Q-.06 .14 0 .14 H.4 Q.46 .14 .46 .2 V.38 Q.46 .44 .4 .44 H.34 L.32 .53 L.22 .44 H0 Q-.06 .44 -.06 .38 Z",
    { from: lighter(palette.white, 0.4), to: palette.white },
  );
  for (let star = 0; star < 5; star++) {
    const at = pen.at({ x: 0.04 + star * 0.08, y: 0.29, scale: 0.035 });
    await at.path(
      "M0 -1 L.28 -.34 L.98 -.3 L.44 .14 L.62 .82 L0 .42 L-.62 .82 L-.44 .14 L-.98 -.3 L-.28 -.34 Z",
      [244, 184, 72],
    );
  }
}
