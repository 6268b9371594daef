/** A creation's picture as small as lists show it: a page of them would be megabytes otherwise. */
import { notFound } from "../foundation/errors.ts";
import { LruCache } from "../foundation/lru.ts";
import { Turns } from "../foundation/turns.ts";
import { reader } from "../kv/transact.ts";
import { loadSharp } from "../media/images/sharp.ts";
import type { Service } from "../service/service.ts";
import { readCreation } from "./store.ts";

/** Pixels. `thumb` is for a line of a list, `tile` for a grid; both for screens that are sharp. */
const WIDTHS = { thumb: 160, tile: 400 } as const;
export type SmallSize = keyof typeof WIDTHS;

/**
 * Each takes some 10 ms of the processor, so a person's calendar must not hold up everybody's requests.
 * What may wait are the pictures of several full pages.
 */
const shrinking = new Turns<string>({
  ...{ running: 2, runningEach: 2, waiting: 2_000, waitingEach: 400 },
  refusal: "Too many pictures are being made small. Try again shortly.",
});

/**
 * The last ones that were made, some 15 KB each: a brand's people look at the same coming posts, each
 * with a browser of their own. Under a storage key the bytes never change.
 */
const made = new LruCache<string, Uint8Array<ArrayBuffer>>(200);

/**
 * JPEG bytes. Deleted creations have them, too, because a scheduled post may still show them.
 * @throws ServiceError `notFound` while there is no picture; `serviceUnavailable` when too many pictures
 * of the brand wait to be made small
 */
export async function smallPicture(
  service: Pick<Service, "kv" | "storage">,
  brandId: string,
  { id, size }: { id: string; size: SmallSize },
): Promise<Uint8Array<ArrayBuffer>> {
  const creation = await readCreation(reader(service.kv), brandId, id);
  const key = creation?.finalKey ?? null;
  if (key === null) throw notFound("creation");
  const name = `${size} ${key}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  return await shrinking.run(brandId, async () => {
    const file = await service.storage.get(key);
    if (file === null) throw notFound("creation");
    const sharp = await loadSharp();
    const small = sharp(file.bytes).resize({ width: WIDTHS[size], withoutEnlargement: true });
    const bytes = new Uint8Array(await small.jpeg({ quality: 76 }).toBuffer());
    made.set(name, bytes);
    return bytes;
  });
}
