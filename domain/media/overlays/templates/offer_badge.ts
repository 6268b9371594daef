/** An offer on a round badge in an upper corner; on a ticket where it has more words than a badge holds. */
import { type Box, fillBox } from "../../images/pixels.ts";
import { unrest } from "../legible.ts";
import { type Block, isCut, placeBlock, setBlock, type Sheet, styleOf } from "../sheet.ts";
import { card, cornerLogo } from "./shapes.ts";

/** More characters than these are too much for a badge. */
const MOST = { heading: 24, support: 48 };
/** Diameters that a badge may have, in units: a badge grows with its words. */
const DIAMETERS = [460, 530, 600];

export async function offerBadge(sheet: Sheet): Promise<void> {
  const badge = await roundBadge(sheet);
  if (badge === null) await ticket(sheet);
  else drawBadge(sheet, badge);
  await cornerLogo(sheet, "bottom");
}

/** The words in the smallest circle that takes them at a good size, or null. */
async function roundBadge(sheet: Sheet): Promise<{ block: Block; diameter: number } | null> {
  const { unit, palette, copy, least } = sheet;
  const { heading, support } = copy;
  if ([...heading].length > MOST.heading || [...support].length > MOST.support) return null;
  for (const diameter of DIAMETERS.map((units) => units * unit)) {
    const block = await setBlock(
      copy,
      { width: diameter * 0.7, height: diameter * 0.56 },
      {
        heading: styleOf(sheet, "heading", palette.onMain, 150, "centre"),
        support: styleOf(sheet, "body", palette.onMain, 38, "centre"),
        gap: 22 * unit,
      },
    );
    const size = block.heading?.size ?? least;
    const breaks = block.heading?.breaksWords === true;
    const reach = Math.hypot(block.width, block.height);
    if (!isCut(block) && !breaks && size >= least * 1.9 && reach <= diameter * 0.88) {
      return { block, diameter };
    }
  }
  return null;
}

function drawBadge(sheet: Sheet, { block, diameter }: { block: Block; diameter: number }): void {
  const { pixels, unit, safe, palette } = sheet;
  const box = calmerCorner(sheet, diameter);
  card(sheet, box, diameter / 2, palette.main);
  const ring = (inset: number, colour: typeof palette.main) => {
    const size = diameter - 2 * inset;
    const inner = { left: box.left + inset, top: box.top + inset, width: size, height: size };
    fillBox(pixels, { box: inner, radius: size / 2, colour, alpha: 1 });
  };
  ring(14 * unit, palette.markOnMain);
  ring(18 * unit, palette.main);
  const middle = box.top + diameter / 2;
  placeBlock(sheet, block, {
    left: box.left,
    width: diameter,
    top: Math.max(safe.top, middle - block.height / 2),
  });
}

/** The upper corner at the end of a row, unless the other one is much calmer. */
function calmerCorner({ pixels, safe, rtl }: Sheet, size: number): Box {
  const at = (left: number) => ({ left, top: safe.top, width: size, height: size });
  const [left, right] = [at(safe.left), at(safe.left + safe.width - size)];
  const [first, second] = rtl ? [left, right] : [right, left];
  return unrest(pixels, second) < unrest(pixels, first) * 0.6 ? second : first;
}

async function ticket(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette, copy, rtl } = sheet;
  const pad = 52 * unit;
  const block = await setBlock(
    copy,
    { width: safe.width * 0.72 - 2 * pad, height: safe.height * 0.34 },
    {
      heading: styleOf(sheet, "heading", palette.onMain, 84),
      support: styleOf(sheet, "body", palette.onMain, 40),
      gap: 32 * unit,
      most: safe.height * 0.8,
    },
  );
  if (block.height === 0) return;
  const width = block.width + 2 * pad;
  const box = {
    left: rtl ? safe.left : safe.left + safe.width - width,
    top: safe.top,
    width,
    height: block.height + 2 * pad,
  };
  card(sheet, box, 32 * unit, palette.main);
  // Two notches, as a ticket has them, in the colour of what lies around.
  const seam = { left: box.left + 20 * unit, width: box.width - 40 * unit, height: 4 * unit };
  for (const top of [box.top + 18 * unit, box.top + box.height - 22 * unit]) {
    fillBox(pixels, {
      box: { ...seam, top },
      radius: 2 * unit,
      colour: palette.markOnMain,
      alpha: 1,
    });
  }
  placeBlock(sheet, block, { left: box.left + pad, width: block.width, top: box.top + pad });
}
