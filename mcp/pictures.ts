/** The pictures that answers name, as links an agent can follow. */
import type { Asset } from "../domain/assets/shape.ts";
import type { Creation } from "../domain/creations/shape.ts";
import type { Slot } from "../domain/series/shape.ts";
import type { Picture } from "./tool.ts";

export function assetPictures({ name, url, contentType }: Asset): Picture[] {
  return [{ uri: url, name, mimeType: contentType }];
}

/** The final image, once there is one. */
export function creationPictures({ id, url }: Creation): Picture[] {
  return url === null ? [] : [{ uri: url, name: id, mimeType: "image/jpeg" }];
}

export function slotPictures({ creations }: Slot): Picture[] {
  return creations.flatMap(creationPictures);
}
