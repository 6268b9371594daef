/** Overlays: the text and logo printed on an image (spec 2.9). */
import { z } from "zod";
import { text } from "../../foundation/text.ts";

/** Characters of an overlay's text. */
export const LONGEST = 300;

export const OverlayTemplate = z.enum([
  "captionBar",
  "centeredTitle",
  "lowerThird",
  "quoteCard",
  "cornerTag",
  "textOnly",
  "offerBadge",
  "eventDate",
  "splitPanel",
  "storyCta",
  "stepCard",
]);
export type OverlayTemplate = z.output<typeof OverlayTemplate>;

export const Overlay = z.object({
  template: OverlayTemplate.describe(
    "Layout. First lines: `offerBadge` the offer, `eventDate` a date, `stepCard` a count like `2/5`. " +
      "`storyCta` makes its last line a button.",
  ),
  text: text(LONGEST).describe("Printed on the image; a second line is smaller."),
  showLogo: z.boolean().optional().describe("Adds the brand's primary logo."),
}).meta({ id: "Overlay" });
export type Overlay = z.output<typeof Overlay>;

/** How a brand's overlays look. What is missing or null is as it was before brands could choose. */
export interface Look {
  /** `#rrggbb`, the main one first. */
  colors?: readonly string[] | null;
  headingFont?: Font | null;
  bodyFont?: Font | null;
  /** BCP 47, for hyphens. */
  language?: string | null;
}

type Font = "Inter" | "Playfair Display";
