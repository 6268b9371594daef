/** Reads from a prompt's words what to paint: a scene, a time of day, colours and a mood. */
import { hashOf, pick, seededRandom } from "../../../foundation/chance.ts";
import { toOklch } from "../../../media/images/colour.ts";
import { englishOf, hexColours } from "./english.ts";
import type { SceneName } from "./names.ts";
import { partsOf, wordsOf } from "./reading.ts";
import { subjectOf } from "./subject.ts";

export type Hour = "dawn" | "day" | "golden" | "dusk" | "night";

/** A colour as people name it: OKLCH. */
export interface Swatch {
  lightness: number;
  chroma: number;
  hue: number;
}

export interface Brief {
  scene: SceneName;
  /** What of the scene is shown: a bicycle, a cat, a bottle. */
  kind: string;
  /** The colour that the idea names, for the subject itself. */
  hero: Swatch | null;
  /** Whom the idea speaks of, where it says so. */
  who: "woman" | "man" | "child" | null;
  weather: "rain" | "snow" | null;
  hour: Hour;
  swatches: Swatch[];
  /** Factors: below 1 calm or dark, above 1 loud or light. */
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

/** The colours of a desert. */
const SAND = ["ochre", "peach", "terracotta"].flatMap((name) => COLOURS[name] ?? []);

const MAX_SWATCHES = 4;

const WHO: [who: "woman" | "man" | "child", words: string][] = [
  [
    "child",
    "child kid baby girl boy toddler bambino bambina enfant nino nina menino menina crianca " +
    "madchen junge 子供 子ども 女の子 男の子",
  ],
  [
    "woman",
    "woman women she her mother grandmother waitress actress lady frau frauen mutter inhaberin " +
    "grunderin lehrerin arztin backerin kochin friseurin femme mere fondatrice mujer madre " +
    "fundadora donna fondatrice mulher mae 女性",
  ],
  [
    "man",
    "man men he his father grandfather waiter gentleman mann manner vater inhaber grunder " +
    "lehrer arzt backer koch homme pere fondateur hombre padre fundador uomo homem pai 男性",
  ],
];

/** Times of day that a picture may have where its prompt names none. */
const CALM_HOURS = ["dawn", "day", "golden"] as const;

/** A red car is red itself; the sky above it is not. */
const HAVE_COLOURS = new Set<SceneName>(["vehicle", "animal"]);

/** The idea says what is shown, the style around it only in which colours, light and mood. */
export function readBrief(prompt: string, seed: string): Brief {
  const parts = partsOf(prompt);
  const words = englishWords(parts.scene);
  const styled = englishWords(parts.style);
  const ideas = englishWords(parts.subject[0] ?? "");
  const random = seededRandom(`${seed}\n${hashOf(prompt)}`);
  const has = (list: string) => list.split(" ").some((word) => words.includes(word));
  const moods = [...new Set([...styled, ...words])].flatMap((word) => MOODS[word] ?? []);
  const coloursIn = (all: string[]) => [...new Set(all)].flatMap((word) => COLOURS[word] ?? []);
  const ofIdea = coloursIn(ideas);
  const ofStyle = [...hexColours(parts.style).map(toOklch), ...coloursIn(styled)];
  const ofAll = ofIdea.length > 0
    ? ofIdea
    : [...hexColours(parts.scene).map(toOklch), ...coloursIn(words)];
  const subject = subjectOf(parts.subject) ?? { scene: "abstract", kind: "calm" } as const;
  const around = HAVE_COLOURS.has(subject.scene) && ofIdea.length > 0 ? [] : ofAll;
  const named = (ofStyle.length > 0 ? ofStyle : around).slice(0, MAX_SWATCHES);
  const isDry = has("desert dune sand canyon sahara");
  return {
    ...subject,
    hero: ofIdea[0] ?? null,
    who: WHO.find(([, list]) => ideas.some((word) => list.split(" ").includes(word)))?.[0] ?? null,
    weather: has("snow snowy snowfall")
      ? "snow"
      : has("rain rainy raining drizzle")
      ? "rain"
      : null,
    hour: mostNamed(words, HOURS) ?? mostNamed(styled, HOURS) ?? pick(random, CALM_HOURS),
    swatches: named.length === 0 && isDry ? SAND : named,
    chroma: strengthOf(moods.map(({ chroma }) => chroma)),
    lightness: strengthOf(moods.map(({ lightness }) => lightness)),
    hasWater: subject.kind === "sea" || has(
      "sea ocean lake river beach coast shore water island surf harbor harbour wave bay pier boat " +
        "sail lighthouse waterfall fjord lagoon",
    ),
    isSea: has("sea ocean beach surf wave"),
    hasTrees: has("forest wood pine tree camp trail hike alps"),
    hasSnow: has("snow winter ski ice frost snowy"),
    isDry,
    hasFlowers: subject.kind === "flowers" ||
      has("flower floral bloom bouquet petal rose tulip blossom spring"),
  };
}

/** The strongest of several moods: all of them together would leave grey or mud. */
function strengthOf(moods: (number | undefined)[]): number {
  return moods.reduce<number>(
    (all, mood = 1) => Math.abs(Math.log(mood)) > Math.abs(Math.log(all)) ? mood : all,
    1,
  );
}

/** Words without accents; a plural counts as its singular too, and other languages' colours and hours as English. */
function englishWords(text: string): string[] {
  return wordsOf(text).flatMap((word) => [
    word,
    ...(word.length > 3 && word.endsWith("s") ? [word.slice(0, -1)] : []),
    ...englishOf(word),
  ]);
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
