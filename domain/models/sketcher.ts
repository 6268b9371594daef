/** Stands in until the painter lands: a one-pixel PNG. */
import type { ImageModel } from "./model.ts";

const PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

export const sketcher: ImageModel = {
  name: "sketcher",
  paint: () => Promise.resolve({ bytes: PIXEL, contentType: "image/png" }),
};
