/** Sets text into a box: wrapped, in the largest size that fits, or cut with an ellipsis in the smallest. */
import { hex, type Rgb } from "../images/colour.ts";
import { loadSharp } from "../images/sharp.ts";
import { graphemes, mayHaveEmoji } from "./characters.ts";
import { escaped, isEuropean } from "./copy.ts";
import { prepareFonts } from "../images/fonts.ts";
import { hyphenated } from "./hyphens.ts";
import { breaksInWords, kept, keptWords, tied } from "./lines.ts";
import type { Layer } from "../images/pixels.ts";

/** Font families by their role. */
const FACES = {
  strong: "Inter ExtraBold",
  calm: "Inter Medium",
  serif: "Playfair Display",
  serifCalm: "Playfair Display Medium",
} as const;
export type Face = keyof typeof FACES;

export interface TextStyle {
  face: Face;
  colour: Rgb;
  align: "start" | "centre";
  /** Font sizes, in pixels. */
  largest: number;
  smallest: number;
  /** BCP 47, for hyphens; null or missing when it is not known. */
  language?: string | null;
}

export interface TextBox {
  width: number;
  height: number;
}

/** A set text. Its layer is as wide and high as its ink. */
export interface SetText {
  text: string;
  style: TextStyle;
  layer: Layer;
  size: number;
  /** Whether the text was cut with an ellipsis. */
  isCut: boolean;
  /** The width and wrapping that were used, to set the text again in the same way. */
  width: number;
  breaksWords: boolean;
}

const NO_INK: Layer = { channels: 4, data: new Uint8Array(4), width: 1, height: 1 };

const TOO_LARGE: Layer = {
  channels: 4,
  data: new Uint8Array(0),
  width: Infinity,
  height: Infinity,
};

/** The search ends when the size is within this factor of the best one. */
const CLOSE = 1.05;

/** Sets `text` as large as the box and the style allow. */
export async function fitText(text: string, style: TextStyle, box: TextBox): Promise<SetText> {
  const whole = await largest(text, style, box, false);
  // A word that is too long for the line would shrink the whole text, so it is broken instead.
  // Only Chinese and Japanese ones: elsewhere a part without a hyphen reads as another word.
  const isSqueezed = whole === null || whole.size < style.largest * 0.6 && breaksInWords(text);
  const broken = isSqueezed ? await largest(text, style, box, true) : null;
  const best = [whole, broken].filter((set) => set !== null)
    .sort((a, b) => b.size - a.size)[0];
  if (best === undefined) return await shortened(text, style, box);
  return whole !== null && best.size < whole.size * 1.4 ? whole : best;
}

/** The same text, size and lines in another colour. */
export async function recoloured(set: SetText, colour: Rgb): Promise<SetText> {
  if (set.style.colour === colour) return set;
  const style = { ...set.style, colour };
  const layer = mayHaveEmoji(set.text)
    ? await draw(set.text, style, set.size, set.width, set.breaksWords)
    : tinted(set.layer, colour);
  return { ...set, style, layer };
}

/** A layer of one colour in another one. */
function tinted(layer: Layer, colour: Rgb): Layer {
  const data = new Uint8Array(layer.data);
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] !== 0) data.set(colour, at);
  }
  return { ...layer, data };
}

/** Balances the lines: sets the text as narrow as possible without getting higher. */
export async function balanced(set: SetText): Promise<SetText> {
  const { layer, size } = set;
  if (set.isCut || layer.height < size * 1.7) return set;
  let best = set;
  let [narrow, wide] = [layer.width * 0.5, layer.width];
  for (let round = 0; round < 3; round++) {
    const width = Math.ceil((narrow + wide) / 2);
    const tried = await draw(set.text, set.style, size, width, set.breaksWords);
    if (tried.height > layer.height * 1.05 || tried.width > width + 1) {
      narrow = width;
    } else {
      best = { ...set, layer: tried, width };
      wide = width;
    }
  }
  return best;
}

async function largest(
  text: string,
  style: TextStyle,
  box: TextBox,
  breaksWords: boolean,
): Promise<SetText | null> {
  let [low, high] = [style.smallest, style.largest];
  let size = guess(text, style, box);
  let best: SetText | null = null;
  for (let round = 0; round < 7; round++) {
    const layer = await draw(text, style, size, box.width, breaksWords);
    const over = Math.max(layer.width / (box.width + 1), Math.sqrt(layer.height / box.height));
    if (over <= 1) {
      best = { text, style, layer, size, isCut: false, width: box.width, breaksWords };
      low = size;
    } else {
      high = size;
    }
    if (high / low <= CLOSE || (over <= 1 && size === style.largest)) break;
    if (over > 1 && size === style.smallest) break;
    size = next(size / over, low, high, style, best !== null);
  }
  return best;
}

