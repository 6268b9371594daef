/** A paper card with the words set as a quotation. */
import { drawLogo } from "../logo.ts";
import { atStart, placeBlock, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { fitText } from "../typeset.ts";
import { card } from "./shapes.ts";

export async function quoteCard(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette } = sheet;
  const width = Math.min(safe.width, Math.max(920 * unit, pixels.width * 0.74));
  const pad = 76 * unit;
  const logo = await sheet.logoIn({ width: 240 * unit, height: 90 * unit });
  const markStyle = { ...styleOf(sheet, "quote", palette.deepAccent, 240), face: "serif" as const };
  const mark = await fitText("“", markStyle, { width, height: 300 * unit });
  const head = mark.layer.height + 40 * unit;
  const foot = logo === null ? 0 : logo.height + 44 * unit;
  const block = await setBlock(
    sheet.copy,
    { width: width - 2 * pad, height: safe.height * 0.94 - 2 * pad - head - foot },
    {
      heading: styleOf(sheet, "quote", palette.ink, 76),
      support: styleOf(sheet, "body", palette.deepAccent, 38),
      gap: 40 * unit,
    },
  );
  const height = block.height + 2 * pad + head + foot;
  const box = {
    left: (pixels.width - width) / 2,
    top: safe.top + (safe.height - height) / 2,
    width,
    height,
  };
  card(sheet, box, 40 * unit, palette.paper);
  const inner = { left: box.left + pad, width: width - 2 * pad };
  sheet.texts.push({
    set: mark,
    left: Math.round(atStart(sheet, inner, mark.layer.width)),
    top: Math.round(box.top + pad),
  });
  placeBlock(sheet, block, { ...inner, top: box.top + pad + head });
  if (logo !== null) {
    const top = box.top + height - pad - logo.height;
    drawLogo(sheet, logo, atStart(sheet, inner, logo.width), top);
  }
}
