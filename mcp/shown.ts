/** What a tool's answer shows beside its data: a sentence for people, links to pictures. */
import type { Asset } from "../domain/creations/assets/shape.ts";
import type { Creation } from "../domain/creations/shape.ts";
import type { Pagination } from "../domain/foundation/paging.ts";
import { count } from "../domain/foundation/text.ts";
import type { Slot } from "../domain/series/shape.ts";

/** What an answer shows beside its data. */
export interface Shown {
  text: string;
  pictures: Picture[];
  /** A JPEG small enough to look at. */
  preview: Uint8Array | null;
}

/** A link to a picture, which agents can follow. */
export interface Picture {
  uri: string;
  name: string;
  mimeType: string;
}

export function pageOf(noun: string): (answer: { pagination: Pagination }) => string {
  // Computed from the pagination: to read `data.length` would parse data that may be kept as JSON.
  return ({ pagination: { page, perPage, pageCount, total } }) => {
    const shown = Math.max(0, Math.min(perPage, total - (page - 1) * perPage));
    return `${shown} of ${count(total, noun)}, page ${page} of ${pageCount}.`;
  };
}

export function listOf(noun: string): (answer: { data: unknown[] }) => string {
  return ({ data }) => `${count(data.length, noun)}.`;
}

export const done = () => "Done.";

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
