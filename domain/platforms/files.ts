/** Image files in the form that a platform takes: each as it is, or a copy in another size or type. */
import type { Commit } from "../kv/transact.ts";
import { cropTo } from "../media/images/crop.ts";
import { markGenerated, sourceTypeOf } from "../media/images/mark.ts";
import type { Size } from "../media/images/pixels.ts";
import { loadSharp } from "../media/images/sharp.ts";
import { type StoredTemporarily, storeFile } from "../media/storage/store_file.ts";
import type { Platform } from "../posts/shape.ts";
import type { Service } from "../service/service.ts";
import type { PublishAttempt } from "./contract/platform.ts";
import { type ImageRules, type Ratios, TRAITS } from "./contract/traits.ts";
import { PlatformError } from "./contract/wire.ts";

/** Ratios that differ by less than this share count as the same. */
const TOLERANCE = 0.01;

interface Picture extends Size {
  bytes: Uint8Array;
  type: string;
}

/** Stored files. The copies among them are deleted later unless a commit keeps them. */
interface Prepared {
  keys: string[];
  keep(commit: Commit): Promise<void>;
}

/** Stores copies of the images that the platform does not take as they are. */
export async function prepareFiles(
  service: Service,
  platform: Platform,
  { brandId, format, images }: Pick<PublishAttempt, "brandId" | "format" | "images">,
): Promise<Prepared> {
  const { publishing } = TRAITS[platform];
  if ("refusal" in publishing) throw new PlatformError("badRequest", publishing.refusal);
  const keys: string[] = [];
  const copies: StoredTemporarily[] = [];
  let first: number | null = null;
  for (const { key } of images) {
    const stored = await service.storage.get(key);
    if (stored === null) {
      throw new PlatformError("badRequest", "An image of the post is no longer stored.");
    }
    const picture = await look(stored.bytes);
    const size: Size | null = copySize(publishing.images, picture, format, first);
    if (size === null) keys.push(key);
    else {
      const copy = await storeCopy(service, brandId, stored.bytes, size);
      copies.push(copy);
      keys.push(copy.key);
    }
    // Instagram crops every image of a carousel to the ratio of the first. Marquee does it before,
    // because its own crop keeps the subject in view.
    const shown: Size = size ?? picture;
    first ??= shown.width / shown.height;
  }
  return {
    keys,
    async keep(commit) {
      for (const copy of copies) await copy.keep(commit);
    },
  };
}

async function storeCopy(
  service: Service,
  brandId: string,
  bytes: Uint8Array,
  size: Size,
): Promise<StoredTemporarily> {
  const copy = markGenerated(await cropTo(bytes, size), sourceTypeOf(bytes));
  return await storeFile(service, brandId, { bytes: copy, contentType: "image/jpeg" });
}

async function look(bytes: Uint8Array): Promise<Picture> {
  const sharp = await loadSharp();
  const { width, height, format } = await sharp(bytes).metadata();
  return { bytes, width, height, type: format };
}

/**
 * The size of the copy to make; null when the platform takes the file as it is.
 * @param first the ratio of the carousel's first image; null for the first image itself
 */
function copySize(
  rules: ImageRules,
  picture: Picture,
  format: PublishAttempt["format"],
  first: number | null,
): Size | null {
  const { width, height, type, bytes } = picture;
  const fits = rules.types.includes(type) && bytes.length <= rules.maxBytes &&
    width >= rules.minWidth && width * height <= rules.maxPixels;
  if (rules.ratios === null) {
    if (fits) return null;
    const shrink = Math.min(1, Math.sqrt(rules.maxPixels / (width * height)));
    return { width: Math.floor(width * shrink), height: Math.floor(height * shrink) };
  }
  const ratio = width / height;
  const inFeed = withinFeed(rules.ratios, ratio);
  const wanted = format === "story" ? rules.ratios.story : first ?? inFeed;
  const isShown = Math.abs(ratio / wanted - 1) <= TOLERANCE &&
    (format === "story" || inFeed === ratio);
  if (fits && isShown) return null;
  const across = Math.min(rules.maxWidth, Math.max(rules.minWidth, width));
  // Rounded so that the ratio stays in the range that the feed takes.
  return {
    width: across,
    height: wanted < 1 ? Math.floor(across / wanted) : Math.ceil(across / wanted),
  };
}

function withinFeed({ feed: { narrowest, widest } }: Ratios, ratio: number): number {
  return Math.min(widest, Math.max(narrowest, ratio));
}
