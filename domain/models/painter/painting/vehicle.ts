/** A vehicle from the side, in open air: bicycle, car, van or sailing boat. */
import { mix } from "../../../media/images/colour.ts";
import { paintOpenAir, paintWeather, seaOf } from "./backdrop.ts";
import type { Canvas } from "./canvas.ts";
import { darker, lighter, type Palette, paletteOf } from "./palette.ts";
import { type Pen, penAt } from "./pen.ts";
import { paintTree } from "./street.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintVehicle(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const { width, height, unit, random } = canvas;
  const palette = paletteOf(tones);
  const isBoat = brief.kind === "boat";
  const ground = height * (isBoat ? 0.6 : 0.7);
  const road = mix([142, 140, 146], palette.wall, 0.35);
  const floor = isBoat ? seaOf(tones) : road;
  await paintOpenAir(canvas, isBoat ? { ...brief, hasWater: true } : brief, tones, ground, floor);
  const foot = ground + (height - ground) * (isBoat ? 0.34 : 0.42);
  // The mast, too, is to stay on the picture.
  const reach = Math.min(width * 0.84, unit * 1.1, foot);
  const land = penAt(canvas, { x: width / 2, y: ground, scale: unit });
  const place = { x: width / 2, y: foot, scale: reach, isFlipped: random() < 0.4 };
  const pen = penAt(canvas, place);
  if (isBoat) {
    await paintBoat(pen, palette);
    await paintRipples(land, palette, width / unit, (height - ground) / unit, random);
  } else {
    if (!brief.isSea) {
      await paintTree(land.at({ x: -width / unit * 0.4, y: 0.02, scale: 0.26 }), palette);
      await paintTree(land.at({ x: width / unit * 0.38, y: 0.02, scale: 0.32 }), palette);
    }
    await land.box(
      -width / unit,
      0,
      2 * width / unit,
      0.05,
      0,
      mix(palette.leaf, palette.wall, 0.25),
    );
    await pen.shade(0, 0.01, 0.46, 0.05, palette.shade, 0.55);
    if (brief.kind === "car") await paintCar(pen, palette);
    else if (brief.kind === "van") await paintVan(pen, palette);
    else await paintBicycle(pen, palette);
  }
  await paintWeather(canvas, brief);
}

const ring = (x: number, y: number, radius: number) =>
  Array.from({ length: 41 }, (_, at) => at / 40 * Math.PI * 2)
    .flatMap((angle) => [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius]);

async function paintBicycle(pen: Pen, palette: Palette): Promise<void> {
  const [back, front, hub] = [-0.27, 0.27, -0.19];
  for (const x of [back, front]) {
    for (let spoke = 0; spoke < 9; spoke++) {
      const angle = spoke / 9 * Math.PI;
      const [dx, dy] = [Math.cos(angle) * 0.18, Math.sin(angle) * 0.18];
      await pen.line([x - dx, hub - dy, x + dx, hub + dy], 0.0028, palette.metal);
    }
    await pen.line(ring(x, hub, 0.185), 0.017, palette.ink);
    await pen.line(ring(x, hub, 0.172), 0.006, lighter(palette.metal, 0.3));
    await pen.disc(x, hub, 0.016, 0.016, palette.metal);
  }
  const frame = palette.hero;
  const [crank, seat, head] = [[-0.035, -0.185], [-0.115, -0.43], [0.19, -0.44]] as const;
  await pen.line([back, hub, ...crank], 0.014, frame);
  await pen.line([back, hub, ...seat], 0.012, frame);
  await pen.line([...crank, ...seat, ...head, ...crank], 0.02, frame);
  await pen.line([front, hub, 0.21, -0.37, 0.175, -0.5], 0.018, frame);
  await pen.line([...seat, -0.135, -0.49], 0.014, palette.metal);
  await pen.path(
    "M-.22 -.52 Q-.12 -.545 -.06 -.505 Q-.05 -.485 -.1 -.487 L-.19 -.478 Q-.235 -.49 -.22 -.52 Z",
    mix(palette.wood, palette.ink, 0.35),
  );
  await pen.line(
    [0.175, -0.5, 0.17, -0.53, 0.21, -0.55, 0.245, -0.545, 0.235, -0.515],
    0.014,
    palette.ink,
  );
  await pen.line(ring(crank[0], crank[1], 0.042), 0.01, palette.metal);
  await pen.line([crank[0], crank[1], 0.01, -0.115], 0.011, darker(palette.metal, 0.2));
  await pen.box(-0.015, -0.118, 0.06, 0.014, 0.005, palette.ink);
  await pen.line([back + 0.005, hub - 0.018, crank[0], -0.225], 0.004, darker(palette.metal, 0.3));
  await pen.path(
    "M.24 -.47 H.38 L.36 -.36 Q.358 -.35 .345 -.35 H.275 Q.262 -.35 .26 -.36 Z",
    palette.wood,
  );
  await pen.box(0.235, -0.478, 0.15, 0.018, 0.008, lighter(palette.wood, 0.2));
  for (
    const [x, y, colour] of [[0.27, -0.5, palette.third], [0.31, -0.515, palette.hero], [
      0.35,
      -0.5,
      palette.second,
    ]] as const
  ) {
    await pen.line([x, -0.475, x, y], 0.006, palette.leaf);
    await pen.disc(x, y, 0.022, 0.022, lighter(colour, 0.2));
    await pen.disc(x, y, 0.009, 0.009, palette.light);
  }
}

