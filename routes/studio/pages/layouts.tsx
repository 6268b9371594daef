/** The layouts of text as small pictures, and the list of them for words that are being typed. */
import { AspectRatio } from "../../../domain/media/images/aspect.ts";
import { OverlayTemplate } from "../../../domain/media/overlays/shape.ts";
import { noSuch } from "../../../domain/foundation/errors.ts";
import { previewOverlay } from "../../../domain/operations/overlay_preview.ts";
import { Layouts, type Sample } from "../parts/overlay.tsx";
import { queryOf, type Studio } from "../studio.ts";

/** Longer words are cut in a small picture; the form refuses them. */
const MOST = 300;

export function layoutsPart(studio: Studio) {
  const chosen = queryOf(studio, "template");
  return Promise.resolve(<Layouts studio={studio} sample={sampleOf(studio)} chosen={chosen} />);
}

export async function smallLayout(studio: Studio): Promise<Uint8Array> {
  const template = OverlayTemplate.safeParse(queryOf(studio, "template"));
  if (!template.success) throw noSuch("layout");
  const { pictureId, ...sample } = sampleOf(studio);
  const { bytes } = await studio.call(previewOverlay, {
    ...sample,
    template: template.data,
    creationId: pictureId === "" ? null : pictureId,
  });
  return bytes;
}

function sampleOf(studio: Studio): Sample {
  return {
    pictureId: queryOf(studio, "picture"),
    aspectRatio: AspectRatio.safeParse(queryOf(studio, "shape")).data ?? "portrait",
    text: [...queryOf(studio, "text") || queryOf(studio, "overlayText")].slice(0, MOST).join(""),
    showLogo: queryOf(studio, "showLogo") !== "",
  };
}
