/** The brand kit's operations: read, replace, and take colours from the logo. */
import { z } from "zod";
import { BrandKit, NewBrandKit, readKit, shownKit, writeKit } from "../brands/kit.ts";
import { primaryLogo } from "../creations/assets/shape.ts";
import { logoOf } from "../creations/render.ts";
import { operation } from "./operation.ts";
import { reader } from "../kv/transact.ts";

export const getBrandKit = operation({
  id: "getBrandKit",
  group: "Brand kit",
  summary: "Read the brand kit.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: BrandKit,
  run: async ({ kv, secrets, brand }) =>
    await shownKit(secrets, brand.id, await readKit(reader(kv), brand.id)),
});

export const putBrandKit = operation({
  id: "putBrandKit",
  group: "Brand kit",
  summary: "Replace the brand kit.",
  description: "Style and webhook are required; an empty string clears them. Of the others, a " +
    "field that is left out keeps its value, and null clears it. A webhook that was switched off " +
    "because Discord no longer knew it is switched on again.",
  scopes: ["createWrite"],
  costs: "request",
  errors: [],
  input: NewBrandKit,
  output: BrandKit,
  run: (context, input) => writeKit(context, context.brand.id, input),
});

export const getLogoColors = operation({
  id: "getLogoColors",
  group: "Brand kit",
  summary: "Read the colours of the brand's primary logo, as a proposal for the kit.",
  description:
    "Up to five, the one that says most first: vivid before grey, large before small. The " +
    "logo's plain ground is left out. None without a logo. Changes nothing: put them into the kit's " +
    "`colors` to use them.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({}),
  output: z.object({
    logoId: z.string().nullable().describe("The primary logo; null if there is none."),
    colors: z.array(z.string()).describe("Like `#1a2b3c`."),
  }),
  run: async (context) => {
    const { kv, brand } = context;
    const asset = await primaryLogo(kv, brand.id);
    const logo = asset === null ? null : await logoOf(context, brand.id);
    if (asset === null || logo === null) return { logoId: asset?.id ?? null, colors: [] };
    const { logoColours } = await import("../media/overlays/logo_colors.ts");
    return { logoId: asset.id, colors: await logoColours(logo) };
  },
});
