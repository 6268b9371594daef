/** One step of a carousel: its number, its words, and how far one has come. */
import { fillBox } from "../../images/pixels.ts";
import { mix } from "../../images/colour.ts";
import { copyFrom } from "../copy.ts";
import { stepOf } from "../steps.ts";
import { type Block, placeBlock, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { fitText, type SetText } from "../typeset.ts";
import { card, cornerLogo } from "./shapes.ts";

export async function stepCard(sheet: Sheet): Promise<void> {
  const { unit, safe, palette, copy, rtl } = sheet;
  const step = stepOf(copy.lines[0] ?? "");
  const words = step === null ? copy : copyFrom(copy.lines.slice(1));
  const pad = 56 * unit;
  const badge = step === null ? 0 : 132 * unit;
  const indent = step === null ? 0 : badge + 40 * unit;
  const width = Math.min(safe.width, Math.max(936 * unit, safe.width * 0.72));
  const foot = step === null ? 0 : 60 * unit;
  const block = await setBlock(
    words,
    { width: width - 2 * pad - indent, height: safe.height * 0.32 },
    {
      heading: styleOf(sheet, "heading", palette.ink, 66),
      support: styleOf(sheet, "body", palette.ink, 40),
      gap: 30 * unit,
      most: safe.height * 0.72,
    },
  );
  const inside = Math.max(block.height, badge);
  const height = inside + 2 * pad + foot;
  const top = safe.top + safe.height - height;
  const left = rtl ? safe.left + safe.width - width : safe.left;
  card(sheet, { left, top, width, height }, 40 * unit, palette.paper);
  placeBlock(sheet, block, {
    left: left + pad + (rtl ? 0 : indent),
    width: width - 2 * pad - indent,
    top: top + pad + (inside - block.height) / 2,
  });
  if (step !== null) {
    const number = await setNumber(sheet, step.shown, badge);
    const badgeLeft = rtl ? left + width - pad - badge : left + pad;
    drawNumber(sheet, number, badgeLeft, top + pad + (inside - badge) / 2, badge);
    const row = { left: left + pad, top: top + height - pad, width: width - 2 * pad };
    drawProgress(sheet, row, step);
  }
  await cornerLogo(sheet, "top");
}

async function setNumber(sheet: Sheet, shown: string, size: number): Promise<SetText> {
  const style = styleOf(sheet, "heading", sheet.palette.onMain, 72, "centre");
  return await fitText(shown, style, { width: size * 0.8, height: size * 0.8 });
}

function drawNumber(sheet: Sheet, set: SetText, left: number, top: number, size: number): void {
  const { pixels, palette } = sheet;
  const box = { left, top, width: size, height: size };
  fillBox(pixels, { box, radius: size / 2, colour: palette.main, alpha: 1 });
  const block: Block = { heading: set, support: null, gap: 0, width: 0, height: 0 };
  placeBlock(sheet, block, { left, width: size, top: top + (size - set.layer.height) / 2 });
}

/** A bar of as many parts as there are steps, those done in the main colour. */
function drawProgress(
  { pixels, unit, palette, rtl }: Sheet,
  { left, top, width }: { left: number; top: number; width: number },
  { step, of }: { step: number; of: number },
): void {
  const [gap, height] = [12 * unit, 12 * unit];
  const part = (width - gap * (of - 1)) / of;
  for (let at = 0; at < of; at++) {
    const place = rtl ? of - 1 - at : at;
    fillBox(pixels, {
      box: { left: left + place * (part + gap), top, width: part, height },
      radius: height / 2,
      colour: at < step ? palette.main : mix(palette.paper, palette.ink, 0.18),
      alpha: 1,
    });
  }
}
