/** Writes the scene of an image from a rough idea: deterministic, in the order a photographer thinks. */
import { pick, seededRandom } from "../../foundation/chance.ts";
import { capitalized } from "../../foundation/text.ts";
import { subjectOf } from "../painter/painting/subject.ts";
import { PLAIN_WORLD, type World, WORLDS } from "./worlds.ts";

export interface SceneBrief {
  idea: string;
  /** The cast member's way of life; empty without a member. */
  lifestyle: string;
}

/** Words of an idea → the light that they imply. */
const LIGHTS: [RegExp, string][] = [
  [
    /\b(sunset|dusk|golden hour|evening|autumn|fall)\b/,
    "low golden light from the side, long soft shadows",
  ],
  [
    /\b(sunrise|dawn|morning|breakfast|spring)\b/,
    "early morning light, cool in the shadows and warm where it lands",
  ],
  [
    /\b(night|midnight|neon|party|club|stars?)\b/,
    "night lit by a few warm practical lamps, deep but readable shadows",
  ],
  [/\b(winter|snow|cold|frost|ice)\b/, "clear winter daylight bounced from pale surfaces"],
  [
    /\b(rain|storm|fog|mist|cloudy|grey|gray)\b/,
    "overcast light as from one huge softbox, muted reflections",
  ],
  [
    /\b(summer|beach|noon|sunny|sun|holiday|vacation)\b/,
    "bright summer sun softened by open shade",
  ],
];

/** Colours that an idea names. */
const COLOURS =
  /\b(red|orange|yellow|green|teal|turquoise|blue|navy|purple|violet|pink|rose|coral|brown|beige|cream|white|black|grey|gray|gold|silver|olive|mint|lavender|terracotta|sage)\b/g;

const OPENINGS = ["A considered image of", "An inviting image of", "A quietly confident image of"];
const FRAMES = [
  "Off-centre composition on the thirds, with calm space for a line of text above",
  "Centred composition with an even margin and a clean lower third for text",
  "Layered composition: a blurred foreground edge, the subject sharp, room left to breathe",
];

export function writeScene({ idea, lifestyle }: SceneBrief): string {
  const words = idea.toLowerCase();
  const random = seededRandom(words);
  const world = worldOf(words);
  const subject = idea.trim().replace(/[.!?。！？\s]+$/u, "").replace(/\s+/g, " ");
  const life = lifestyle.trim().replace(/[.\s]+$/u, "");
  return [
    `${pick(random, OPENINGS)} ${lowered(subject)}, ${pick(random, world.settings)}.`,
    life === "" ? "" : `The person is caught in an unposed moment of their life: ${life}.`,
    `${capitalized(pick(random, world.details))}.`,
    `Light: ${lightOf(words) ?? pick(random, world.lights)}.`,
    `Lens: ${pick(random, world.lenses)}.`,
    `Palette: ${paletteOf(words, pick(random, world.palettes))}. Mood: ${
      pick(random, world.moods)
    }.`,
    `${pick(random, FRAMES)}. No text, letters or logos in the picture.`,
  ].filter((sentence) => sentence !== "").join(" ");
}

/** The world of what the idea is about, so that words and picture show the same. */
function worldOf(idea: string): World {
  const { scene, kind } = subjectOf([idea]) ?? { scene: "abstract", kind: "" };
  return WORLDS.find(({ shows }) => shows.includes(`${scene}/${kind}`)) ??
    WORLDS.find(({ shows }) => shows.includes(scene)) ?? PLAIN_WORLD;
}

function lightOf(words: string): string | undefined {
  return LIGHTS.find(([named]) => named.test(words))?.[1];
}

function paletteOf(words: string, palette: string): string {
  const named = [...new Set(words.match(COLOURS) ?? [])].slice(0, 3);
  return named.length === 0 ? palette : `${named.join(", ")} leading, supported by ${palette}`;
}

/** Lowers an article or common word at the start. Names and acronyms keep their capitals. */
function lowered(subject: string): string {
  return subject.replace(/^(A|An|The|Our|My|Some|One|Two|Three)\b/, (word) => word.toLowerCase());
}
