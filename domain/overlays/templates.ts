/** The six layouts. Each draws its ground onto the sheet and says where its texts go. */
import { BLACK, contrast, luminanceOf, type Rgb, WHITE } from "../images/colour.ts";
import { alphaFor, unrest, worstUnder } from "./legible.ts";
import { type Box, fillBox, type Pixels, tintRows } from "../images/pixels.ts";
import type { OverlayTemplate } from "./shape.ts";
import { atEnd, atStart, type Block, drawLogo, placeBlock, setBlock, type Sheet } from "./sheet.ts";
import { fitText, recoloured, type TextStyle } from "./typeset.ts";

export const TEMPLATES: Record<OverlayTemplate, (sheet: Sheet) => Promise<void>> = {
  captionBar,
  centeredTitle,
  lowerThird,
  quoteCard,
  cornerTag,
  textOnly,
};

/** A bar in the image's own dark along the lower edge; in a story a card above the buttons. */
async function captionBar(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette, isStory } = sheet;
  const pad = 52 * unit;
  const bar = isStory
    ? { left: safe.left - 24 * unit, width: safe.width + 48 * unit }
    : { left: 0, width: pixels.width };
  const inner = isStory
    ? { left: bar.left + pad, width: bar.width - 2 * pad }
    : { left: safe.left, width: safe.width };
  const logo = await sheet.logoIn({ width: 190 * unit, height: 120 * unit });
  const logoRoom = logo === null ? 0 : logo.width + 44 * unit;
  const block = await setBlock(
    sheet,
    { width: inner.width - logoRoom, height: safe.height * 0.27 },
    style("strong", WHITE, 64 * unit, 26 * unit),
    style("calm", palette.paper, 36 * unit, 22 * unit),
    20 * unit,
  );
  const height = Math.max(block.height, logo?.height ?? 0) + 2 * pad;
  const bottom = isStory ? safe.top + safe.height : pixels.height;
  const box = { ...bar, top: bottom - height, height };
  const radius = isStory ? 36 * unit : 0;
  fillBox(pixels, { box, radius, colour: palette.ink, alpha: 0.95 });
  const mark = { width: 104 * unit, height: 8 * unit };
  const markLeft = atStart(sheet, inner, mark.width);
  fillBox(pixels, {
    box: { left: markLeft, top: box.top - mark.height / 2, ...mark },
    radius: mark.height / 2,
    colour: palette.accent,
    alpha: 1,
  });
  const middle = box.top + height / 2;
  const text = { left: inner.left + (sheet.rtl ? logoRoom : 0), width: inner.width - logoRoom };
  placeBlock(sheet, block, { ...text, top: middle - block.height / 2 });
  if (logo !== null) {
    await drawLogo(sheet, logo, atEnd(sheet, inner, logo.width), middle - logo.height / 2);
  }
}

/** A large title in the middle, on a band of shade that melts into the image. */
async function centeredTitle(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette } = sheet;
  const logo = await sheet.logoIn({ width: 260 * unit, height: 130 * unit });
  const logoRoom = logo === null ? 0 : logo.height + 48 * unit;
  const rule = { width: 96 * unit, height: 7 * unit };
  const block = await setBlock(
    sheet,
    { width: safe.width * 0.94, height: safe.height * 0.62 - logoRoom },
    { ...style("strong", WHITE, 128 * unit, 30 * unit), align: "centre" },
    { ...style("calm", palette.paper, 42 * unit, 24 * unit), align: "centre" },
    sheet.copy.support === "" ? 0 : 84 * unit,
  );
  const height = logoRoom + block.height;
  const top = safe.top + (safe.height - height) / 2;
  const shade = { ...safe, top: top - 40 * unit, height: height + 80 * unit };
  shadeFor(sheet, shade, safe.height * 0.42, 0.38);
  if (logo !== null) await drawLogo(sheet, logo, safe.left + (safe.width - logo.width) / 2, top);
  if (block.heading !== null && block.support !== null) {
    const under = top + logoRoom + block.heading.layer.height;
    fillBox(pixels, {
      box: {
        left: (pixels.width - rule.width) / 2,
        top: under + block.gap / 2 - 3 * unit,
        ...rule,
      },
      radius: rule.height / 2,
      colour: palette.accent,
      alpha: 1,
    });
  }
  placeBlock(sheet, block, { ...safe, top: top + logoRoom });
}

