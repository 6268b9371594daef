/** The picture above, or beside, a panel in the main colour with the words. */
import { type Box, fillBox, type Pixels } from "../../images/pixels.ts";
import { drawLogo } from "../logo.ts";
import { atStart, placeBlock, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { stroke } from "./shapes.ts";

export async function splitPanel(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette, rtl, isStory } = sheet;
  const isWide = pixels.width > pixels.height * 1.2;
  const pad = 64 * unit;
  const panelWidth = isWide ? pixels.width * 0.46 : pixels.width;
  const inner = isWide ? panelWidth - pad - safe.left : safe.width;
  const logo = await sheet.logoIn({ width: 240 * unit, height: 100 * unit });
  const foot = logo === null ? 0 : logo.height + 60 * unit;
  const head = 44 * unit;
  const room = safe.height - foot - head - (isWide ? 0 : pad);
  const block = await setBlock(
    sheet.copy,
    { width: inner, height: isWide ? room : room * 0.46 },
    {
      heading: styleOf(sheet, "heading", palette.onMain, 100),
      support: styleOf(sheet, "body", palette.onMain, 42),
      gap: 38 * unit,
      most: isWide ? room : room * 0.85,
    },
  );
  const words = head + block.height + foot;
  const bottom = isStory ? safe.top + safe.height : pixels.height - pad;
  const top = Math.min(bottom - words - pad, pixels.height * 0.64);
  const panel: Box = isWide
    ? {
      left: rtl ? pixels.width - panelWidth : 0,
      top: 0,
      width: panelWidth,
      height: pixels.height,
    }
    : { left: 0, top, width: pixels.width, height: pixels.height - top };
  if (isWide) shiftAcross(pixels, Math.round(panelWidth / 2) * (rtl ? -1 : 1));
  else shiftUp(pixels, Math.round(panel.height / 2));
  fillBox(pixels, { box: panel, radius: 0, colour: palette.main, alpha: 1 });
  const left = isWide && rtl ? panel.left + pad : safe.left;
  const text = { left, width: inner };
  const start = isWide
    ? safe.top + (safe.height - words) / 2
    : panel.top + pad + Math.max(0, (bottom - panel.top - pad - words) / 2);
  const mark = { width: 104 * unit, height: 10 * unit };
  stroke(
    sheet,
    { left: atStart(sheet, text, mark.width), top: start, ...mark },
    palette.markOnMain,
  );
  placeBlock(sheet, block, { ...text, top: start + head });
  if (logo !== null) {
    const logoTop = start + words - logo.height;
    drawLogo(sheet, logo, atStart(sheet, text, logo.width), logoTop);
  }
}

/** Moves the picture up, so that its middle is in the middle of what the panel leaves free. */
function shiftUp({ data, width }: Pixels, rows: number): void {
  data.copyWithin(0, rows * width * 3);
}

/** Moves the picture to the right, or to the left for a negative number of columns. */
function shiftAcross({ data, width, height }: Pixels, columns: number): void {
  const moved = Math.abs(columns) * 3;
  for (let row = 0; row < height; row++) {
    const [start, end] = [row * width * 3, (row + 1) * width * 3];
    if (columns > 0) data.copyWithin(start + moved, start, end - moved);
    else data.copyWithin(start, start + moved, end);
  }
}
