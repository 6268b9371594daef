/** A date as on a calendar's leaf, with the event beside it, on a card at the bottom. */
import { type Box, fillBox } from "../../images/pixels.ts";
import { copyFrom } from "../copy.ts";
import { dateParts } from "../dates.ts";
import { type Block, placeBlock, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { fitText, type SetText } from "../typeset.ts";
import { card, cornerLogo } from "./shapes.ts";

/** A longer line that has no day in it is no date. */
const LONGEST_WORD = 12;

export async function eventDate(sheet: Sheet): Promise<void> {
  const { unit, least, safe, copy, palette, rtl } = sheet;
  const [pad, radius] = [48 * unit, 36 * unit];
  const [date = "", ...rest] = copy.lines;
  const hasDate = rest.length > 0 && isDate(date);
  const leafWidth = hasDate ? 7 * least + 48 * unit : 0;
  const words = hasDate ? copyFrom(rest) : copy;
  const width = Math.min(safe.width, Math.max(936 * unit, safe.width * 0.72));
  const block = await setBlock(
    words,
    { width: width - leafWidth - 2 * pad, height: safe.height * 0.3 },
    {
      heading: styleOf(sheet, "heading", palette.ink, 64),
      support: styleOf(sheet, "body", palette.ink, 40),
      gap: 32 * unit,
      most: safe.height * 0.75,
    },
  );
  const leaf = hasDate ? await setLeaf(sheet, date, leafWidth - 48 * unit, safe.height * 0.4) : [];
  const leafHeight = heightOf(leaf, 14 * unit);
  const height = Math.max(block.height, leafHeight) + 2 * pad;
  const top = safe.top + safe.height - height;
  const box = { left: rtl ? safe.left + safe.width - width : safe.left, top, width, height };
  card(sheet, box, radius, palette.paper);
  if (hasDate) {
    const left = rtl ? box.left + box.width - leafWidth : box.left;
    drawLeaf(sheet, { left, top, width: leafWidth, height }, radius, leaf);
  }
  const left = rtl ? box.left + pad : box.left + leafWidth + pad;
  const room = width - leafWidth - 2 * pad;
  placeBlock(sheet, block, { left, width: room, top: top + (height - block.height) / 2 });
  await cornerLogo(sheet, "top");
}

/** Whether a line is a date, or as short as "Tomorrow" is. */
function isDate(line: string): boolean {
  return dateParts(line).length > 1 || [...line].length <= LONGEST_WORD;
}

/** The parts of a date below each other, the day large. */
async function setLeaf(
  sheet: Sheet,
  date: string,
  width: number,
  height: number,
): Promise<SetText[]> {
  const { palette } = sheet;
  const parts = dateParts(date);
  const sets: SetText[] = [];
  for (const { text, isDay } of parts) {
    const style = isDay
      ? styleOf(sheet, "heading", palette.onMain, parts.length === 1 ? 60 : 136, "centre")
      : styleOf(sheet, "body", palette.onMain, 40, "centre");
    sets.push(await fitText(text, style, { width, height: isDay ? height * 0.6 : height * 0.3 }));
  }
  return sets;
}

const heightOf = (sets: readonly SetText[], gap: number): number =>
  sets.reduce((sum, { layer }) => sum + layer.height + gap, 0) - (sets.length > 0 ? gap : 0);

function drawLeaf(sheet: Sheet, box: Box, radius: number, sets: readonly SetText[]): void {
  const { pixels, palette, unit, rtl } = sheet;
  fillBox(pixels, { box, radius, colour: palette.main, alpha: 1 });
  // Only the outer corners are round.
  const half = { ...box, left: rtl ? box.left : box.left + box.width / 2, width: box.width / 2 };
  fillBox(pixels, { box: half, radius: 0, colour: palette.main, alpha: 1 });
  const gap = 14 * unit;
  let top = box.top + (box.height - heightOf(sets, gap)) / 2;
  for (const set of sets) {
    const block: Block = { heading: set, support: null, gap: 0, width: 0, height: 0 };
    placeBlock(sheet, block, { left: box.left, width: box.width, top });
    top += set.layer.height + gap;
  }
}
