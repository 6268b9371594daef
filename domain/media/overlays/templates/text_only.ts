/** Words alone, where the image is calmest, in light or dark, whichever needs less shade. */
import { WHITE } from "../../images/colour.ts";
import { unrest } from "../legible.ts";
import { inkedBoxes, inkFor, placeOnImage } from "../on_image.ts";
import { atStart, placesOf, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { cornerLogo } from "./shapes.ts";

export async function textOnly(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe } = sheet;
  const block = await setBlock(
    sheet.copy,
    { width: safe.width * 0.9, height: safe.height * 0.5 },
    {
      heading: styleOf(sheet, "heading", WHITE, 104),
      support: styleOf(sheet, "body", WHITE, 44),
      gap: 34 * unit,
      most: safe.height * 0.85,
    },
  );
  const left = atStart(sheet, safe, block.width);
  const choices = [0, 0.5, 1].map((share) => {
    const top = safe.top + (safe.height - block.height) * share;
    const box = { left, top, width: block.width, height: block.height };
    const { cost } = inkFor(sheet, placesOf(sheet, block, box).flatMap(inkedBoxes));
    return { box, cost: cost + unrest(pixels, box) };
  });
  const { box } = choices.reduce((best, choice) => choice.cost < best.cost ? choice : best);
  await placeOnImage(sheet, block, box);
  await cornerLogo(sheet, box.top < pixels.height / 3 ? "bottom" : "top");
}