/** A headline at the foot, beside an upright stroke, on shade that rises from the edge. */
async function lowerThird(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette } = sheet;
  const stroke = 12 * unit;
  const indent = stroke + 36 * unit;
  const block = await setBlock(
    sheet,
    { width: safe.width * 0.94 - indent, height: safe.height * 0.42 },
    style("strong", WHITE, 92 * unit, 28 * unit),
    style("calm", palette.paper, 40 * unit, 24 * unit),
    30 * unit,
  );
  const top = safe.top + safe.height - block.height;
  const shade = { ...safe, top: top - 28 * unit, height: pixels.height - top + 28 * unit };
  shadeFor(sheet, shade, safe.height * 0.4, 0.5);
  fillBox(pixels, {
    box: {
      left: atStart(sheet, safe, stroke),
      top: top - 4 * unit,
      width: stroke,
      height: block.height + 8 * unit,
    },
    radius: stroke / 2,
    colour: palette.accent,
    alpha: 1,
  });
  const text = { left: safe.left + (sheet.rtl ? 0 : indent), width: safe.width - indent };
  placeBlock(sheet, block, { ...text, top });
  await cornerLogo(sheet, safe.top);
}

/** A card of paper with the words set as a quotation. */
async function quoteCard(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette } = sheet;
  const width = Math.min(safe.width, Math.max(920 * unit, pixels.width * 0.74));
  const pad = 76 * unit;
  const logo = await sheet.logoIn({ width: 170 * unit, height: 84 * unit });
  const mark = await fitText("“", style("serif", palette.deepAccent, 240 * unit, 60 * unit), {
    width,
    height: 300 * unit,
  });
  const head = mark.layer.height + 40 * unit;
  const foot = logo === null ? 0 : logo.height + 44 * unit;
  const block = await setBlock(
    sheet,
    { width: width - 2 * pad, height: safe.height * 0.94 - 2 * pad - head - foot },
    style("serif", palette.ink, 76 * unit, 26 * unit),
    style("calm", palette.deepAccent, 34 * unit, 22 * unit),
    36 * unit,
  );
  const height = 2 * pad + head + block.height + foot;
  const box = {
    left: (pixels.width - width) / 2,
    top: safe.top + (safe.height - height) / 2,
    width,
    height,
  };
  tintRows(pixels, palette.ink, () => 0.22);
  const radius = 40 * unit;
  const shadow = { ...box, top: box.top + 22 * unit };
  fillBox(pixels, { box: shadow, radius, colour: BLACK, alpha: 0.34, feather: 84 * unit });
  fillBox(pixels, { box, radius, colour: palette.paper, alpha: 1 });
  const inner = { left: box.left + pad, width: width - 2 * pad };
  sheet.texts.push({
    set: mark,
    left: Math.round(atStart(sheet, inner, mark.layer.width)),
    top: Math.round(box.top + pad),
  });
  placeBlock(sheet, block, { ...inner, top: box.top + pad + head });
  if (logo !== null) {
    const top = box.top + height - pad - logo.height;
    await drawLogo(sheet, logo, atStart(sheet, inner, logo.width), top);
  }
}

/** A small tag in the upper corner; the image speaks. */
async function cornerTag(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette } = sheet;
  const [padX, padY] = [34 * unit, 26 * unit];
  const block = await setBlock(
    sheet,
    { width: safe.width * 0.62, height: safe.height * 0.3 },
    style("strong", palette.ink, 44 * unit, 22 * unit),
    style("calm", palette.ink, 28 * unit, 20 * unit),
    14 * unit,
  );
  if (block.height > 0) {
    const width = block.width + 2 * padX;
    const height = block.height + 2 * padY;
    const box = { left: atStart(sheet, safe, width), top: safe.top, width, height };
    const radius = Math.min(28 * unit, height / 2);
    // On an image of the accent's own colour the tag would be lost.
    const around = luminanceOf(worstUnder(pixels, box, palette.accent));
    const isApart = contrast(luminanceOf(palette.accent), around) > 1.6;
    const [ground, words] = isApart ? [palette.accent, palette.ink] : [palette.ink, palette.paper];
    const shadow = { ...box, top: box.top + 8 * unit };
    fillBox(pixels, { box: shadow, radius, colour: BLACK, alpha: 0.3, feather: 28 * unit });
    fillBox(pixels, { box, radius, colour: ground, alpha: 1 });
    placeBlock(sheet, await blockIn(block, words), {
      left: box.left + padX,
      width: block.width,
      top: box.top + padY,
    });
  }
  const logo = await sheet.logoIn({ width: 200 * unit, height: 110 * unit });
  if (logo !== null) {
    const top = safe.top + safe.height - logo.height;
    await drawLogo(sheet, logo, atEnd(sheet, safe, logo.width), top);
  }
}

