/** What several layouts draw: strokes, cards with a shadow, the logo in a corner. */
import { BLACK, type Rgb } from "../../images/colour.ts";
import { type Box, fillBox } from "../../images/pixels.ts";
import { drawLogo } from "../logo.ts";
import { atEnd, type Sheet } from "../sheet.ts";

/** A short stroke with round ends. */
export function stroke({ pixels }: Sheet, box: Box, colour: Rgb): void {
  fillBox(pixels, { box, radius: Math.min(box.width, box.height) / 2, colour, alpha: 1 });
}

/** A card that floats a little above the image. */
export function card(sheet: Sheet, box: Box, radius: number, colour: Rgb): void {
  const { pixels, unit } = sheet;
  const shadow = { ...box, top: box.top + 10 * unit };
  fillBox(pixels, { box: shadow, radius, colour: BLACK, alpha: 0.28, feather: 36 * unit });
  fillBox(pixels, { box, radius, colour, alpha: 1 });
}

/** The logo at the end of a row, in a corner that the words leave free. */
export async function cornerLogo(sheet: Sheet, edge: "top" | "bottom"): Promise<void> {
  const { unit, safe } = sheet;
  const logo = await sheet.logoIn({ width: 250 * unit, height: 110 * unit });
  if (logo === null) return;
  const top = edge === "top" ? safe.top : safe.top + safe.height - logo.height;
  drawLogo(sheet, logo, atEnd(sheet, safe, logo.width), top);
}