/** The next size to try: as the last try suggests, but within the open range, so that the search ends. */
function next(
  aim: number,
  low: number,
  high: number,
  { smallest, largest }: TextStyle,
  hasFit: boolean,
): number {
  if (aim >= largest && high === largest) return largest;
  if (aim <= smallest || (!hasFit && high / smallest <= CLOSE * CLOSE)) return smallest;
  const [from, to] = [low * (high / low) ** 0.15, low * (high / low) ** 0.85];
  return Math.round(Math.min(to, Math.max(from, aim)) * 4) / 4;
}

/** A first size by the number of characters: an average one is 0.55 wide and 1.2 high. */
function guess(text: string, { largest, smallest }: TextStyle, box: TextBox): number {
  const wide = text.match(/[\u1100-\u11FF\u2E80-\uD7FF\uF900-\uFAFF]|\p{Extended_Pictographic}/gu);
  const units = text.length + (wide?.length ?? 0);
  const size = Math.sqrt(box.width * box.height / (units * 0.7));
  return Math.min(largest, Math.max(smallest, Math.round(size)));
}

/** As many characters as fit at the smallest size, and an ellipsis. */
async function shortened(text: string, style: TextStyle, box: TextBox): Promise<SetText> {
  const characters = graphemes(text);
  const size = style.smallest;
  const setFirst = async (count: number): Promise<SetText> => {
    const part = count === characters.length
      ? text
      : `${characters.slice(0, count).join("").replace(/[\s\p{P}]+$/u, "")}…`;
    const layer = await draw(part, style, size, box.width, true);
    const isCut = count < characters.length;
    return { text: part, style, layer, size, isCut, width: box.width, breaksWords: true };
  };
  let [low, high] = [0, characters.length];
  let best = await setFirst(0);
  while (high - low > 1) {
    const count = Math.floor((low + high) / 2);
    const tried = await setFirst(count);
    if (tried.layer.height <= box.height && tried.layer.width <= box.width + 1) {
      best = tried;
      low = count;
    } else {
      high = count;
    }
  }
  return best;
}

async function draw(
  text: string,
  style: TextStyle,
  size: number,
  width: number,
  breaksWords: boolean,
): Promise<Layer> {
  const sharp = await loadSharp();
  await prepareFonts();
  const drawing = sharp({
    text: {
      text: markup(await withBreaks(text, style, breaksWords), style, size),
      font: `${families(text, style.face)} Bold`,
      width: Math.floor(width),
      align: style.align === "centre" ? "centre" : "left",
      wrap: breaksWords ? "word-char" : "word",
      rgba: true,
      dpi: 72,
    },
  });
  try {
    const { data, info } = await drawing.raw().toBuffer({ resolveWithObject: true });
    return { channels: 4, data, width: info.width, height: info.height };
  } catch (error) {
    // Some letters have no ink: a Hangul filler, a blank of Braille.
    if (String(error).includes("no text to render")) return NO_INK;
    // A line of 32,768 pixels or more can't be drawn, so it doesn't fit.
    if (String(error).includes("too big")) return TOO_LARGE;
    throw error;
  }
}

/** The text with marks of where its lines may break and where not. */
async function withBreaks(text: string, style: TextStyle, breaksWords: boolean): Promise<string> {
  const words = await hyphenated(tied(text), style.language ?? null);
  return breaksWords ? keptWords(words) : await kept(words);
}

function markup(text: string, style: TextStyle, size: number): string {
  const tracking = style.face === "strong" && isEuropean(text) ? size * -0.018 : 0;
  // Figures as tall as capitals: the serif's own ones go up and down like small letters.
  const figures = style.face.startsWith("serif") ? ` font_features="lnum=1"` : "";
  return `<span${figures} size="${Math.round(size * 1024)}" foreground="${
    hex(style.colour)
  }" line_height="${Math.round(size * leading(text, style.face) * 1024)}" letter_spacing="${
    Math.round(tracking * 1024)
  }">${escaped(text)}</span>`;
}

/** The line height that the script's letters need, as a multiple of the font size. */
function leading(text: string, face: Face): number {
  if (/\p{Script=Tibetan}/u.test(text)) return 1.7; // its letters are stacked
  if (/[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}]/u.test(text)) return 1.45;
  if (!isEuropean(text)) return 1.3;
  return { strong: 1.12, calm: 1.36, serif: 1.2, serifCalm: 1.36 }[face];
}

/** Chinese and Japanese share code points. Kana in the text tells that it is Japanese. */
function families(text: string, face: Face): string {
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  const isHeavy = face === "strong" || face === "serif";
  const kana = isHeavy ? "M PLUS 1p ExtraBold" : "M PLUS 1p Medium";
  const han = isJapanese ? [kana, "Noto Sans SC Thin"] : ["Noto Sans SC Thin", kana];
  const others = [
    "NanumGothicExtraBold",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Color Emoji",
  ];
  return [FACES[face], FACES.strong, ...han, ...others].join(", ");
}
