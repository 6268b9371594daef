/** Words straight on the image: light or dark, with no more shade behind them than they need. */
import { type Rgb, WHITE } from "../images/colour.ts";
import type { Box, Layer } from "../images/pixels.ts";
import { alphaFor, contrastUnder, isLight, unrest } from "./legible.ts";
import { shade } from "./scrim.ts";
import { type Block, blockIn, type PlacedText, placesOf, type Sheet } from "./sheet.ts";

/** The contrast of all texts, whatever a template draws (WCAG 2.2, 1.4.3). */
const CONTRAST = 4.5;

export interface Ink {
  colour: Rgb;
  scrim: Rgb;
  /** The opacity that the scrim needs. */
  alpha: number;
  /** How much the image has to give for it. */
  cost: number;
}

/** White or ink, whichever needs less shade. */
export function inkFor({ pixels, palette }: Sheet, boxes: readonly Box[]): Ink {
  const [light, dark] = ([[WHITE, palette.ink], [palette.ink, palette.paper]] as const).map(
    ([colour, scrim]) => {
      const alpha = alphaFor(pixels, boxes, colour, scrim);
      // Pale mist looks like a fault of the lens, so it is only used where a little is enough.
      return { colour, scrim, alpha, cost: alpha * (colour === WHITE ? 1 : 3) };
    },
  ) as [Ink, Ink];
  return dark.cost < light.cost ? dark : light;
}

/** How far the shade goes beyond the words. */
interface Shaded {
  /** In units. */
  reach?: number;
  /** Stretches the shaded boxes, to the image's edge for example. */
  stretch?: (box: Box) => Box;
}

/** Places a block on the image and shades what is under it. Returns the ink that was taken. */
export async function placeOnImage(
  sheet: Sheet,
  block: Block,
  box: Omit<Box, "height">,
  { reach = 340, stretch = (one) => one }: Shaded = {},
): Promise<Ink> {
  const { pixels, unit } = sheet;
  const boxes = placesOf(sheet, block, box).flatMap(inkedBoxes);
  const ink = inkFor(sheet, boxes);
  // Words on a restless ground are hard to read even where the contrast is high.
  const calms = Math.min(0.4, Math.max(0, ...boxes.map((one) => unrest(pixels, one))) * 1.6);
  const alpha = Math.max(ink.alpha, calms);
  shade(pixels, boxes.map(stretch), { colour: ink.scrim, alpha, reach: reach * unit });
  sheet.texts.push(...placesOf(sheet, await blockIn(block, ink.colour), box));
  return ink;
}

/** Shades what is still under a text that can't be read: the promise of all templates. */
export function ensureLegible(sheet: Sheet): void {
  const { pixels, palette, unit } = sheet;
  for (const placed of sheet.texts) {
    const { colour } = placed.set.style;
    if (contrastUnder(pixels, { ...placed, layer: placed.set.layer }, colour) >= CONTRAST) continue;
    const boxes = inkedBoxes(placed);
    const scrim = isLight(colour) ? palette.ink : palette.paper;
    const alpha = alphaFor(pixels, boxes, colour, scrim);
    shade(pixels, boxes, { colour: scrim, alpha, reach: 60 * unit });
  }
}

/** Where a placed text has ink: a box for each line or a part of it, never the blank beside it. */
export function inkedBoxes({ set: { layer, size }, left, top }: PlacedText): Box[] {
  const band = Math.max(4, Math.round(size / 3));
  const boxes: Box[] = [];
  for (let y = 0; y < layer.height; y += band) {
    const height = Math.min(band, layer.height - y);
    const [from, to] = extentOf(layer, y, height);
    if (to > from) boxes.push({ left: left + from, top: top + y, width: to - from, height });
  }
  return boxes;
}

/** The first column with ink in some rows, and the one after the last. */
function extentOf({ data, width }: Layer, top: number, rows: number): [number, number] {
  let [from, to] = [width, 0];
  for (let y = top; y < top + rows; y++) {
    const start = y * width * 4 + 3;
    let x = 0;
    while (x < from && data[start + x * 4] === 0) x++;
    from = Math.min(from, x);
    let end = width;
    while (end > to && data[start + (end - 1) * 4] === 0) end--;
    to = Math.max(to, end);
  }
  return [from, to];
}
