/** Figures: a person from head to waist, plain and friendly, for every scene with people in it. */
import { mix, type Rgb } from "../../../media/images/colour.ts";
import { pick } from "../../../foundation/chance.ts";
import type { Canvas } from "./canvas.ts";
import { darker, hairOf, lighter, type Palette, skinOf } from "./palette.ts";
import { type Pen, rounded } from "./pen.ts";
import type { Brief } from "./words.ts";

export interface Person {
  skin: Rgb;
  hair: Rgb;
  cut: "short" | "long" | "bun" | "curly" | "bob" | "bald";
  clothes: Rgb;
  wearsApron: boolean;
  wearsGlasses: boolean;
  hasBeard: boolean;
}

const CUTS_OF = {
  anyone: ["short", "long", "bun", "curly", "bob", "short"],
  woman: ["long", "bun", "bob", "long"],
  man: ["short", "short", "curly"],
  child: ["short", "bob", "curly", "long"],
} as const;

export function personOf(canvas: Canvas, clothes: Rgb, who: Brief["who"] = null): Person {
  const { random } = canvas;
  const skin = skinOf(canvas);
  const cut = who === null && random() < 0.06 ? "bald" : pick(random, CUTS_OF[who ?? "anyone"]);
  return {
    skin,
    hair: hairOf(canvas, skin),
    cut,
    clothes,
    wearsApron: false,
    wearsGlasses: random() < 0.2,
    hasBeard: who !== "woman" && who !== "child" && (cut === "short" || cut === "bald") &&
      random() < 0.4,
  };
}

const TORSO = "M-1.9 5.4 C-1.95 3.3 -1.85 2.05 -1.1 1.72 L-.42 1.42 Q0 1.86 .42 1.42 L1.1 1.72 " +
  "C1.85 2.05 1.95 3.3 1.9 5.4 Z";
const CAP = "M-.86 .12 C-1.08 -1.36 1.08 -1.36 .86 .12 C.8 -.2 .66 -.42 .42 -.56 " +
  "C.1 -.42 -.42 -.42 -.62 -.3 C-.76 -.2 -.82 0 -.86 .12 Z";
const LONG = "M-.9 -.1 C-1.16 -1.46 1.16 -1.46 .9 -.1 C1.02 .7 1.2 1.4 1.06 2.2 L-1.06 2.2 " +
  "C-1.2 1.4 -1.02 .7 -.9 -.1 Z";
const BOB = "M-.92 -.1 C-1.14 -1.44 1.14 -1.44 .92 -.1 C1.02 .4 1.06 .8 .9 1.06 L-.9 1.06 " +
  "C-1.06 .8 -1.02 .4 -.92 -.1 Z";
const APRON = "M-.62 5.4 L-.62 2.7 Q-.6 2.5 -.4 2.5 H.4 Q.6 2.5 .62 2.7 L.62 5.4 Z";
const BEARD = "M-.76 .16 C-.74 1.2 -.3 1.2 0 1.2 C.3 1.2 .74 1.2 .76 .16 C.6 .44 .3 .42 0 .4 " +
  "C-.3 .42 -.6 .44 -.76 .16 Z";

/** One unit is half the height of the head, whose middle is (0, 0); the waist is at 5.4. */
export async function paintBust(pen: Pen, palette: Palette, person: Person): Promise<void> {
  await paintBackHair(pen, person);
  await pen.box(-0.3, 0.6, 0.6, 1.2, 0.1, darker(person.skin, 0.12));
  await pen.path(TORSO, rounded(person.clothes, 0.12));
  await pen.path("M-.42 1.42 Q0 1.86 .42 1.42 L.3 1.3 Q0 1.6 -.3 1.3 Z", darker(person.skin, 0.12));
  if (person.wearsApron) {
    const cloth = mix(palette.ink, palette.second, 0.25);
    await pen.line([-0.5, 2.6, -0.62, 1.62], 0.14, cloth);
    await pen.line([0.5, 2.6, 0.62, 1.62], 0.14, cloth);
    await pen.path(APRON, cloth);
    await pen.box(-0.34, 3.5, 0.68, 0.6, 0.1, lighter(cloth, 0.1));
  }
  await paintHead(pen, palette, person);
}

/** The head alone, for figures whose body has another pose. */
export async function paintHead(pen: Pen, palette: Palette, person: Person): Promise<void> {
  const { skin, hair, cut } = person;
  const blush = mix(skin, [214, 84, 74], 0.34);
  await pen.disc(-0.82, 0.1, 0.16, 0.22, darker(skin, 0.06));
  await pen.disc(0.82, 0.1, 0.16, 0.22, darker(skin, 0.06));
  await pen.path(
    "M-.8 -.2 C-.8 -1.25 .8 -1.25 .8 -.2 C.82 .5 .5 1.02 0 1.04 C-.5 1.02 -.82 .5 -.8 -.2 Z",
    skin,
  );
  if (person.hasBeard) await pen.path(BEARD, hair);
  await pen.disc(-0.46, 0.4, 0.17, 0.12, blush, 0.45);
  await pen.disc(0.46, 0.4, 0.17, 0.12, blush, 0.45);
  const dark = mix(palette.ink, [30, 20, 24], 0.5);
  for (const side of [-1, 1]) {
    await pen.disc(side * 0.31, 0.1, 0.07, 0.09, dark);
    await pen.line(
      [side * 0.18, -0.15, side * 0.32, -0.2, side * 0.45, -0.14],
      0.06,
      darker(hair, 0.2),
    );
  }
  await pen.line([0.02, 0.14, 0.06, 0.34, -0.04, 0.38], 0.05, darker(skin, 0.25));
  const mouth = person.hasBeard ? lighter(skin, 0.1) : mix([150, 52, 52], darker(skin, 0.3), 0.3);
  await pen.curve([-0.24, 0.57, -0.1, 0.66, 0.1, 0.66, 0.24, 0.57], 0.06, mouth);
  await paintFrontHair(pen, hair, cut);
  if (person.wearsGlasses) await paintGlasses(pen, dark);
}

async function paintBackHair(pen: Pen, { hair, cut }: Person): Promise<void> {
  if (cut === "long") await pen.path(LONG, rounded(hair, 0.1));
  if (cut === "bob") await pen.path(BOB, rounded(hair, 0.1));
  if (cut === "bun") await pen.disc(0, -1.16, 0.42, 0.4, hair);
  if (cut !== "curly") return;
  for (let lock = 0; lock < 9; lock++) {
    const angle = Math.PI * (0.92 + lock / 8 * 1.16);
    await pen.disc(Math.cos(angle) * 0.82, -0.14 + Math.sin(angle) * 0.84, 0.42, 0.42, hair);
  }
}

async function paintFrontHair(pen: Pen, hair: Rgb, cut: Person["cut"]): Promise<void> {
  if (cut === "bald") return;
  await pen.path(CAP, hair);
  if (cut !== "curly") return;
  for (const [x, y] of [[-0.6, -0.62], [-0.2, -0.78], [0.24, -0.78], [0.62, -0.6]] as const) {
    await pen.disc(x, y, 0.32, 0.28, hair);
  }
}

async function paintGlasses(pen: Pen, colour: Rgb): Promise<void> {
  for (const side of [-1, 1]) {
    const lens = Array.from({ length: 17 }, (_, at) => at / 16 * Math.PI * 2)
      .flatMap((angle) => [side * 0.33 + Math.cos(angle) * 0.25, 0.1 + Math.sin(angle) * 0.22]);
    await pen.line(lens, 0.055, colour);
  }
  await pen.line([-0.1, 0.06, 0.1, 0.06], 0.055, colour);
}
