/** Pictures as small as lists show them, at addresses that change with the picture. */
import type { Creation } from "../../domain/creations/shape.ts";
import { getSmallPicture } from "../../domain/operations/small_picture.ts";
import { idOf, queryOf, type Studio } from "./studio.ts";

type Size = "thumb" | "tile";

/** The address of a finished picture. It names the file, because another text on it is another file. */
export function smallAddress(
  studio: Studio,
  { id, url }: Pick<Creation, "id"> & { url: string },
  size: Size,
): string {
  const [file = ""] = new URL(url).pathname.split("/").slice(-1);
  return studio.at(`/pictures/${id}/small.jpg?size=${size}&file=${encodeURIComponent(file)}`);
}

export async function smallPicture(studio: Studio): Promise<Uint8Array> {
  const size = queryOf(studio, "size") === "thumb" ? "thumb" : "tile";
  const { bytes } = await studio.call(getSmallPicture, { id: idOf(studio), size });
  return bytes;
}
