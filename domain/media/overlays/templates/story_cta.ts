/** A headline above a button: what to do stands in the last line. */
import { WHITE } from "../../images/colour.ts";
import { copyFrom } from "../copy.ts";
import { placeOnImage } from "../on_image.ts";
import { type Block, placeBlock, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { fitText, type SetText } from "../typeset.ts";
import { card, cornerLogo } from "./shapes.ts";

/** The longest words that still look like a button. */
const LONGEST = 40;

export async function storyCta(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, copy, isStory } = sheet;
  const last = copy.lines.at(-1) ?? "";
  const hasButton = [...last].length <= LONGEST;
  const words = hasButton ? copyFrom(copy.lines.slice(0, -1)) : copy;
  const button = hasButton && last !== "" ? await setButton(sheet, last) : null;
  const buttonHeight = button === null ? 0 : button.layer.height + 2 * 34 * unit;
  const gap = button === null ? 0 : 56 * unit;
  const room = safe.height - buttonHeight - gap;
  const block = await setBlock(
    words,
    { width: safe.width * 0.94, height: room * 0.5 },
    {
      heading: styleOf(sheet, "heading", WHITE, 112, "centre"),
      support: styleOf(sheet, "body", WHITE, 44, "centre"),
      gap: 36 * unit,
      most: room * 0.85,
    },
  );
  const bottom = safe.top + safe.height;
  if (block.height > 0) {
    const top = bottom - buttonHeight - gap - block.height;
    // A band as wide as the picture has no sides that could be seen.
    await placeOnImage(sheet, block, { ...safe, top }, {
      reach: 240,
      stretch: (box) => ({
        ...{ left: 0, top: box.top, width: pixels.width },
        height: isStory ? box.height : pixels.height - box.top,
      }),
    });
  }
  if (button !== null) drawButton(sheet, button, bottom - buttonHeight, buttonHeight);
  await cornerLogo(sheet, "top");
}

async function setButton(sheet: Sheet, words: string): Promise<SetText> {
  const { unit, safe, palette } = sheet;
  const style = styleOf(sheet, "heading", palette.onMain, 48, "centre");
  return await fitText(words, style, { width: safe.width * 0.8, height: 240 * unit });
}

function drawButton(sheet: Sheet, set: SetText, top: number, height: number): void {
  const { unit, safe, palette } = sheet;
  const width = Math.min(safe.width, Math.max(set.layer.width + 2 * 64 * unit, 360 * unit));
  const left = safe.left + (safe.width - width) / 2;
  card(sheet, { left, top, width, height }, Math.min(height / 2, 60 * unit), palette.main);
  const block: Block = { heading: set, support: null, gap: 0, width: 0, height: 0 };
  placeBlock(sheet, block, { left, width, top: top + (height - set.layer.height) / 2 });
}
