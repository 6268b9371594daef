/** A bar in the main colour along the lower edge. In a story, a card above the buttons. */
import { fillBox } from "../../images/pixels.ts";
import { drawLogo } from "../logo.ts";
import { atEnd, atStart, placeBlock, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { card, stroke } from "./shapes.ts";

export async function captionBar(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette, isStory } = sheet;
  const pad = 52 * unit;
  const bar = isStory
    ? { left: safe.left - 24 * unit, width: safe.width + 48 * unit }
    : { left: 0, width: pixels.width };
  const inner = isStory
    ? { left: bar.left + pad, width: bar.width - 2 * pad }
    : { left: safe.left, width: safe.width };
  const logo = await sheet.logoIn({ width: 220 * unit, height: 120 * unit });
  const logoRoom = logo === null ? 0 : logo.width + 44 * unit;
  const block = await setBlock(
    sheet.copy,
    { width: inner.width - logoRoom, height: safe.height * 0.3 },
    {
      heading: styleOf(sheet, "heading", palette.onMain, 68),
      support: styleOf(sheet, "body", palette.onMain, 40),
      gap: 30 * unit,
      most: safe.height * 0.7,
    },
  );
  const height = Math.max(block.height, logo?.height ?? 0) + 2 * pad;
  const bottom = isStory ? safe.top + safe.height : pixels.height;
  const box = { ...bar, top: bottom - height, height };
  if (isStory) card(sheet, box, 36 * unit, palette.main);
  else fillBox(pixels, { box, radius: 0, colour: palette.main, alpha: 1 });
  const mark = { width: 104 * unit, height: 10 * unit };
  const markTop = isStory ? box.top + 26 * unit : box.top - mark.height / 2;
  const left = atStart(sheet, inner, mark.width);
  stroke(sheet, { left, top: markTop, ...mark }, palette.markOnMain);
  const middle = box.top + height / 2;
  const text = { left: inner.left + (sheet.rtl ? logoRoom : 0), width: inner.width - logoRoom };
  placeBlock(sheet, block, { ...text, top: middle - block.height / 2 });
  if (logo !== null) {
    drawLogo(sheet, logo, atEnd(sheet, inner, logo.width), middle - logo.height / 2);
  }
}
