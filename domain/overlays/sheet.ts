/** What a template works on: the image's pixels, the room it may use, its words, colours and logo. */
import { STORY_SAFE } from "../aspect.ts";
import { contrast, luminanceOf, type Rgb } from "../images/colour.ts";
import type { Copy } from "./copy.ts";
import { worstUnder } from "./legible.ts";
import { paletteOf } from "./palette.ts";
import type { Palette } from "./palette.ts";
import {
  type Box,
  drawLayer,
  fillBox,
  type Layer,
  type Pixels,
  type Size,
} from "../images/pixels.ts";
import { balanced, fitText, type SetText, type TextStyle } from "./typeset.ts";

export interface Sheet {
  pixels: Pixels;
  /** A 1080th of the short side: every measure is given in it. */
  unit: number;
  /** Where text and logo may stand. */
  safe: Box;
  isStory: boolean;
  palette: Palette;
  copy: Copy;
  /** Lines begin on the right. */
  rtl: boolean;
  /** Scales the logo into a box; null when there is none. */
  logoIn: (box: Size) => Promise<Layer | null>;
  texts: PlacedText[];
}

/** A text and its place: drawn when the ground is done, measured by tests. */
export interface PlacedText {
  set: SetText;
  left: number;
  top: number;
}

export function sheetOf(
  pixels: Pixels,
  rest: Pick<Sheet, "copy" | "rtl" | "logoIn"> & { isStory: boolean },
): Sheet {
  const { width, height } = pixels;
  const unit = Math.min(width, height) / 1080;
  const margin = 72 * unit;
  const top = rest.isStory ? Math.ceil(height * STORY_SAFE.top) : margin;
  const bottom = rest.isStory ? Math.floor(height * (1 - STORY_SAFE.bottom)) : height - margin;
  const safe = { left: margin, top, width: width - 2 * margin, height: bottom - top };
  return { pixels, unit, safe, palette: paletteOf(pixels), texts: [], ...rest };
}

/** A heading with its support below, set but not placed. */
export interface Block {
  heading: SetText | null;
  support: SetText | null;
  gap: number;
  width: number;
  height: number;
}

export async function setBlock(
  sheet: Sheet,
  box: Size,
  heading: TextStyle,
  support: TextStyle,
  gap: number,
): Promise<Block> {
  const { copy } = sheet;
  const hasSupport = copy.support !== "";
  const first = copy.heading === "" ? null : await balanced(
    await fitText(copy.heading, heading, {
      width: box.width,
      height: hasSupport ? box.height * 0.66 : box.height,
    }),
  );
  const used = first === null ? 0 : first.layer.height + gap;
  const second = hasSupport
    ? await fitText(copy.support, {
      ...support,
      largest: Math.min(support.largest, Math.max(support.smallest, (first?.size ?? 0) * 0.6)),
    }, { width: box.width, height: box.height - used })
    : null;
  return {
    heading: first,
    support: second,
    gap,
    width: Math.max(first?.layer.width ?? 0, second?.layer.width ?? 0),
    height: used - (second === null && first !== null ? gap : 0) + (second?.layer.height ?? 0),
  };
}

/** Puts a block's texts into a box's width: from its start (the right for Hebrew) or in its middle. */
export function placeBlock(sheet: Sheet, block: Block, box: Omit<Box, "height">): void {
  let { top } = box;
  for (const set of [block.heading, block.support]) {
    if (set === null) continue;
    const room = box.width - set.layer.width;
    const share = set.style.align === "centre" ? 0.5 : sheet.rtl ? 1 : 0;
    sheet.texts.push({ set, left: Math.round(box.left + room * share), top: Math.round(top) });
    top += set.layer.height + block.gap;
  }
}

/** Where something of a width begins at the start (or the end) of a box in reading direction. */
export function atStart(sheet: Sheet, box: Pick<Box, "left" | "width">, width: number): number {
  return sheet.rtl ? box.left + box.width - width : box.left;
}

export function atEnd(sheet: Sheet, box: Pick<Box, "left" | "width">, width: number): number {
  return sheet.rtl ? box.left : box.left + box.width - width;
}

/** Contrast below which a logo gets a plate of its own (WCAG 2.2, 1.4.11: graphics need 3). */
const LOGO_CONTRAST = 3;

/** Draws the logo in its place; smaller, on a plate, where it would sink into the ground. */
export async function drawLogo(
  sheet: Sheet,
  logo: Layer,
  left: number,
  top: number,
): Promise<void> {
  const { pixels, palette, unit } = sheet;
  const colour = meanColour(logo);
  const box = { left, top, width: logo.width, height: logo.height };
  if (!hasAlpha(logo) || standsOut(pixels, box, colour)) return drawLayer(pixels, logo, left, top);
  const pad = Math.min(18 * unit, logo.width / 5, logo.height / 5);
  const inner = { width: logo.width - 2 * pad, height: logo.height - 2 * pad };
  const small = await sheet.logoIn(inner) ?? logo;
  const plate = luminanceOf(colour) > 0.18 ? palette.ink : palette.paper;
  fillBox(pixels, { box, radius: pad, colour: plate, alpha: 0.94 });
  const [spareX, spareY] = [logo.width - small.width, logo.height - small.height];
  drawLayer(pixels, small, left + spareX / 2, top + spareY / 2);
}

function standsOut(pixels: Pixels, box: Box, colour: Rgb): boolean {
  const under = luminanceOf(worstUnder(pixels, box, colour));
  return contrast(luminanceOf(colour), under) >= LOGO_CONTRAST;
}

function hasAlpha(logo: Layer): boolean {
  for (let at = 3; at < logo.data.length; at += 4) if (logo.data[at]! < 250) return true;
  return false;
}

/** The mean colour of what can be seen of a logo. */
function meanColour(logo: Layer): Rgb {
  const sums = [0, 0, 0, 1e-9] as [number, number, number, number];
  for (let at = 0; at < logo.data.length; at += 4) {
    const alpha = logo.data[at + 3]!;
    for (let channel = 0; channel < 3; channel++) {
      sums[channel]! += logo.data[at + channel]! * alpha;
    }
    sums[3] += alpha;
  }
  return [0, 1, 2].map((channel) => Math.round(sums[channel]! / sums[3])) as unknown as Rgb;
}
