/** A headline at the bottom, beside a vertical stroke, on shade that rises from the edge. */
import { WHITE } from "../../images/colour.ts";
import { placeOnImage } from "../on_image.ts";
import { atStart, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { cornerLogo, stroke } from "./shapes.ts";

export async function lowerThird(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette, isStory } = sheet;
  const thick = 12 * unit;
  const indent = thick + 36 * unit;
  const block = await setBlock(
    sheet.copy,
    { width: safe.width * 0.94 - indent, height: safe.height * 0.42 },
    {
      heading: styleOf(sheet, "heading", WHITE, 92),
      support: styleOf(sheet, "body", WHITE, 42),
      gap: 34 * unit,
      most: safe.height * 0.8,
    },
  );
  const top = safe.top + safe.height - block.height;
  const text = { left: safe.left + (sheet.rtl ? 0 : indent), width: safe.width - indent, top };
  const ink = await placeOnImage(sheet, block, text, {
    reach: 260,
    // The stroke is part of what is shaded, and the shade has no lower end of its own.
    stretch: (box) => ({
      ...box,
      left: sheet.rtl ? box.left : box.left - indent,
      width: box.width + indent,
      height: isStory ? box.height : pixels.height - box.top,
    }),
  });
  stroke(sheet, {
    left: atStart(sheet, safe, thick),
    top: top - 4 * unit,
    width: thick,
    height: block.height + 8 * unit,
  }, ink.colour === WHITE ? palette.accent : palette.deepAccent);
  await cornerLogo(sheet, "top");
}
