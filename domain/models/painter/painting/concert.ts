/** A concert: a band in the light of the stage, the crowd before it. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { type Canvas, fill, setBetween } from "./canvas.ts";
import { darker, lighter, type Palette } from "./palette.ts";
import { type Pen, penAt } from "./pen.ts";

export async function paintConcert(canvas: Canvas, palette: Palette): Promise<void> {
  const { width, height, unit, random } = canvas;
  const dark = mix(palette.hero, [18, 14, 34], 0.72);
  const [above, below] = [darker(dark, 0.45), lighter(dark, 0.08)];
  await fill(canvas, (_x, y, paint) => setBetween(paint, above, below, y / height));
  const stage = height * 0.7;
  const pen = penAt(canvas, { x: width / 2, y: stage, scale: unit });
  const high = stage / unit;
  const beams: Rgb[] = [palette.hero, palette.third, palette.light, palette.second, palette.hero];
  for (const [at, colour] of beams.entries()) {
    const from = (at - 2) * 0.2;
    const to = (at - 2) * 0.12 + (random() - 0.5) * 0.35;
    const path = `M${from - 0.014} ${-high} H${from + 0.014} L${to + 0.14} .02 H${to - 0.14} Z`;
    await pen.path(path, lighter(colour, 0.35), 0.2);
  }
  await pen.shade(0, -0.14, 0.6, 0.34, lighter(palette.third, 0.4), 0.5);
  await pen.box(-0.52, 0, 1.04, 0.09, 0.01, { from: lighter(dark, 0.25), to: darker(dark, 0.2) });
  for (const x of [-0.43, 0.43]) {
    await pen.box(x - 0.08, -0.3, 0.16, 0.3, 0.012, darker(dark, 0.5));
    for (const y of [-0.22, -0.09]) await pen.disc(x, y, 0.048, 0.048, lighter(dark, 0.18));
  }
  const band = darker(dark, 0.7);
  await paintPlayer(pen.at({ x: 0, y: 0, scale: 0.075 }), band, true);
  await paintPlayer(pen.at({ x: -0.23, y: 0, scale: 0.07 }), band, false);
  await paintPlayer(pen.at({ x: 0.23, y: 0, scale: 0.07, isFlipped: true }), band, false);
  const crowd = penAt(canvas, { x: 0, y: height, scale: unit });
  const wide = width / unit;
  const deep = (height - stage) / unit;
  for (const row of [0, 1, 2]) {
    const colour = mix(darker(dark, 0.25 + 0.25 * row), palette.hero, 0.16 - 0.06 * row);
    for (let x = -0.03 * row; x < wide + 0.1; x += 0.1 + 0.02 * row) {
      const y = -deep * (0.72 - 0.27 * row) + 0.03 * random();
      const size = 0.034 + 0.008 * row;
      await crowd.disc(x, y, size, size * 1.15, colour);
      await crowd.path(
        `M${x - size * 2.2} .1 V${y + size * 2.6} Q${x - size * 2} ${y + size * 1.3} ${x} ${
          y + size * 1.3
        } Q${x + size * 2} ${y + size * 1.3} ${x + size * 2.2} ${y + size * 2.6} V.1 Z`,
        colour,
      );
      if (random() < 0.34) {
        await crowd.line(
          [x + size * 1.8, y + size * 2.4, x + size * 2.1, y - size * 2],
          size * 0.62,
          colour,
        );
      }
    }
  }
}

/** A musician in outline, 7 units high. */
async function paintPlayer(pen: Pen, colour: Rgb, sings: boolean): Promise<void> {
  await pen.disc(0, -4.9, 0.5, 0.58, colour);
  await pen.path(
    "M-.75 -4.1 Q0 -4.5 .75 -4.1 L.6 -2.1 L.75 0 H.25 L.05 -1.7 L-.25 0 H-.75 L-.55 -2.1 Z",
    colour,
  );
  if (sings) {
    await pen.line([0.65, -3.9, 1.1, -3.2, 0.62, -4.2], 0.3, colour);
    await pen.line([-0.65, -3.9, -1.3, -4.6, -1.5, -5.5], 0.3, colour);
    await pen.line([0.62, 0, 0.62, -4.4], 0.1, colour);
    return;
  }
  await pen.line([0.6, -3.9, 1, -3, 0.2, -2.6], 0.3, colour);
  await pen.line([-0.6, -3.9, -1, -3.2, -1.1, -3.3], 0.3, colour);
  await pen.line([-1.5, -3.6, 0.4, -2.5], 0.16, colour);
  await pen.disc(0.45, -2.45, 0.52, 0.42, colour);
}