/** Words alone, where the image is calmest; light or dark, whichever needs the least help. */
async function textOnly(sheet: Sheet): Promise<void> {
  const { pixels, unit, safe, palette } = sheet;
  const block = await setBlock(
    sheet,
    { width: safe.width * 0.9, height: safe.height * 0.5 },
    style("strong", WHITE, 104 * unit, 30 * unit),
    style("calm", WHITE, 42 * unit, 24 * unit),
    26 * unit,
  );
  const left = atStart(sheet, safe, block.width);
  const choices = [0, 0.5, 1].flatMap((share) => {
    const top = safe.top + (safe.height - block.height) * share;
    const box = { left, top, width: block.width, height: block.height };
    return [[WHITE, palette.ink] as const, [palette.ink, palette.paper] as const].map(
      ([colour, scrim]) => {
        const alpha = alphaFor(pixels, box, colour, scrim);
        // Pale mist over an image looks like a fault of the lens: only where little of it is needed.
        const mist = colour === WHITE ? 1 : 2;
        return { share, box, colour, scrim, alpha, cost: alpha * mist + unrest(pixels, box) };
      },
    );
  });
  const { share, box, colour, scrim, alpha } = choices.reduce((best, choice) =>
    choice.cost < best.cost ? choice : best
  );
  if (alpha > 0) {
    // From the nearest edge of the image: shade without a shape of its own.
    const [top, bottom] = [box.top - 40 * unit, box.top + box.height + 40 * unit];
    const from = share === 0 ? 0 : top;
    const to = share === 1 ? pixels.height : bottom;
    shadeRows(pixels, { from, to, fade: safe.height * 0.3, colour: scrim, alpha });
  }
  placeBlock(sheet, await blockIn(block, colour), { left, width: block.width, top: box.top });
  const logoTop = box.top < pixels.height / 3 ? safe.top + safe.height - 110 * unit : safe.top;
  await cornerLogo(sheet, logoTop);
}

/** Shade for light text on a box: as dense as its pixels ask for, and `least` for the look of it. */
function shadeFor(sheet: Sheet, box: Box, fade: number, least: number): void {
  const { pixels, palette } = sheet;
  const alpha = Math.max(least, alphaFor(pixels, box, palette.paper, palette.ink));
  const to = box.top + box.height;
  shadeRows(pixels, { from: box.top, to, fade, colour: palette.ink, alpha });
}

interface Shade {
  from: number;
  to: number;
  /** Rows over which it melts away above and below. */
  fade: number;
  colour: Rgb;
  alpha: number;
}

function shadeRows(pixels: Pixels, { from, to, fade, colour, alpha }: Shade): void {
  tintRows(pixels, colour, (row) => {
    const away = Math.max(from - row, row - to, 0) / fade;
    return away >= 1 ? 0 : alpha * (1 - away * away * (3 - 2 * away));
  });
}

async function cornerLogo(sheet: Sheet, top: number): Promise<void> {
  const { unit, safe } = sheet;
  const logo = await sheet.logoIn({ width: 200 * unit, height: 110 * unit });
  if (logo !== null) await drawLogo(sheet, logo, atEnd(sheet, safe, logo.width), top);
}

async function blockIn(block: Block, colour: Rgb): Promise<Block> {
  return {
    ...block,
    heading: block.heading && await recoloured(block.heading, colour),
    support: block.support && await recoloured(block.support, colour),
  };
}

function style(
  face: TextStyle["face"],
  colour: Rgb,
  largest: number,
  smallest: number,
): TextStyle {
  return { face, colour, align: "start", largest, smallest };
}
