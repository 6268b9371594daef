/** Laptops and phones, their screens abstract: shapes and bars, never letters. */
import { mix, WHITE } from "../../../media/images/colour.ts";
import { darker, lighter, type Palette } from "./palette.ts";
import type { Pen } from "./pen.ts";

/** An open laptop, 1 wide, its foot at (0, 0); from behind for one that somebody works at. */
export async function paintLaptop(pen: Pen, palette: Palette, isFromBehind = false): Promise<void> {
  await pen.shade(0, 0.02, 0.62, 0.06, palette.shade, 0.45);
  const shell = lighter(palette.metal, 0.2);
  await pen.path(
    "M-.45 -.66 Q-.45 -.7 -.41 -.7 H.41 Q.45 -.7 .45 -.66 L.47 -.04 H-.47 Z",
    isFromBehind ? { from: lighter(shell, 0.3), to: darker(shell, 0.06) } : palette.ink,
  );
  if (isFromBehind) await pen.disc(0, -0.37, 0.055, 0.055, darker(shell, 0.16));
  else await paintScreen(pen, palette);
  await pen.path(
    "M-.54 -.04 H.54 L.5 .02 Q.49 .03 .46 .03 H-.46 Q-.49 .03 -.5 .02 Z",
    darker(shell, 0.12),
  );
}

async function paintScreen(pen: Pen, palette: Palette): Promise<void> {
  const glow = mix(palette.white, palette.hero, 0.08);
  await pen.box(-0.42, -0.66, 0.84, 0.58, 0.015, { from: glow, to: mix(glow, palette.hero, 0.16) });
  await pen.box(-0.37, -0.61, 0.2, 0.48, 0.02, mix(glow, palette.hero, 0.24));
  for (const [row, wide] of [0.14, 0.1, 0.12].entries()) {
    await pen.box(-0.34, -0.56 + row * 0.08, wide, 0.03, 0.015, mix(palette.hero, WHITE, 0.25));
  }
  await pen.box(-0.13, -0.61, 0.5, 0.22, 0.02, WHITE);
  await pen.line(
    [-0.1, -0.44, 0.02, -0.49, 0.12, -0.46, 0.22, -0.54, 0.33, -0.57],
    0.018,
    palette.hero,
  );
  for (const [bar, high] of [0.08, 0.13, 0.1, 0.17].entries()) {
    await pen.box(
      -0.1 + bar * 0.12,
      -0.14 - high,
      0.07,
      high,
      0.012,
      bar % 2 === 0 ? palette.second : palette.third,
    );
  }
}

/** A phone upright, 1 high, its foot at (0, 0). */
export async function paintPhone(pen: Pen, palette: Palette): Promise<void> {
  await pen.box(-0.25, -1, 0.5, 1, 0.07, palette.ink);
  const screen = { from: mix(palette.hero, WHITE, 0.3), to: mix(palette.second, WHITE, 0.15) };
  await pen.box(-0.225, -0.975, 0.45, 0.95, 0.05, screen);
  await pen.disc(0.05, -0.62, 0.12, 0.12, mix(palette.third, WHITE, 0.5));
  await pen.path(
    "M-.225 -.36 Q-.1 -.5 .02 -.38 Q.12 -.46 .225 -.36 V-.2 H-.225 Z",
    mix(palette.hero, WHITE, 0.6),
  );
  await pen.box(-0.18, -0.26, 0.36, 0.1, 0.05, WHITE);
  await pen.box(-0.18, -0.13, 0.22, 0.05, 0.025, mix(WHITE, palette.hero, 0.2));
  await pen.box(-0.06, -0.955, 0.12, 0.025, 0.012, palette.ink);
}
