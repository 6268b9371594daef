/** What a slot's images show: an idea for each image, and the text printed on it. */
import type { Recipe } from "../recipe.ts";
import { wishesOf } from "../../models/writer/phrases.ts";
import { aboutOf } from "../facts.ts";
import type { StoredSeries } from "../records.ts";
import { type Overlay, OverlayTemplate } from "../../media/overlays/shape.ts";
import { atStep } from "../../media/overlays/steps.ts";
import { cutAtWord } from "../../foundation/text.ts";

const IDEA_LENGTH = 2_000;

/** From where each image of a carousel is seen. The first and the last ones show all of it. */
const VIEWS = [
  "Seen whole, inviting.",
  "Seen from closer by.",
  "Seen from the side.",
  "Seen from straight above.",
  "Seen very close.",
  "Seen from low down.",
  "Seen from a few steps away.",
  "Seen at an angle.",
  "Seen across the frame.",
];
const LAST_VIEW = "Seen whole again, at rest.";

/** The scene of the slot's topic, with what the guidance wants to be shown. */
export function ideaOf(series: StoredSeries, { decision, story }: Recipe): string {
  const about = aboutOf(series);
  const scene = story?.scene ?? decision.direction;
  // A locally written scene has only the start of a long theme.
  const rest = story?.isLocal === true && series.mode === "manual" && !scene.startsWith(`${about}.`)
    ? [about]
    : [];
  const { shown } = wishesOf(series.guidance ?? "");
  return cutAtWord([scene, ...rest, ...shown].join(" "), IDEA_LENGTH);
}

/** How each image of the slot is seen; those of a carousel share everything else. */
export function viewsOf({ images }: Recipe): string[] {
  if (images === 1) return [""];
  return Array.from(
    { length: images },
    (_, index) => index === images - 1 ? LAST_VIEW : VIEWS[index % VIEWS.length] ?? "",
  );
}

/** The text printed on each image; null prints none. */
export function overlaysOf(
  { overlay }: StoredSeries,
  { decision: { overlayTemplate, onImage = "" }, images, story }: Recipe,
): (Overlay | null)[] {
  const template = OverlayTemplate.safeParse(overlayTemplate).data;
  const words = images === 1 ? [onImage] : story?.slides ?? [onImage];
  return Array.from({ length: images }, (_, index) => {
    const own = index === 0 ? overlay?.text : undefined;
    const text = own ?? words[index] ?? "";
    if (template === undefined || !/\S/u.test(text)) return null;
    const { showLogo } = overlay ?? {};
    const printed: Overlay = { template, text, ...showLogo === undefined ? {} : { showLogo } };
    return atStep(printed, index + 1, images);
  });
}
