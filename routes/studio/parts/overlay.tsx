/** The fields of an overlay: layouts as small pictures to choose from, text, logo. */
import type { AspectRatio } from "../../../domain/media/images/aspect.ts";
import type { Overlay } from "../../../domain/media/overlays/shape.ts";
import { OverlayTemplate } from "../../../domain/media/overlays/shape.ts";
import { textOf } from "../form.ts";
import { type Shown, type Studio, valueOf } from "../studio.ts";
import { TEMPLATES } from "../words.ts";
import { AreaField, CheckField } from "./field.tsx";
import { Icon } from "./icons.tsx";

const NONE = "none";
const LAYOUTS = "layouts";

/** What the small pictures show. */
export interface Sample {
  /** The picture under the text; "" for a plain ground. */
  pictureId: string;
  aspectRatio: AspectRatio;
  text: string;
  showLogo: boolean;
}

interface Props {
  studio: Studio;
  shown: Shown;
  overlay: Overlay | null;
  /** The picture that the text will be printed on, where there is one. */
  picture?: { id: string; aspectRatio: AspectRatio; rawUrl: string | null } | undefined;
  aspectRatio?: AspectRatio;
}

export function OverlayFields({ studio, shown, overlay, picture, aspectRatio }: Props) {
  const hasLogo = shown.given === undefined
    ? overlay?.showLogo === true
    : shown.given.has("showLogo");
  const sample: Sample = {
    pictureId: picture?.rawUrl == null ? "" : picture.id,
    aspectRatio: picture?.aspectRatio ?? aspectRatio ?? "portrait",
    text: valueOf(shown, "overlayText", overlay?.text),
    showLogo: hasLogo,
  };
  return (
    <>
      <AreaField
        name="overlayText"
        label="Text on the picture"
        value={sample.text}
        rows={2}
        most={300}
        hint="The first line is set large. An event begins with its date, a button's words come last."
      />
      <CheckField name="showLogo" label="With the primary logo" checked={hasLogo} />
      <Layouts
        studio={studio}
        sample={sample}
        chosen={valueOf(shown, "template", overlay?.template ?? NONE)}
      />
    </>
  );
}

/** All layouts with the words as typed. With a script they follow what is typed on. */
export function Layouts(
  { studio, sample, chosen }: { studio: Studio; sample: Sample; chosen: string },
) {
  const again = new URLSearchParams({ picture: sample.pictureId, shape: sample.aspectRatio });
  return (
    <fieldset
      class="field"
      id={LAYOUTS}
      hx-get={studio.at(`/layouts?${again}`)}
      hx-trigger="change delay:200ms from:#overlayText, change from:[name=showLogo]"
      hx-include="#overlayText, [name=showLogo], [name=template]"
      hx-target={`#${LAYOUTS}`}
      hx-swap="outerHTML"
    >
      <legend>Layout of the text</legend>
      <div class="layouts">
        <label class="layout">
          <input type="radio" name="template" value={NONE} checked={chosen === NONE} />
          <span class={`picture ${sample.aspectRatio}`}>
            <Icon name="picture" size={24} />
          </span>
          No text
        </label>
        {OverlayTemplate.options.map((template) => (
          <label class="layout">
            <input type="radio" name="template" value={template} checked={chosen === template} />
            <span class={`picture ${sample.aspectRatio}`}>
              <img
                src={addressOf(studio, sample, template)}
                alt=""
                loading="lazy"
                decoding="async"
              />
            </span>
            {TEMPLATES[template]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The address of a small picture. It changes with the brand's look, so that no old one is shown. */
function addressOf(studio: Studio, sample: Sample, template: OverlayTemplate): string {
  const { colors, headingFont, bodyFont, language } = studio.about.kit;
  const look = [...colors ?? [], headingFont ?? "", bodyFont ?? "", language ?? ""].join(" ");
  const query = new URLSearchParams({
    ...{ template, text: sample.text, picture: sample.pictureId, shape: sample.aspectRatio },
    ...sample.showLogo ? { showLogo: "on" } : {},
    ...look.trim() === "" ? {} : { look },
  });
  return studio.at(`/layouts/small.jpg?${query}`);
}

/** The overlay of a form, for the operation to check; null for none. */
export function overlayOf(fields: FormData): Overlay | null {
  const template = OverlayTemplate.safeParse(textOf(fields, "template"));
  if (!template.success) return null;
  // Browsers send the ends of lines as two characters.
  const text = textOf(fields, "overlayText").replaceAll("\r\n", "\n");
  return { template: template.data, text, showLogo: fields.has("showLogo") };
}
