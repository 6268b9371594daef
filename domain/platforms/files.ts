/** The files a platform takes: type, size and ratio (PLATFORMS A.6, B.5). */
import { HOUR } from "../calendar.ts";
import { cropTo } from "../images/crop.ts";
import { markGenerated, sourceTypeOf } from "../images/mark.ts";
import type { Size } from "../images/pixels.ts";
import { loadSharp } from "../images/sharp.ts";
import { type Commit, transact } from "../kv.ts";
import type { Platform } from "../posts/shape.ts";
import type { Service } from "../service.ts";
import { keepFiles, reserveFiles } from "../storage/reservations.ts";
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
/** What copies are. */
const TYPE = "image/jpeg";
/** Nobody is at work on copies this long. */
const RESERVED_MS = HOUR;

interface Picture extends Size {
  bytes: Uint8Array;
  type: string;
}

/** A copy to be made of an image. */
interface Copy {
  key: string;
  bytes: Uint8Array;
  size: Size;
}

/** Files that lie in storage; the copies among them are owned by nobody until `keep`. */
export interface Prepared {
  keys: string[];
  keep(commit: Commit): Promise<void>;
}

/** Files that the platform takes: the images as they are where they fit, else copies. */
export async function prepareFiles(
  service: Service,
  platform: Platform,
  { brandId, format, images }: Pick<PublishAttempt, "brandId" | "format" | "images">,
): Promise<Prepared> {
  const keys: string[] = [];
  const copies: Copy[] = [];
  let ratio: number | null = null;
  for (const { key } of images) {
    const stored = await service.storage.get(key);
    if (stored === null) {
      throw new PlatformError("badRequest", "An image of the post is no longer stored.");
    }
    const picture = await look(stored.bytes);
    const size: Size | null = platform === "instagram"
      ? instagramSize(picture, format, ratio)
      : linkedInSize(picture);
    if (size === null) keys.push(key);
    else {
      const copy = { key: newFileKey("media", TYPE), bytes: stored.bytes, size };
      copies.push(copy);
      keys.push(copy.key);
    }
    // Instagram cuts all of a carousel to its first image: better we do, with an eye for the picture.
    const shown: Size = size ?? picture;
    ratio ??= shown.width / shown.height;
  }
  return { keys, keep: await storeCopies(service, brandId, copies) };
}

/** Reserves the copies before they are written. Answers how they are kept. */
async function storeCopies(
  service: Service,
  brandId: string,
  copies: Copy[],
): Promise<Prepared["keep"]> {
  if (copies.length === 0) return () => Promise.resolve();
  const keys = copies.map(({ key }) => key);
  const sweepAt = service.now() + RESERVED_MS;
  const reservation = await transact(
    service.kv,
    (commit) => reserveFiles(service, commit, { brandId, keys, sweepAt }),
  );
  for (const { key, bytes, size } of copies) {
    const copy = markGenerated(await cropTo(bytes, size), sourceTypeOf(bytes));
    await service.storage.put(key, { bytes: copy, contentType: TYPE });
  }
  return (commit) => keepFiles(commit, brandId, reservation, keys);
}

async function look(bytes: Uint8Array): Promise<Picture> {
  const sharp = await loadSharp();
  const { width, height, format } = await sharp(bytes).metadata();
  return { bytes, width, height, type: format };
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
