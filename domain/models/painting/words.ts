/** What a prompt asks the painter for: a scene, a time of day, colours and a mood, read from its words. */
import { hashOf, pick, seededRandom } from "../../random.ts";

export const SCENES = [
  "horizon",
  "city",
  "stillLife",
  "botanical",
  "tabletop",
  "abstract",
] as const;
export type SceneName = typeof SCENES[number];
export type Hour = "dawn" | "day" | "golden" | "dusk" | "night";

/** A colour as people name it: OKLCH. */
export interface Swatch {
  lightness: number;
  chroma: number;
  hue: number;
}

export interface Brief {
  scene: SceneName;
  hour: Hour;
  swatches: Swatch[];
  /** Multipliers: below 1 calm or dark, above 1 loud or light. */
  chroma: number;
  lightness: number;
  hasWater: boolean;
  /** Open water: a flat horizon. */
  isSea: boolean;
  hasTrees: boolean;
  hasSnow: boolean;
  isDry: boolean;
  hasFlowers: boolean;
}

const SUBJECTS: Record<SceneName, string> = {
  horizon:
    "mountain peak hill valley sea ocean beach coast shore lake river island desert dune sunset sunrise horizon " +
    "landscape forest wood pine field meadow sky trail hike travel camp adventure surf snow ski alps canyon road nature " +
    "harbor harbour bay pier boat sail cliff lighthouse waterfall fjord lagoon",
  city:
    "city skyline urban street downtown building tower skyscraper office architecture rooftop metropolis " +
    "neighborhood traffic bridge apartment startup business nightlife concert",
  stillLife:
    "product bottle skincare perfume cosmetic shoe sneaker jewelry watch studio pedestal podium vase candle box " +
    "package gadget phone laptop lamp chair furniture ceramic pottery sculpture fashion bag serum soap still",
  botanical:
    "plant leaf leave garden flower floral bloom jungle fern botanical bouquet herb greenhouse tropical petal " +
    "rose tulip monstera blossom botanic organic eco",
  tabletop:
    "coffee tea latte espresso breakfast food recipe dish plate kitchen cake bread bakery table drink cocktail " +
    "cafe café restaurant meal dinner lunch brunch soup pasta pizza fruit menu cookie croissant bowl cup mug",
  abstract:
    "abstract gradient data idea music energy tech technology ai software growth pattern wave fluid dream future " +
    "digital cloud finance rhythm sound code",
};

const HOURS: Record<Hour, string> = {
  dawn: "dawn sunrise morning early misty mist fog foggy",
  day: "day noon daylight bright sunny midday summer clear fresh spring",
  golden: "golden warm autumn fall amber afternoon harvest honey",
  dusk: "dusk sunset evening twilight blue-hour",
  night: "night midnight moon moonlit moonlight star starry stars neon dark",
};

const COLOURS: Record<string, Swatch> = Object.fromEntries(
  ([
    ["red", 0.6, 0.22, 27],
    ["scarlet", 0.6, 0.22, 30],
    ["crimson", 0.52, 0.2, 20],
    ["burgundy", 0.38, 0.12, 15],
    ["coral", 0.72, 0.16, 30],
    ["terracotta", 0.6, 0.13, 42],
    ["orange", 0.73, 0.18, 55],
    ["rust", 0.52, 0.14, 42],
    ["copper", 0.62, 0.12, 50],
    ["brown", 0.45, 0.08, 55],
    ["amber", 0.78, 0.16, 75],
    ["ochre", 0.68, 0.12, 80],
    ["gold", 0.8, 0.15, 88],
    ["mustard", 0.75, 0.14, 92],
    ["yellow", 0.88, 0.17, 100],
    ["lemon", 0.92, 0.15, 105],
    ["olive", 0.55, 0.1, 115],
    ["lime", 0.85, 0.2, 125],
    ["sage", 0.74, 0.05, 145],
    ["green", 0.62, 0.16, 145],
    ["emerald", 0.58, 0.14, 160],
    ["mint", 0.88, 0.08, 165],
    ["teal", 0.58, 0.1, 190],
    ["turquoise", 0.76, 0.12, 195],
    ["cyan", 0.82, 0.12, 205],
    ["azure", 0.68, 0.14, 245],
    ["blue", 0.58, 0.18, 258],
    ["navy", 0.3, 0.09, 262],
    ["indigo", 0.42, 0.16, 275],
    ["violet", 0.55, 0.19, 298],
    ["purple", 0.5, 0.19, 305],
    ["lavender", 0.8, 0.08, 300],
    ["lilac", 0.8, 0.09, 315],
    ["magenta", 0.62, 0.24, 340],
    ["pink", 0.78, 0.14, 355],
    ["rose", 0.7, 0.14, 10],
    ["blush", 0.86, 0.06, 20],
    ["peach", 0.84, 0.09, 55],
    ["beige", 0.88, 0.03, 85],
    ["cream", 0.94, 0.03, 90],
    ["sand", 0.83, 0.05, 80],
    ["ivory", 0.95, 0.02, 95],
    ["white", 0.97, 0.005, 90],
    ["silver", 0.8, 0.008, 250],
    ["grey", 0.62, 0.008, 250],
    ["gray", 0.62, 0.008, 250],
    ["charcoal", 0.32, 0.01, 250],
    ["black", 0.2, 0.005, 250],
  ] as const).map(([name, lightness, chroma, hue]) => [name, { lightness, chroma, hue }]),
);

