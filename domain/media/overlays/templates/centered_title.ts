/** A large title in the middle, on a spot of shade no larger than itself. */
import { drawLogo } from "../logo.ts";
import { placeOnImage } from "../on_image.ts";
import { setBlock, type Sheet, styleOf } from "../sheet.ts";
import { stroke } from "./shapes.ts";
import { WHITE } from "../../images/colour.ts";

export async function centeredTitle(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette, copy } = sheet;
  const logo = await sheet.logoIn({ width: 260 * unit, height: 130 * unit });
  const logoRoom = logo === null ? 0 : logo.height + 48 * unit;
  const room = safe.height - logoRoom;
  const block = await setBlock(
    copy,
    { width: safe.width * 0.94, height: room * 0.66 },
    {
      heading: styleOf(sheet, "heading", WHITE, 128, "centre"),
      support: styleOf(sheet, "body", WHITE, 44, "centre"),
      gap: copy.support === "" ? 0 : 88 * unit,
      most: room,
    },
  );
  const top = safe.top + (safe.height - logoRoom - block.height) / 2;
  const ink = await placeOnImage(sheet, block, { ...safe, top: top + logoRoom });
  if (block.heading !== null && block.support !== null) {
    const rule = { width: 96 * unit, height: 8 * unit };
    const under = top + logoRoom + block.heading.layer.height;
    stroke(sheet, {
      left: (pixels.width - rule.width) / 2,
      top: under + block.gap / 2 - rule.height / 2,
      ...rule,
    }, ink.colour === WHITE ? palette.accent : palette.deepAccent);
  }
  if (logo !== null) drawLogo(sheet, logo, safe.left + (safe.width - logo.width) / 2, top);
}
