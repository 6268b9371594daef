/** A small tag in the upper corner, which leaves the image free. */
import { contrast, luminanceOf, type Rgb } from "../../images/colour.ts";
import type { Box } from "../../images/pixels.ts";
import { worstUnder } from "../legible.ts";
import { atStart, blockIn, placeBlock, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { card, cornerLogo } from "./shapes.ts";

export async function cornerTag(sheet: Sheet): Promise<void> {
  const { unit, safe, palette } = sheet;
  const [padX, padY] = [36 * unit, 28 * unit];
  const block = await setBlock(
    sheet.copy,
    { width: safe.width * 0.64, height: safe.height * 0.3 },
    {
      heading: styleOf(sheet, "heading", palette.ink, 52),
      support: styleOf(sheet, "body", palette.ink, 36),
      gap: 24 * unit,
      most: safe.height * 0.7,
    },
  );
  if (block.height > 0) {
    const width = block.width + 2 * padX;
    const height = block.height + 2 * padY;
    const box = { left: atStart(sheet, safe, width), top: safe.top, width, height };
    const [ground, words] = coloursOn(sheet, box);
    card(sheet, box, Math.min(28 * unit, height / 2), ground);
    placeBlock(sheet, await blockIn(block, words), {
      left: box.left + padX,
      width: block.width,
      top: box.top + padY,
    });
  }
  await cornerLogo(sheet, "bottom");
}

/** The tag's colours. On an image in its own colour the tag would not be seen. */
function coloursOn({ pixels, palette }: Sheet, box: Box): [ground: Rgb, words: Rgb] {
  const isBrand = palette.main !== palette.ink;
  const [ground, words] = isBrand ? [palette.main, palette.onMain] : [palette.accent, palette.ink];
  const around = luminanceOf(worstUnder(pixels, box, ground));
  if (contrast(luminanceOf(ground), around) > 1.6) return [ground, words];
  return luminanceOf(ground) > 0.18
    ? [palette.ink, palette.paper]
    : [palette.paper, isBrand ? palette.deepAccent : palette.ink];
}
