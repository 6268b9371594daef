/** The sheet that a template works on: the image's pixels, the usable area, words, colours and logo. */
import { STORY_SAFE } from "../images/aspect.ts";
import type { Rgb } from "../images/colour.ts";
import type { Box, Layer, Pixels, Size } from "../images/pixels.ts";
import type { Copy } from "./copy.ts";
import { type Palette, paletteOf } from "./palette.ts";
import type { Look } from "./shape.ts";
import {
  balanced,
  type Face,
  fitText,
  recoloured,
  type SetText,
  type TextStyle,
} from "./typeset.ts";

export interface Sheet {
  pixels: Pixels;
  /** A 1080th of the short side. All sizes are given in it. */
  unit: number;
  /** The smallest size of type, in pixels. */
  least: number;
  /** The area for text and logo. */
  safe: Box;
  isStory: boolean;
  palette: Palette;
  faces: Faces;
  language: string | null;
  copy: Copy;
  /** Whether lines begin on the right. */
  rtl: boolean;
  /** Scales the logo into a box; null if there is none. */
  logoIn: (box: Size) => Promise<Logo | null>;
  texts: PlacedText[];
}

/** A logo in the size in which it is printed. */
export interface Logo extends Layer {
  /** The colour of the plain tile that it was saved with; null if it had none. */
  tile: Rgb | null;
}

/** The typefaces by what they are used for. */
export interface Faces {
  heading: Face;
  body: Face;
  quote: Face;
}

/** A text and its place. It is drawn after the ground. */
export interface PlacedText {
  set: SetText;
  left: number;
  top: number;
}

/** A phone shows a picture this wide, and words on it should not be smaller than this there. */
const PHONE = { width: 430, type: 14 };

export function sheetOf(
  pixels: Pixels,
  look: Look,
  rest: Pick<Sheet, "copy" | "rtl" | "logoIn"> & { isStory: boolean },
): Sheet {
  const { width, height } = pixels;
  const unit = Math.min(width, height) / 1080;
  const margin = 72 * unit;
  const top = rest.isStory ? Math.ceil(height * STORY_SAFE.top) : margin;
  const bottom = rest.isStory ? Math.floor(height * (1 - STORY_SAFE.bottom)) : height - margin;
  return {
    pixels,
    unit,
    least: Math.ceil(PHONE.type * width / PHONE.width * 4) / 4,
    safe: { left: margin, top, width: width - 2 * margin, height: bottom - top },
    palette: paletteOf(pixels, look.colors ?? []),
    faces: {
      heading: look.headingFont === "Playfair Display" ? "serif" : "strong",
      body: look.bodyFont === "Playfair Display" ? "serifCalm" : "calm",
      quote: look.headingFont === "Inter" ? "strong" : "serif",
    },
    language: look.language ?? null,
    texts: [],
    ...rest,
  };
}

/** A style of the sheet's typefaces, at most `largest` units in size. */
export function styleOf(
  { faces, unit, least, language }: Sheet,
  use: keyof Faces,
  colour: Rgb,
  largest: number,
  align: TextStyle["align"] = "start",
): TextStyle {
  return {
    face: faces[use],
    colour,
    align,
    largest: Math.max(largest * unit, least),
    smallest: least,
    language,
  };
}

/** A heading with its support below, set but not placed. */
export interface Block {
  heading: SetText | null;
  support: SetText | null;
  gap: number;
  width: number;
  height: number;
}

export interface BlockStyle {
  heading: TextStyle;
  support: TextStyle;
  gap: number;
  /** The height that the words may take where they don't fit into the box. */
  most?: number;
}

/** Shares of a box's height that a heading with support may take: less, where words would be cut. */
const SHARES = [0.66, 0.5, 0.36];

/** Sets words as large as the box allows; where some would be cut, smaller and as high as `most`. */
export async function setBlock(
  words: Pick<Copy, "heading" | "support">,
  box: Size,
  style: BlockStyle,
): Promise<Block> {
  const heights = [box.height, ...(style.most ?? 0) > box.height ? [style.most!] : []];
  let block = await setIn(words, box, style, SHARES[0]!);
  for (const height of heights) {
    for (const share of words.support === "" ? [1] : SHARES) {
      if (!isCut(block)) return block;
      block = await setIn(words, { ...box, height }, style, share);
    }
  }
  return block;
}

export function isCut({ heading, support }: Block): boolean {
  return heading?.isCut === true || support?.isCut === true;
}

async function setIn(
  words: Pick<Copy, "heading" | "support">,
  box: Size,
  { heading, support, gap }: BlockStyle,
  share: number,
): Promise<Block> {
  const hasSupport = words.support !== "";
  const first = words.heading === "" ? null : await balanced(
    await fitText(words.heading, heading, {
      width: box.width,
      height: hasSupport ? box.height * share : box.height,
    }),
  );
  const used = first === null ? 0 : first.layer.height + gap;
  const second = hasSupport
    ? await fitText(words.support, {
      ...support,
      largest: Math.min(support.largest, Math.max(support.smallest, (first?.size ?? 0) * 0.6)),
    }, { width: box.width, height: box.height - used })
    : null;
  return {
    heading: first,
    support: second !== null && support.align === "centre" ? await balanced(second) : second,
    gap,
    width: Math.max(first?.layer.width ?? 0, second?.layer.width ?? 0),
    height: used - (second === null && first !== null ? gap : 0) + (second?.layer.height ?? 0),
  };
}

/** Places a block's texts in a box's width: at its start, which for Hebrew is the right, or centred. */
export function placeBlock(sheet: Sheet, block: Block, box: Omit<Box, "height">): void {
  sheet.texts.push(...placesOf(sheet, block, box));
}

export function placesOf(sheet: Sheet, block: Block, box: Omit<Box, "height">): PlacedText[] {
  const places: PlacedText[] = [];
  let { top } = box;
  for (const set of [block.heading, block.support]) {
    if (set === null) continue;
    const room = box.width - set.layer.width;
    const share = set.style.align === "centre" ? 0.5 : sheet.rtl ? 1 : 0;
    places.push({ set, left: Math.round(box.left + room * share), top: Math.round(top) });
    top += set.layer.height + block.gap;
  }
  return places;
}

/** The same block in another colour. */
export async function blockIn(block: Block, colour: Rgb, supportColour = colour): Promise<Block> {
  return {
    ...block,
    heading: block.heading && await recoloured(block.heading, colour),
    support: block.support && await recoloured(block.support, supportColour),
  };
}

/** The left edge of something at the start of a box, in reading direction. */
export function atStart(sheet: Sheet, box: Pick<Box, "left" | "width">, width: number): number {
  return sheet.rtl ? box.left + box.width - width : box.left;
}

/** The left edge of something at the end of a box, in reading direction. */
export function atEnd(sheet: Sheet, box: Pick<Box, "left" | "width">, width: number): number {
  return sheet.rtl ? box.left : box.left + box.width - width;
}
