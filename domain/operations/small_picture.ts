/** What only people see, in Studio: pictures as small as its lists show them. */
import { z } from "zod";
import { smallPicture } from "../creations/small_picture.ts";
import { operation } from "./operation.ts";

export const getSmallPicture = operation({
  id: "getSmallPicture",
  group: "Creations",
  summary: "Read the picture of a creation as a small JPEG.",
  scopes: ["createRead"],
  costs: "nothing",
  errors: ["notFound", "serviceUnavailable"],
  input: z.object({ id: z.string(), size: z.enum(["thumb", "tile"]) }),
  output: z.object({ bytes: z.instanceof(Uint8Array) }),
  run: async (context, input) => ({
    bytes: await smallPicture(context, context.brand.id, input),
  }),
});
