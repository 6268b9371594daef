/** Small things that many scenes share: potted plants, books, pictures on a wall. */
import { darker, lighter, type Palette } from "./palette.ts";
import { type Pen, rounded } from "./pen.ts";

/** A plant in a pot; the pot's foot is (0, 0), the plant about 2 high. */
export async function paintPot(pen: Pen, palette: Palette, random: () => number): Promise<void> {
  const leaves = 7;
  for (let leaf = 0; leaf < leaves; leaf++) {
    const angle = (leaf / (leaves - 1) - 0.5) * 2.2 + (random() - 0.5) * 0.2;
    const long = 1.25 - 0.35 * Math.abs(angle) + 0.2 * random();
    const blade = pen.at({ x: 0, y: -0.6, scale: long, turn: angle });
    const green = leaf % 2 === 0 ? palette.leaf : lighter(palette.leaf, 0.16);
    await blade.path("M0 0 C-.3 -.3 -.26 -.8 0 -1.1 C.26 -.8 .3 -.3 0 0 Z", green);
    await blade.line([0, -0.06, 0, -0.9], 0.022, lighter(green, 0.25));
  }
  await pen.shade(0.1, 0.02, 0.55, 0.09, palette.shade, 0.4);
  await pen.path(
    "M-.42 -.66 H.42 L.32 -.04 Q.3 0 .26 0 H-.26 Q-.3 0 -.32 -.04 Z",
    rounded(palette.second),
  );
  await pen.box(-0.46, -0.7, 0.92, 0.14, 0.03, rounded(lighter(palette.second, 0.1)));
}

/** Books lying on each other, the foot of the lowest at (0, 0); 1 wide. */
export async function paintStack(
  pen: Pen,
  palette: Palette,
  random: () => number,
  count: number,
): Promise<void> {
  const covers = [palette.hero, palette.third, palette.second, lighter(palette.ink, 0.2)];
  await pen.shade(0, 0, 0.66, 0.07, palette.shade, 0.45);
  for (let book = 0; book < count; book++) {
    const [wide, y] = [0.86 + 0.14 * random(), -0.16 * (book + 1)];
    const x = -wide / 2 + (random() - 0.5) * 0.1;
    const cover = covers[book % covers.length] ?? palette.hero;
    await pen.box(x, y, wide, 0.15, 0.025, cover);
    await pen.box(x + 0.1, y + 0.028, wide - 0.08, 0.09, 0.01, darker(palette.white, 0.06));
    await pen.box(x + 0.02, y + 0.02, 0.06, 0.11, 0.01, lighter(cover, 0.25));
  }
}

/** A framed picture of soft hills; its middle is (0, 0), its width 1. */
export async function paintFrame(pen: Pen, palette: Palette): Promise<void> {
  await pen.shade(0.03, 0.06, 0.66, 0.82, palette.shade, 0.2);
  await pen.box(-0.5, -0.64, 1, 1.28, 0.01, lighter(palette.wood, 0.1));
  await pen.box(-0.45, -0.59, 0.9, 1.18, 0, palette.white);
  await pen.disc(0.08, -0.1, 0.18, 0.18, lighter(palette.third, 0.25));
  await pen.path(
    "M-.34 .44 V.14 Q-.1 -.06 .08 .14 Q.22 .02 .34 .1 V.44 Z",
    lighter(palette.second, 0.25),
  );
  await pen.path("M-.34 .44 V.3 Q0 .12 .34 .3 V.44 Z", lighter(palette.hero, 0.15));
}
