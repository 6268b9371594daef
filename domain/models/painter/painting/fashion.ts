/** Things to wear, to stand on a podium: a sneaker, a bag, a watch. */
import { mix } from "../../../media/images/colour.ts";
import { darker, lighter, type Palette } from "./palette.ts";
import { type Pen, rounded } from "./pen.ts";

export async function paintShoe(pen: Pen, palette: Palette): Promise<void> {
  const at = pen.at({ x: 0, y: -0.02, scale: 0.62 });
  await at.shade(0.05, 0.02, 0.98, 0.1, palette.shade, 0.5);
  await at.path(
    "M-.86 -.14 C-.92 -.4 -.86 -.74 -.74 -.98 Q-.6 -1.06 -.44 -.98 C-.36 -.8 -.2 -.72 .02 -.56 C.3 -.4 .62 -.42 .8 -.3 Q.92 -.2 .9 -.1 H-.86 Z",
    {
      from: lighter(palette.hero, 0.16),
      to: palette.hero,
    },
  );
  await at.path(
    "M-.74 -.98 Q-.6 -1.06 -.44 -.98 C-.42 -.9 -.36 -.84 -.3 -.78 C-.44 -.74 -.66 -.8 -.78 -.84 Z",
    darker(palette.hero, 0.35),
  );
  await at.path(
    "M.46 -.4 C.62 -.42 .76 -.36 .84 -.27 Q.92 -.2 .9 -.1 H.4 Q.38 -.28 .46 -.4 Z",
    lighter(palette.hero, 0.35),
  );
  await at.path(
    "M-.84 -.5 C-.5 -.44 -.1 -.3 .1 -.1 H-.1 C-.3 -.26 -.6 -.34 -.86 -.36 Z",
    palette.white,
  );
  for (let lace = 0; lace < 4; lace++) {
    const [x, y] = [-0.3 + lace * 0.12, -0.78 + lace * 0.085];
    await at.line([x - 0.05, y + 0.1, x + 0.08, y - 0.01], 0.045, palette.white);
  }
  await at.path("M-.9 -.14 H.92 Q.98 -.04 .9 .02 H-.84 Q-.94 -.02 -.9 -.14 Z", palette.white);
  await at.path(
    "M-.9 -.04 H.95 Q.95 .0 .9 .02 H-.84 Q-.9 .01 -.9 -.04 Z",
    darker(palette.second, 0.1),
  );
}

export async function paintBag(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.06, 0, 0.5, 0.06, palette.shade, 0.5);
  const grip = [
    -0.2,
    -0.62,
    -0.2,
    -0.82,
    -0.12,
    -0.93,
    0,
    -0.97,
    0.12,
    -0.93,
    0.2,
    -0.82,
    0.2,
    -0.62,
  ];
  await pen.curve(grip, 0.045, darker(palette.hero, 0.35));
  await pen.path(
    "M-.36 -.66 H.36 L.44 -.06 Q.45 .02 .37 .02 H-.37 Q-.45 .02 -.44 -.06 Z",
    rounded(palette.hero, 0.16),
  );
  await pen.path(
    "M-.36 -.66 H.36 L.385 -.46 Q0 -.2 -.385 -.46 Z",
    rounded(lighter(palette.hero, 0.14), 0.12),
  );
  await pen.disc(0, -0.33, 0.06, 0.06, mix([214, 178, 104], palette.light, 0.2));
  await pen.disc(0, -0.33, 0.03, 0.03, darker(palette.hero, 0.3));
  const scarf = pen.at({ x: 0.19, y: -0.64, scale: 1 });
  await scarf.path("M-.04 0 L.06 0 L.14 .3 L.06 .28 L.0 .34 Z", palette.third);
}

export async function paintWatch(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.06, 0, 0.36, 0.06, palette.shade, 0.5);
  await pen.box(-0.13, -1, 0.26, 1, 0.05, rounded(darker(palette.hero, 0.1), 0.2));
  await pen.path("M-.3 0 Q-.3 -.16 -.14 -.18 H.14 Q.3 -.16 .3 0 Z", rounded(palette.wood, 0.2));
  await pen.box(0.27, -0.59, 0.06, 0.08, 0.02, darker(palette.metal, 0.2));
  await pen.disc(0, -0.55, 0.3, 0.3, rounded(palette.metal, 0.35));
  await pen.disc(0, -0.55, 0.25, 0.25, palette.white);
  for (let hour = 0; hour < 12; hour++) {
    const angle = hour / 12 * Math.PI * 2;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    await pen.line(
      [dx * 0.19, -0.55 + dy * 0.19, dx * 0.22, -0.55 + dy * 0.22],
      0.016,
      palette.ink,
    );
  }
  await pen.line([0, -0.55, -0.1, -0.63], 0.024, palette.ink);
  await pen.line([0, -0.55, 0.11, -0.67], 0.018, palette.ink);
  await pen.disc(0, -0.55, 0.02, 0.02, palette.hero);
}