const MOODS: Record<string, Partial<Pick<Brief, "chroma" | "lightness">>> = {
  vibrant: { chroma: 1.35 },
  bold: { chroma: 1.3 },
  playful: { chroma: 1.3, lightness: 1.05 },
  neon: { chroma: 1.5 },
  muted: { chroma: 0.6 },
  calm: { chroma: 0.75, lightness: 1.04 },
  minimal: { chroma: 0.7, lightness: 1.08 },
  soft: { chroma: 0.75, lightness: 1.06 },
  pastel: { chroma: 0.6, lightness: 1.15 },
  airy: { chroma: 0.75, lightness: 1.12 },
  moody: { chroma: 0.85, lightness: 0.8 },
  dramatic: { chroma: 1.1, lightness: 0.85 },
  vintage: { chroma: 0.7, lightness: 0.97 },
  monochrome: { chroma: 0.15 },
  luxury: { chroma: 0.85, lightness: 0.85 },
};

/** What a desert is made of. */
const SAND = [COLOURS.ochre!, COLOURS.peach!, COLOURS.terracotta!];

const MAX_SWATCHES = 4;

export function readBrief(prompt: string, seed: string): Brief {
  const words = wordsOf(prompt);
  const random = seededRandom(`${seed}\n${hashOf(prompt)}`);
  const has = (list: string) => list.split(" ").some((word) => words.includes(word));
  const moods = words.flatMap((word) => MOODS[word] ?? []);
  const named = [...new Set(words)].flatMap((word) => COLOURS[word] ?? []).slice(0, MAX_SWATCHES);
  const isDry = has("desert dune sand canyon sahara");
  return {
    scene: mostNamed(words, SUBJECTS) ?? pick(random, SCENES),
    hour: mostNamed(words, HOURS) ?? pick(random, ["dawn", "day", "golden", "dusk"] as const),
    swatches: named.length === 0 && isDry ? SAND : named,
    chroma: moods.reduce((all, { chroma }) => all * (chroma ?? 1), 1),
    lightness: moods.reduce((all, { lightness }) => all * (lightness ?? 1), 1),
    hasWater: has(
      "sea ocean lake river beach coast shore water island surf harbor harbour wave bay pier boat " +
        "sail lighthouse waterfall fjord lagoon",
    ),
    isSea: has("sea ocean beach surf wave"),
    hasTrees: has("forest wood pine tree camp trail hike alps"),
    hasSnow: has("snow winter ski ice frost snowy"),
    isDry,
    hasFlowers: has("flower floral bloom bouquet petal rose tulip blossom spring"),
  };
}

/** Lower-case words; a plural counts as its singular too. */
function wordsOf(prompt: string): string[] {
  const words = prompt.toLowerCase().match(/[\p{L}\p{M}]+(?:-[\p{L}]+)?/gu) ?? [];
  return words.flatMap((word) =>
    word.length > 3 && word.endsWith("s") ? [word, word.slice(0, -1)] : [word]
  );
}

/** The name most of whose words occur; of equals, the one that is named first. */
function mostNamed<Name extends string>(
  words: string[],
  lists: Record<Name, string>,
): Name | null {
  let best: { name: Name; score: number } | null = null;
  for (const [name, list] of Object.entries(lists) as [Name, string][]) {
    const known = new Set(list.split(" "));
    const places = words.flatMap((word, index) => known.has(word) ? [index] : []);
    // An early word says more about the subject than a late one.
    const score = places.reduce((sum, index) => sum + 1 + 1 / (1 + index / 8), 0);
    if (score > (best?.score ?? 0)) best = { name, score };
  }
  return best?.name ?? null;
}
