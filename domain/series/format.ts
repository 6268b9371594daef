/** How many images a slot's format takes, and their aspect ratio. */
import type { AspectRatio } from "../media/images/aspect.ts";
import type { SeriesFormat } from "../platforms/contract/format.ts";

const CAROUSEL = { least: 3, most: 10, usual: 4 };
const ASKED = /\b(\d{1,2})[\s-]*(?:slides?|images?|pictures?|cards?|pages?|steps?|panels?)\b/iu;

/** Images of one slot. A brief that asks for "6 slides" gets them, within what a carousel takes. */
export function imagesOf(format: SeriesFormat, briefs: (string | null)[]): number {
  if (format !== "carousel") return 1;
  const asked = briefs.map((brief) => Number(ASKED.exec(brief ?? "")?.[1] ?? 0))
    .find((count) => count >= CAROUSEL.least && count <= CAROUSEL.most);
  return asked ?? CAROUSEL.usual;
}

/** How many images a post of the format has. */
export function rangeOf(format: SeriesFormat): { least: number; most: number } {
  return format === "carousel" ? CAROUSEL : { least: 1, most: 1 };
}

/** Stories are always 9:16, whatever the series says. */
export function ratioOf(format: SeriesFormat, series: AspectRatio): AspectRatio {
  return format === "story" ? "story" : series;
}
