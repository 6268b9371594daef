/** What only people see, in Studio: layouts of text as small pictures, to choose from. */
import { z } from "zod";
import { previewOverlay as draw } from "../creations/overlay_preview.ts";
import { optionalText } from "../foundation/text.ts";
import { AspectRatio } from "../media/images/aspect.ts";
import { OverlayTemplate } from "../media/overlays/shape.ts";
import { operation } from "./operation.ts";

export const previewOverlay = operation({
  id: "previewOverlay",
  group: "Creations",
  summary: "Draw a layout of text small, on a picture of the brand or on a plain ground.",
  scopes: ["createRead"],
  costs: "nothing",
  errors: [],
  input: z.object({
    template: OverlayTemplate,
    text: optionalText(300).default(""),
    showLogo: z.boolean().default(false),
    creationId: z.string().nullable().default(null),
    aspectRatio: AspectRatio.default("portrait"),
  }),
  output: z.object({ bytes: z.instanceof(Uint8Array) }),
  run: async (context, input) => ({ bytes: await draw(context, context.brand.id, input) }),
});
