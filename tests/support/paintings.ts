/** Draws the painter's contact sheets under `tests/data`; people look at them, tests read the prompts. */
import { completePrompt } from "../../domain/creations/prompts.ts";
import type { Rgb } from "../../domain/media/images/colour.ts";
import type { Size } from "../../domain/media/images/pixels.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { painter } from "../../domain/models/painter/painter.ts";
import { writeScene } from "../../domain/models/writer/scene.ts";

export const BLUES = "Harbour blues, soft morning light, 35 mm film grain.";
export const CLAYS = "Warm terracotta and cream, matte paper look, calm.";

export interface Judged {
  about: string;
  idea: string;
  /** The brand's base style, composed with the idea as the service does; null for the bare prompt. */
  style: string | null;
  /** Worlds that show the right subject. */
  right: string[];
}

/** What the painter is judged by: people, food, products, events, abstract, text-heavy, German, Japanese. */
export const JUDGED: Judged[] = [
  {
    about: "people",
    idea: "Portrait of our founder, a woman in her forties, smiling",
    style: null,
    right: ["people"],
  },
  {
    about: "people",
    idea: "A barista pouring latte art behind the counter",
    style: BLUES,
    right: ["people"],
  },
  {
    about: "people",
    idea: "Our team planning the week around a table",
    style: BLUES,
    right: ["team"],
  },
  {
    about: "people",
    idea: "Three friends at a yoga class in the park",
    style: null,
    right: ["people", "sport"],
  },
  {
    about: "food",
    idea: "A bowl of pumpkin soup with fresh herbs",
    style: null,
    right: ["tabletop"],
  },
  {
    about: "food",
    idea: "Sourdough loaves straight from the oven",
    style: BLUES,
    right: ["tabletop"],
  },
  {
    about: "food",
    idea: "Wood-fired pizza night on the terrace",
    style: CLAYS,
    right: ["tabletop"],
  },
  { about: "product", idea: "A new running shoe on a podium", style: null, right: ["product"] },
  { about: "product", idea: "Our skincare jars, soft daylight", style: BLUES, right: ["product"] },
  { about: "product", idea: "A red city bike, ready for spring", style: BLUES, right: ["vehicle"] },
  { about: "event", idea: "Open-air concert on Saturday night", style: null, right: ["event"] },
  { about: "event", idea: "Reading evening at our book shop", style: CLAYS, right: ["bookshop"] },
  {
    about: "event",
    idea: "Farmers market in the old town every Saturday",
    style: BLUES,
    right: ["event"],
  },
  { about: "abstract", idea: "Flowing shapes, a calm gradient", style: null, right: ["abstract"] },
  { about: "abstract", idea: "Synergy, clarity, momentum", style: BLUES, right: ["abstract"] },
  {
    about: "text-heavy",
    idea: "BLACK FRIDAY: 50 % OFF everything, today only, in big bold letters",
    style: BLUES,
    right: ["sale"],
  },
  {
    about: "text-heavy",
    idea: 'Quote card with large typography: "Stay curious."',
    style: CLAYS,
    right: ["notice"],
  },
  {
    about: "text-heavy",
    idea: "Our opening hours: Mon to Fri 9 to 18, Sat 10 to 14",
    style: null,
    right: ["notice"],
  },
  {
    about: "German",
    idea: "Fahrrad-Probefahrt im Regen an der Weser",
    style: BLUES,
    right: ["vehicle"],
  },
  {
    about: "German",
    idea: "Unser Mittagstisch: Kürbissuppe und frisches Brot",
    style: null,
    right: ["tabletop"],
  },
  {
    about: "German",
    idea: "Unsere Werkstatt in der Altstadt, Werkzeug an der Wand",
    style: CLAYS,
    right: ["craft"],
  },
  {
    about: "Japanese",
    idea: "新しいケーキとコーヒー、午後のカフェ",
    style: null,
    right: ["tabletop"],
  },
  { about: "Japanese", idea: "海辺の犬、夏の朝", style: BLUES, right: ["animal"] },
  { about: "Japanese", idea: "商店街の小さなお店", style: CLAYS, right: ["street"] },
];

export function promptOf({ idea, style }: Judged): string {
  if (style === null) return idea;
  const scene = `Scene: ${writeScene({ idea, lifestyle: "" })}`;
  return completePrompt(scene, { baseStylePrompt: style }, null);
}

/** A prompt a world, and some worlds in the colours that were hardest. */
export const WORLD_PROMPTS: string[] = [
  "A mountain valley with a lake at dawn",
  "City skyline in the evening",
  "Still life with a vase",
  "Spring flowers in the garden",
  "Coffee on the table",
  "Abstract gradient",
  "A smiling teacher",
  "Our team in a meeting",
  "A perfume bottle",
  "A bookshop",
  "A street with small shops",
  "A yellow bicycle",
  "Our dog",
  "Summer sale",
  "Birthday party",
  "A runner in the morning",
  "A laptop on a desk",
  "A cosy sofa in white",
  "Two glasses of beer",
  "Customer reviews",
  "A pottery class",
  "Coffee on a white cloth",
  "Pizza on black",
  "A cat, cream and white",
  "A delivery van in navy",
  "Sushi, all in black and white",
  "A watch in gold and black",
  "Christmas market, red and green",
  "A sailing boat on the sea",
  "A horse in the snow",
];

/** Pictures side by side, `columns` in a row. */
export async function sheetOf(
  prompts: string[],
  { size, tile, columns }: { size: Size; tile: Size; columns: number },
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const { signal } = new AbortController();
  const tiles = [];
  for (const [at, prompt] of prompts.entries()) {
    const { bytes } = await painter.paint({ prompt, size, references: [], seed: "sheet", signal });
    const input = await sharp(bytes).resize(tile.width, tile.height).png().toBuffer();
    const left = (at % columns) * tile.width;
    tiles.push({ input, left, top: Math.floor(at / columns) * tile.height });
  }
  const width = columns * tile.width;
  const height = Math.ceil(prompts.length / columns) * tile.height;
  const [r, g, b]: Rgb = [255, 255, 255];
  const create = { width, height, channels: 3, background: { r, g, b } } as const;
  return await sharp({ create }).composite(tiles).jpeg({ quality: 80 }).toBuffer();
}

if (import.meta.main) {
  const at = { size: { width: 1080, height: 1350 }, tile: { width: 288, height: 360 } };
  const data = new URL("../data/", import.meta.url);
  const sheets = [
    ["painter_subjects.jpg", JUDGED.map(promptOf)],
    ["painter_worlds.jpg", WORLD_PROMPTS],
  ] as const;
  for (const [name, prompts] of sheets) {
    await Deno.writeFile(new URL(name, data), await sheetOf([...prompts], { ...at, columns: 6 }));
  }
}
