/** The colours of a painting by their roles, made from the prompt's colours or else from its hour. */
import { oklch, type Rgb } from "../../../media/images/colour.ts";
import type { Brief, Hour, Swatch } from "./words.ts";

export interface Tones {
  skyTop: Rgb;
  skyLow: Rgb;
  /** Sun, moon, lamps, lit windows. */
  light: Rgb;
  far: Rgb;
  near: Rgb;
  paper: Rgb;
  /** Three colours of the subject. */
  main: Rgb;
  second: Rgb;
  third: Rgb;
  /** The subject's own: the colour that the idea names for it, else the main one. */
  hero: Rgb;
  /** The colours behind main, second, third, for shades of them. */
  swatches: [Swatch, Swatch, Swatch];
}

interface HourTones {
  top: Swatch;
  low: Swatch;
  light: Swatch;
  /** Lightness of the nearest land. */
  near: number;
  subjects: [Swatch, Swatch, Swatch];
}

const swatch = (lightness: number, chroma: number, hue: number): Swatch => ({
  lightness,
  chroma,
  hue,
});

const HOUR_TONES: Record<Hour, HourTones> = {
  dawn: {
    top: swatch(0.7, 0.08, 285),
    low: swatch(0.89, 0.08, 45),
    light: swatch(0.96, 0.06, 70),
    near: 0.3,
    subjects: [swatch(0.72, 0.11, 20), swatch(0.6, 0.1, 285), swatch(0.86, 0.09, 70)],
  },
  day: {
    top: swatch(0.66, 0.12, 245),
    low: swatch(0.92, 0.045, 215),
    light: swatch(0.98, 0.03, 95),
    near: 0.36,
    subjects: [swatch(0.6, 0.13, 160), swatch(0.66, 0.13, 240), swatch(0.84, 0.14, 85)],
  },
  golden: {
    top: swatch(0.68, 0.1, 55),
    low: swatch(0.88, 0.12, 80),
    light: swatch(0.97, 0.08, 95),
    near: 0.28,
    subjects: [swatch(0.66, 0.15, 50), swatch(0.5, 0.09, 140), swatch(0.85, 0.12, 85)],
  },
  dusk: {
    top: swatch(0.36, 0.11, 285),
    low: swatch(0.74, 0.15, 40),
    light: swatch(0.9, 0.12, 60),
    near: 0.2,
    subjects: [swatch(0.62, 0.17, 20), swatch(0.45, 0.13, 290), swatch(0.8, 0.13, 65)],
  },
  night: {
    top: swatch(0.17, 0.055, 268),
    low: swatch(0.38, 0.09, 255),
    light: swatch(0.94, 0.04, 95),
    near: 0.13,
    subjects: [swatch(0.5, 0.13, 262), swatch(0.6, 0.14, 310), swatch(0.82, 0.13, 85)],
  },
};

export function tonesOf(brief: Brief): Tones {
  const hour = HOUR_TONES[brief.hour];
  const [one, two, three] = brief.swatches;
  const isNamed = one !== undefined;
  const subjects: [Swatch, Swatch, Swatch] = isNamed
    ? [one, two ?? turned(one, 28, 0.12), three ?? turned(two ?? one, -40, 0.2)]
    : hour.subjects;
  const tuned = (given: Swatch, lightness = given.lightness, chroma = given.chroma): Rgb =>
    oklch(
      Math.min(0.98, Math.max(0.08, lightness * brief.lightness)),
      chroma * brief.chroma,
      given.hue,
    );
  const sky = isNamed ? subjects[0] : hour.top;
  const low = isNamed ? (two ?? turned(one, -24, 0)) : hour.low;
  const strength = (given: Swatch, at: number) => Math.min(Math.max(given.chroma, 0.004), at);
  const land = isNamed ? subjects[0] : hour.subjects[1];
  return {
    skyTop: isNamed ? tuned(sky, (hour.top.lightness + sky.lightness) / 2) : tuned(sky),
    skyLow: isNamed ? tuned(low, (hour.low.lightness + 0.86) / 2, strength(low, 0.12)) : tuned(low),
    light: tuned(hour.light),
    far: tuned(land, (hour.near + hour.low.lightness) / 2, strength(land, 0.09)),
    near: tuned(land, hour.near, strength(land, 0.06)),
    paper: tuned(isNamed ? one : hour.low, 0.93, strength(isNamed ? one : hour.low, 0.035)),
    main: tuned(subjects[0]),
    second: tuned(subjects[1]),
    third: tuned(subjects[2]),
    // A named colour stays itself in a quiet mood: a red bicycle is not to turn pink.
    hero: brief.hero === null
      ? tuned(subjects[0])
      : tuned(brief.hero, brief.hero.lightness / brief.lightness, brief.hero.chroma / brief.chroma),
    swatches: subjects,
  };
}

/** A neighbour on the colour circle, lighter or darker than the colour itself. */
function turned({ lightness, chroma, hue }: Swatch, by: number, lighter: number): Swatch {
  const shifted = lightness > 0.65 ? lightness - lighter : lightness + lighter;
  return { lightness: shifted, chroma, hue: (hue + by + 360) % 360 };
}
