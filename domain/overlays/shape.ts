/** Overlays: the text and logo printed on an image (spec 2.9). */
import { z } from "zod";
import { text } from "../text.ts";

export const OverlayTemplate = z.enum([
  "captionBar",
  "centeredTitle",
  "lowerThird",
  "quoteCard",
  "cornerTag",
  "textOnly",
]);
export type OverlayTemplate = z.output<typeof OverlayTemplate>;

export const Overlay = z.object({
  template: OverlayTemplate.describe("Layout name."),
  text: text(300).describe("Text printed on the image; a second line is set smaller."),
  showLogo: z.boolean().optional().describe("Adds the brand's primary logo."),
}).meta({ id: "Overlay" });
export type Overlay = z.output<typeof Overlay>;
