/** Occasions: a concert, a party, a market, Christmas. */
import type { Canvas } from "./canvas.ts";
import { paintChristmas } from "./christmas.ts";
import { paintConcert } from "./concert.ts";
import { paintMarket } from "./market.ts";
import { paletteOf } from "./palette.ts";
import { paintParty } from "./party.ts";
import type { Tones } from "./tones.ts";
import type { Brief } from "./words.ts";

export async function paintEvent(canvas: Canvas, brief: Brief, tones: Tones): Promise<void> {
  const palette = paletteOf(tones);
  if (brief.kind === "concert") await paintConcert(canvas, palette);
  else if (brief.kind === "market") await paintMarket(canvas, brief, tones, palette);
  else if (brief.kind === "christmas") await paintChristmas(canvas, palette);
  else await paintParty(canvas, palette);
}
