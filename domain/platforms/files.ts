/** The files a platform takes: type, size and ratio (PLATFORMS A.6, B.5). */
import { cropTo } from "../images/crop.ts";
import { markGenerated, sourceTypeOf } from "../images/mark.ts";
import type { Size } from "../images/pixels.ts";
import { loadSharp } from "../images/sharp.ts";
import type { Platform } from "../posts/shape.ts";
import type { Service } from "../service.ts";
import { newFileKey } from "../storage/storage.ts";
import type { PublishAttempt } from "./publishing.ts";
import { PlatformError } from "./wire.ts";

const INSTAGRAM = {
  maxBytes: 8 * 1024 * 1024,
  minWidth: 320,
  maxWidth: 1440,
  /** Width by height. */
  feed: { narrowest: 4 / 5, widest: 1.91 },
  story: 9 / 16,
};
const LINKEDIN_MAX_PIXELS = 36_152_319;
/** Ratios this near to each other count as the same. */
const TOLERANCE = 0.01;

interface Picture extends Size {
  bytes: Uint8Array;
  type: string;
}

/** Keys of files that the platform takes: the images as they are where they fit, else copies. */
export async function prepareFiles(
  { storage }: Pick<Service, "storage">,
  platform: Platform,
  { format, images }: Pick<PublishAttempt, "format" | "images">,
): Promise<string[]> {
  const keys: string[] = [];
  let ratio: number | null = null;
  for (const { key } of images) {
    const stored = await storage.get(key);
    if (stored === null) {
      throw new PlatformError("badRequest", "An image of the post is no longer stored.");
    }
    const picture = await look(stored.bytes);
    const size: Size | null = platform === "instagram"
      ? instagramSize(picture, format, ratio)
      : linkedInSize(picture);
    if (size === null) keys.push(key);
    else keys.push(await storeCopy(storage, picture, size));
    // Instagram cuts all of a carousel to its first image: better we do, with an eye for the picture.
    const shown: Size = size ?? picture;
    ratio ??= shown.width / shown.height;
  }
  return keys;
}

async function look(bytes: Uint8Array): Promise<Picture> {
  const sharp = await loadSharp();
  const { width, height, format } = await sharp(bytes).metadata();
  return { bytes, width, height, type: format };
}

async function storeCopy(
  storage: Service["storage"],
  { bytes }: Picture,
  size: Size,
): Promise<string> {
  const key = newFileKey("media", "image/jpeg");
  const copy = markGenerated(await cropTo(bytes, size), sourceTypeOf(bytes));
  await storage.put(key, { bytes: copy, contentType: "image/jpeg" });
  return key;
}

/** The size to cut to; null when the file can be sent as it is. */
function instagramSize(
  picture: Picture,
  format: PublishAttempt["format"],
  first: number | null,
): Size | null {
  const ratio = picture.width / picture.height;
  const wanted = format === "story" ? INSTAGRAM.story : first ?? withinFeed(ratio);
  const width = Math.min(INSTAGRAM.maxWidth, Math.max(INSTAGRAM.minWidth, picture.width));
  const fits = picture.type === "jpeg" && picture.bytes.length <= INSTAGRAM.maxBytes &&
    picture.width >= INSTAGRAM.minWidth && Math.abs(ratio / wanted - 1) <= TOLERANCE &&
    (format === "story" || withinFeed(ratio) === ratio);
  if (fits) return null;
  // Rounded so that the ratio never leaves the allowed range.
  const height = wanted < 1 ? Math.floor(width / wanted) : Math.ceil(width / wanted);
  return { width, height };
}

function withinFeed(ratio: number): number {
  return Math.min(INSTAGRAM.feed.widest, Math.max(INSTAGRAM.feed.narrowest, ratio));
}

function linkedInSize({ width, height, type }: Picture): Size | null {
  const shrink = Math.min(1, Math.sqrt(LINKEDIN_MAX_PIXELS / (width * height)));
  if (shrink === 1 && (type === "jpeg" || type === "png")) return null;
  return { width: Math.floor(width * shrink), height: Math.floor(height * shrink) };
}