async function paintWheel(pen: Pen, palette: Palette, x: number, radius: number): Promise<void> {
  await pen.disc(x, -radius, radius, radius, palette.ink);
  await pen.disc(x, -radius, radius * 0.6, radius * 0.6, lighter(palette.metal, 0.25));
  await pen.disc(x, -radius, radius * 0.42, radius * 0.42, darker(palette.metal, 0.15));
  await pen.disc(x, -radius, radius * 0.14, radius * 0.14, lighter(palette.metal, 0.4));
}

async function paintCar(pen: Pen, palette: Palette): Promise<void> {
  const paint = { from: lighter(palette.hero, 0.16), to: darker(palette.hero, 0.16) };
  const glass = {
    from: mix([190, 214, 226], palette.white, 0.3),
    to: mix([132, 166, 186], palette.ink, 0.2),
  };
  await pen.path(
    "M-.46 -.1 Q-.47 -.2 -.43 -.23 L-.32 -.25 C-.24 -.36 -.2 -.39 -.1 -.4 H.06 C.15 -.4 .2 -.34 .27 -.26 C.37 -.25 .44 -.22 .455 -.15 Q.47 -.08 .44 -.07 H-.44 Q-.46 -.07 -.46 -.1 Z",
    paint,
  );
  await pen.path("M-.27 -.255 C-.21 -.34 -.18 -.365 -.1 -.367 H-.045 V-.25 Z", glass);
  await pen.path("M-.02 -.25 V-.367 H.055 C.12 -.367 .16 -.32 .21 -.255 Z", glass);
  await pen.line([-0.032, -0.25, -0.036, -0.1], 0.004, darker(palette.hero, 0.35));
  await pen.box(0.01, -0.222, 0.05, 0.012, 0.006, lighter(palette.metal, 0.3));
  await pen.disc(0.435, -0.19, 0.018, 0.024, lighter(palette.light, 0.4));
  await pen.box(-0.462, -0.21, 0.018, 0.04, 0.008, [206, 66, 56]);
  await pen.box(-0.46, -0.1, 0.92, 0.022, 0.01, darker(palette.hero, 0.4));
  for (const x of [-0.27, 0.27]) {
    await pen.disc(x, -0.09, 0.105, 0.105, darker(palette.hero, 0.55));
    await paintWheel(pen, palette, x, 0.088);
  }
}

async function paintVan(pen: Pen, palette: Palette): Promise<void> {
  const paint = { from: lighter(palette.hero, 0.14), to: darker(palette.hero, 0.12) };
  const glass = {
    from: mix([196, 220, 230], palette.white, 0.3),
    to: mix([132, 166, 186], palette.ink, 0.2),
  };
  await pen.path(
    "M-.45 -.5 Q-.45 -.53 -.42 -.53 H.2 C.28 -.53 .31 -.46 .35 -.34 C.43 -.31 .46 -.28 .46 -.2 V-.1 Q.46 -.07 .43 -.07 H-.42 Q-.45 -.07 -.45 -.1 Z",
    paint,
  );
  await pen.path(
    "M-.45 -.3 H.36 C.43 -.28 .46 -.26 .46 -.2 V-.1 Q.46 -.07 .43 -.07 H-.42 Q-.45 -.07 -.45 -.1 Z",
    palette.white,
  );
  await pen.path("M.15 -.33 V-.48 H.21 C.25 -.48 .27 -.44 .305 -.33 Z", glass);
  await pen.box(-0.02, -0.48, 0.13, 0.15, 0.015, glass);
  await pen.line([0.13, -0.5, 0.13, -0.09], 0.004, darker(palette.white, 0.3));
  await pen.path(
    "M-.27 -.4 C-.33 -.44 -.33 -.5 -.27 -.51 C-.2 -.5 -.21 -.44 -.27 -.4 Z",
    lighter(palette.hero, 0.6),
  );
  await pen.box(0.15, -0.28, 0.05, 0.012, 0.006, darker(palette.metal, 0.2));
  await pen.disc(0.44, -0.22, 0.016, 0.026, lighter(palette.light, 0.4));
  await pen.box(-0.45, -0.095, 0.91, 0.024, 0.01, darker(palette.metal, 0.35));
  for (const x of [-0.26, 0.28]) {
    await pen.disc(x, -0.09, 0.1, 0.1, palette.ink);
    await paintWheel(pen, palette, x, 0.084);
  }
}

async function paintBoat(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0, 0.03, 0.4, 0.06, palette.shade, 0.5);
  await pen.box(-0.008, -0.86, 0.016, 0.8, 0.006, palette.wood);
  await pen.path("M.02 -.84 C.2 -.6 .32 -.36 .34 -.17 L.02 -.15 Z", {
    from: palette.white,
    to: darker(palette.white, 0.1),
  });
  await pen.path("M-.02 -.76 C-.14 -.56 -.26 -.34 -.3 -.18 L-.02 -.15 Z", {
    from: lighter(palette.hero, 0.25),
    to: palette.hero,
  });
  await pen.path("M0 -.86 L.09 -.84 L0 -.81 Z", palette.third);
  await pen.path("M-.38 -.11 H.42 C.38 0 .3 .05 .2 .05 H-.22 C-.32 .05 -.37 -.02 -.38 -.11 Z", {
    from: palette.white,
    to: darker(palette.white, 0.16),
  });
  await pen.path("M-.382 -.11 H.42 L.41 -.07 H-.375 Z", palette.hero);
}

async function paintRipples(
  pen: Pen,
  palette: Palette,
  wide: number,
  deep: number,
  random: () => number,
) {
  for (let ripple = 0; ripple < 26; ripple++) {
    const down = random();
    const [x, y, long] = [(random() - 0.5) * wide, deep * (0.06 + 0.9 * down), 0.03 + 0.09 * down];
    await pen.line([x, y, x + long, y], 0.003 + 0.004 * down, palette.white, 0.4);
  }
}
