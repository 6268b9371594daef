/** The one way in for image bytes: sniff, limits, decode, upright, without metadata. */
import type { Sharp } from "sharp";
import { SECOND } from "../calendar.ts";
import { ServiceError } from "../errors.ts";
import { type FileType } from "../storage/storage.ts";
import { takingTurns } from "../turns.ts";
import { loadSharp } from "./sharp.ts";
import { sniffType } from "./sniff.ts";
import { isLosslessWebp, shallowColours, structuralFault } from "./structure.ts";

/** 10 MB (spec 2.7, DECISIONS "Assets"). */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** 50 megapixels (DECISIONS "images in"). */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Nothing that honest takes this long to decode. */
const LONGEST_MS = 30 * SECOND;
/** Decoders at work at once: each may hold a whole picture, 200 MB at the limit. */
const inTurn = takingTurns(2);

export interface IngestedImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: FileType;
  /** Pixels of the upright image. */
  width: number;
  height: number;
}

/**
 * Bytes from outside → a clean file of the same type: the first frame, upright, sRGB, without EXIF,
 * XMP, thumbnails or anything that trails the picture.
 * @throws ServiceError `validationError` in words for the uploader
 */
export async function ingestImage(bytes: Uint8Array): Promise<IngestedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) throw refused("is larger than 10 MB");
  const type = sniffType(bytes);
  if (type === null) throw refused("is not a JPEG, PNG or WebP");
  const fault = structuralFault(bytes, type);
  if (fault !== null) throw refused(fault);
  return await inTurn(() => clean(bytes, type));
}

async function clean(bytes: Uint8Array, type: FileType): Promise<IngestedImage> {
  const sharp = await loadSharp();
  // Cameras write harmless oddities that libjpeg warns of; data that is cut or wrong still fails.
  const options = {
    limitInputPixels: MAX_IMAGE_PIXELS,
    autoOrient: true,
    failOn: "error",
  } as const;
  try {
    const image = sharp(bytes, options)
      .timeout({ seconds: LONGEST_MS / SECOND });
    const { data, info } = await encoded(image, type, bytes).toBuffer({ resolveWithObject: true });
    return {
      bytes: new Uint8Array(data),
      contentType: type,
      width: info.width,
      height: info.height,
    };
  } catch (error) {
    throw refused(faultOf(error), error);
  }
}

/** A whole decode, so that truncated or broken data comes to light here. */
function encoded(image: Sharp, type: FileType, bytes: Uint8Array): Sharp {
  switch (type) {
    case "image/jpeg":
      // Best codes come of a second look, for which libjpeg holds all of the picture's numbers.
      return image.jpeg({ quality: 92, chromaSubsampling: "4:4:4", optimizeCoding: false });
    case "image/png": {
      const shallow = shallowColours(bytes);
      return (shallow === null ? image : image.pipelineColourspace(shallow)).png();
    }
    case "image/webp":
      return image.webp(isLosslessWebp(bytes) ? { lossless: true, effort: 0 } : { quality: 92 });
  }
}

function faultOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/pixel limit/i.test(message)) return "has more than 50 megapixels";
  if (/timeout/i.test(message)) return "takes too long to decode";
  return "is broken or cut short";
}

function refused(reason: string, cause?: unknown): ServiceError {
  return new ServiceError(
    "validationError",
    `The file ${reason}. Accepted are JPEG, PNG and WebP up to 10 MB and 50 megapixels.`,
    { cause },
  );
}
