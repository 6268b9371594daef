/** A workshop: tools on a board, and on the bench what is being made. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { paintWall, paintWindow } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt, rounded } from "./pen.ts";
import { paintPot } from "./potted.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

const CLAY: Rgb = [192, 122, 86];

export async function paintCraft(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const top = height * 0.74;
  await paintWall(canvas, palette, height);
  const pen = penAt(canvas, { x: width / 2, y: top, scale: unit });
  const half = width / unit / 2;
  if (brief.kind === "tools") await paintPegboard(pen.at({ x: 0, y: -0.47, scale: 1 }), palette);
  else if (brief.kind === "paint") {
    const view = {
      x: width / 2 - unit * 0.44,
      y: top - unit * 0.66,
      width: unit * 0.3,
      height: unit * 0.42,
    };
    await paintWindow(canvas, palette, tones, view);
  } else await paintShelf(pen.at({ x: 0, y: -0.46, scale: 1 }), palette);
  const wood = palette.wood;
  await pen.box(-half, 0, 2 * half, 0.4, 0, { from: darker(wood, 0.25), to: darker(wood, 0.42) });
  await pen.box(-half, -0.01, 2 * half, 0.1, 0, {
    from: lighter(wood, 0.26),
    to: lighter(wood, 0.08),
  });
  if (brief.kind === "pottery") await paintWheel(pen.at({ x: 0, y: 0.05, scale: 0.5 }), palette);
  else if (brief.kind === "paint") {
    await paintEasel(pen.at({ x: 0.12, y: 0.06, scale: 0.6 }), palette);
  } else await paintBox(pen.at({ x: 0, y: 0.06, scale: 0.46 }), palette);
  await paintBrushes(pen.at({ x: -0.38, y: 0.055, scale: 0.14 }), palette);
  await paintPot(pen.at({ x: 0.42, y: 0.05, scale: 0.11 }), palette, random);
}

async function paintPegboard(pen: Pen, palette: Palette): Promise<void> {
  await pen.box(-0.44, -0.22, 0.88, 0.42, 0.012, lighter(palette.wood, 0.34));
  for (let dot = 0; dot < 84; dot++) {
    await pen.disc(
      -0.4 + (dot % 14) * 0.0615,
      -0.18 + Math.floor(dot / 14) * 0.068,
      0.005,
      0.005,
      palette.wood,
    );
  }
  const steel = darker(palette.metal, 0.15);
  const hammer = pen.at({ x: -0.32, y: 0, scale: 1 });
  await hammer.box(-0.014, -0.13, 0.028, 0.29, 0.012, darker(palette.wood, 0.2));
  await hammer.path("M-.075 -.17 H.05 L.08 -.14 L.05 -.115 H-.075 Z", steel);
  const saw = pen.at({ x: -0.1, y: -0.02, scale: 1 });
  await saw.path("M-.1 -.06 L.13 -.1 V-.075 L-.08 .06 Z", lighter(palette.metal, 0.25));
  await saw.path("M-.14 -.09 H-.06 V.08 H-.13 Q-.17 0 -.14 -.09 Z", palette.hero);
  const wrench = pen.at({ x: 0.15, y: 0, scale: 1, turn: 0.1 });
  await wrench.box(-0.014, -0.1, 0.028, 0.26, 0.012, steel);
  await wrench.path("M-.05 -.17 L-.02 -.13 H.02 L.05 -.17 V-.1 Q0 -.05 -.05 -.1 Z", steel);
  for (const [at, colour] of [palette.hero, palette.third, palette.second].entries()) {
    const x = 0.25 + at * 0.065;
    await pen.box(x - 0.016, -0.15, 0.032, 0.12, 0.014, colour);
    await pen.box(x - 0.005, -0.04, 0.01, 0.15, 0.004, steel);
  }
}

async function paintShelf(pen: Pen, palette: Palette): Promise<void> {
  for (const [row, y] of [-0.12, 0.14].entries()) {
    const colours = [palette.hero, CLAY, palette.white, palette.second, palette.third];
    for (let pot = 0; pot < 5; pot++) {
      const at = pen.at({ x: -0.34 + pot * 0.17, y, scale: 0.075 + 0.012 * ((pot + row) % 3) });
      const colour = colours[(pot + row * 2) % 5] ?? CLAY;
      if ((pot + row) % 3 === 0) {
        await at.path(
          "M-.7 -1.1 H.7 C.66 -.4 .4 0 .3 0 H-.3 C-.4 0 -.66 -.4 -.7 -1.1 Z",
          rounded(colour),
        );
      } else if ((pot + row) % 3 === 1) {
        await at.path(
          "M-.22 -1.8 H.22 C.2 -1.4 .7 -1.2 .7 -.7 C.7 -.3 .5 0 .36 0 H-.36 C-.5 0 -.7 -.3 -.7 -.7 C-.7 -1.2 -.2 -1.4 -.22 -1.8 Z",
          rounded(colour),
        );
      } else {await at.path(
          "M-.5 -1.2 H.5 L.46 -.1 Q.44 0 .34 0 H-.34 Q-.44 0 -.46 -.1 Z",
          rounded(colour),
        );}
    }
    await pen.box(-0.45, y, 0.9, 0.022, 0.006, darker(palette.wood, 0.1));
  }
}

async function paintWheel(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0, 0.02, 0.6, 0.08, palette.shade, 0.45);
  await pen.box(-0.14, -0.12, 0.28, 0.13, 0.01, darker(palette.metal, 0.3));
  await pen.disc(0, -0.12, 0.5, 0.07, darker(palette.metal, 0.2));
  await pen.disc(0, -0.14, 0.5, 0.07, lighter(palette.metal, 0.12));
  const clay = mix(CLAY, palette.hero, 0.12);
  await pen.path(
    "M-.2 -.86 H.2 C.18 -.72 .16 -.68 .26 -.56 C.4 -.4 .36 -.2 .2 -.13 Q0 -.1 -.2 -.13 C-.36 -.2 -.4 -.4 -.26 -.56 C-.16 -.68 -.18 -.72 -.2 -.86 Z",
    rounded(clay, 0.22),
  );
  await pen.disc(0, -0.86, 0.2, 0.035, darker(clay, 0.35));
  for (const [y, half] of [[-0.5, 0.29], [-0.42, 0.33], [-0.32, 0.33]] as const) {
    await pen.path(
      `M${-half} ${y} Q0 ${y + 0.06} ${half} ${y} Q0 ${y + 0.075} ${-half} ${y} Z`,
      darker(clay, 0.2),
    );
  }
}

async function paintEasel(pen: Pen, palette: Palette): Promise<void> {
  const wood = darker(palette.wood, 0.15);
  await pen.line([-0.3, 0, -0.06, -1.16], 0.04, wood);
  await pen.line([0.3, 0, 0.06, -1.16], 0.04, wood);
  await pen.box(-0.42, -0.34, 0.84, 0.045, 0.01, wood);
  await pen.shade(0.03, -0.62, 0.5, 0.42, palette.shade, 0.25);
  await pen.box(-0.38, -0.98, 0.76, 0.64, 0.006, [252, 250, 245]);
  await pen.box(-0.34, -0.94, 0.68, 0.56, 0, {
    from: lighter(palette.hero, 0.55),
    to: lighter(palette.third, 0.5),
  });
  await pen.disc(0.12, -0.74, 0.09, 0.09, lighter(palette.third, 0.1));
  await pen.path(
    "M-.34 -.38 V-.56 Q-.16 -.76 0 -.58 Q.14 -.68 .34 -.52 V-.38 Z",
    lighter(palette.hero, 0.12),
  );
  await pen.path("M-.34 -.38 V-.46 Q0 -.58 .34 -.44 V-.38 Z", palette.second);
}

async function paintBox(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0, 0.01, 0.62, 0.07, palette.shade, 0.45);
  await pen.line([-0.2, -0.5, -0.2, -0.66, 0.2, -0.66, 0.2, -0.5], 0.05, palette.ink);
  await pen.box(-0.48, -0.5, 0.96, 0.5, 0.04, rounded(palette.hero, 0.14));
  await pen.box(-0.5, -0.5, 1, 0.16, 0.03, rounded(lighter(palette.hero, 0.14), 0.12));
  for (const x of [-0.26, 0.26]) {
    await pen.box(x - 0.045, -0.4, 0.09, 0.13, 0.015, lighter(palette.metal, 0.3));
  }
  await pen.box(-0.3, -0.2, 0.6, 0.06, 0.03, darker(palette.hero, 0.25));
}

async function paintBrushes(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0, 0, 0.6, 0.1, palette.shade, 0.4);
  const tips: Rgb[] = [palette.hero, palette.third, palette.second];
  for (const [at, turn] of [-0.28, 0.02, 0.3].entries()) {
    const brush = pen.at({ x: (at - 1) * 0.14, y: -0.8, scale: 1, turn });
    await brush.box(-0.04, -1, 0.08, 1, 0.03, lighter(palette.wood, 0.1));
    await brush.box(-0.05, -1.2, 0.1, 0.22, 0.01, palette.metal);
    await brush.path(
      "M-.07 -1.18 Q-.1 -1.42 0 -1.62 Q.1 -1.42 .07 -1.18 Z",
      tips[at] ?? palette.hero,
    );
  }
  await pen.box(-0.4, -1, 0.8, 1, 0.06, rounded(palette.white, 0.14));
  await pen.box(-0.4, -0.66, 0.8, 0.18, 0, rounded(palette.second, 0.14));
}
