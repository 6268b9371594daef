/** What a slot's images show: an idea for each image, and the text printed on it. */
import type { Recipe } from "./recipe.ts";
import type { StoredSeries } from "./records.ts";
import { type Overlay, OverlayTemplate } from "../overlays/shape.ts";
import { cutAtWord } from "../text.ts";

const IDEA_LENGTH = 2_000;
/** About what a title holds in one glance. */
const TITLE_LENGTH = 60;

/** The idea of each image; those of a carousel tell one story in steps. */
export function ideasOf(
  series: StoredSeries,
  { decision: { direction }, images }: Recipe,
): string[] {
  const about = series.mode === "manual" ? series.theme! : series.goal!;
  const subject = about.trim() === direction.trim() ? direction : `${direction}. For: ${about}`;
  const steered = [subject, series.guidance].filter((part) => part !== null).join(" ");
  return Array.from({ length: images }, (_, at) => {
    const step = images === 1 ? "" : `${stepOf(at, images)} `;
    return cutAtWord(step + steered, IDEA_LENGTH);
  });
}

/** The text printed on each image, or null for none. */
export function overlaysOf(
  { overlay }: StoredSeries,
  { decision: { direction, overlayTemplate }, images }: Recipe,
): (Overlay | null)[] {
  const template = OverlayTemplate.safeParse(overlayTemplate).data;
  return Array.from({ length: images }, (_, at) => {
    if (template === undefined) return null;
    const text = overlay?.text ?? titleOf(direction, at, images);
    return overlay?.showLogo === undefined
      ? { template, text }
      : { template, text, showLogo: overlay.showLogo };
  });
}

function stepOf(at: number, count: number): string {
  const part = at === 0
    ? "the opening that makes people want to see the rest"
    : at === count - 1
    ? "the close: the result, and what it means"
    : `step ${at} of the way from the opening to the result`;
  return `Image ${at + 1} of ${count} of one story, with the same place, people, light and ` +
    `palette in all of them: ${part}.`;
}

function titleOf(direction: string, at: number, count: number): string {
  const title = cutAtWord(direction.trim(), TITLE_LENGTH);
  return count === 1 ? title : `${title}\n${at + 1}/${count}`;
}
