/** What an illustration is coloured with: walls, woods, leaves and skins that agree with the tones. */
import {
  BLACK,
  contrast,
  luminanceOf,
  mix,
  type Rgb,
  WHITE,
} from "../../../media/images/colour.ts";
import { pick } from "../../../foundation/chance.ts";
import type { Canvas } from "./canvas.ts";
import type { Tones } from "./tones.ts";

export interface Palette {
  wall: Rgb;
  /** Behind the subject: an arch, a disc, a rug. */
  panel: Rgb;
  floor: Rgb;
  /** Darkest, for eyes, tyres, fine lines. */
  ink: Rgb;
  white: Rgb;
  wood: Rgb;
  leaf: Rgb;
  metal: Rgb;
  shade: Rgb;
  /** The subject itself, then what goes with it; each stands out from the wall. */
  hero: Rgb;
  second: Rgb;
  third: Rgb;
  light: Rgb;
}

/** Contrast (WCAG) that a subject's colours keep from the wall: 3 is what a shape needs to be seen. */
const STANDS_OUT = 1.7;

export function paletteOf(tones: Tones): Palette {
  const ink = mix(tones.near, [24, 22, 34], 0.55);
  const pale = luminanceOf(tones.main) > 0.6;
  const wall = mix(tones.paper, pale ? tones.near : tones.main, pale ? 0.1 : 0.2);
  const apart = (colour: Rgb) => standingOut(colour, wall, ink);
  return {
    wall,
    panel: mix(wall, pale ? tones.second : tones.main, 0.34),
    floor: mix(wall, mix(tones.second, tones.near, 0.35), 0.32),
    ink,
    white: mix(tones.paper, WHITE, 0.7),
    wood: mix([188, 138, 92], tones.main, 0.14),
    leaf: mix([74, 122, 88], tones.main, 0.2),
    metal: mix([168, 172, 180], tones.main, 0.12),
    shade: mix(tones.near, BLACK, 0.3),
    hero: apart(tones.hero),
    second: apart(tones.second),
    third: apart(tones.third),
    light: mix(tones.light, WHITE, 0.4),
  };
}

/** The colour, darker where it would melt into what is behind it. */
function standingOut(colour: Rgb, behind: Rgb, ink: Rgb): Rgb {
  const back = luminanceOf(behind);
  let shown = colour;
  for (let step = 0; step < 6 && contrast(luminanceOf(shown), back) < STANDS_OUT; step++) {
    shown = mix(shown, ink, 0.12);
  }
  return shown;
}

export const lighter = (colour: Rgb, share = 0.25): Rgb => mix(colour, WHITE, share);
export const darker = (colour: Rgb, share = 0.2): Rgb => mix(colour, [22, 18, 32], share);

const SKINS: Rgb[] = [
  [244, 208, 180],
  [232, 186, 152],
  [205, 152, 114],
  [168, 116, 82],
  [122, 80, 58],
  [92, 60, 46],
];
const HAIRS: Rgb[] = [
  [38, 30, 32],
  [66, 44, 34],
  [112, 70, 44],
  [176, 122, 66],
  [146, 66, 40],
];
const GREY: Rgb = [186, 182, 178];

export function skinOf({ random }: Canvas): Rgb {
  return pick(random, SKINS);
}

/** Hair that stands out from the skin: dark skin has dark or grey hair. */
export function hairOf({ random }: Canvas, skin: Rgb): Rgb {
  const dark = luminanceOf(skin) < 0.25;
  if (random() < 0.08) return GREY;
  return pick(random, dark ? HAIRS.slice(0, 2) : HAIRS);
}
