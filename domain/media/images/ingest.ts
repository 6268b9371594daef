/** Checks and cleans all image bytes from outside: type, limits, decoding, orientation, metadata. */
import type { Sharp } from "sharp";
import { SECOND } from "../../foundation/calendar.ts";
import { ServiceError } from "../../foundation/errors.ts";
import type { FileType } from "./types.ts";
import { loadSharp } from "./sharp.ts";
import { sniffType } from "./sniff.ts";
import { isLosslessWebp, shallowColours, structuralFault } from "./structure.ts";

/** 10 MB (spec 2.7, DECISIONS "Assets"). */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** 50 megapixels (DECISIONS "images in"). */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Decoding stops after this time. No ordinary image takes as long. */
const LONGEST_MS = 30 * SECOND;

export interface IngestedImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: FileType;
  /** Pixels of the upright image. */
  width: number;
  height: number;
}

/**
 * Makes a clean file of an image's bytes.
 * @throws ServiceError `validationError` in words for the uploader
 */
export async function ingestImage(bytes: Uint8Array): Promise<IngestedImage> {
  return await (await openImage(bytes)).clean();
}

/** An image whose header was read, and whose structure may be decoded. */
export interface OpenedImage {
  /** By its header; 0 if a decoder can't read that. */
  pixels: number;
  /**
   * Makes a clean file of the same type: the first frame, upright, in sRGB, without EXIF, XMP,
   * thumbnails or bytes after the image.
   * @throws ServiceError `validationError` in words for the uploader
   */
  clean(): Promise<IngestedImage>;
}

/** @throws ServiceError `validationError` in words for the uploader */
export async function openImage(bytes: Uint8Array): Promise<OpenedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) throw refused("is larger than 10 MB");
  const type = sniffType(bytes);
  if (type === null) throw refused("is not a JPEG, PNG or WebP");
  const fault = structuralFault(bytes, type);
  if (fault !== null) throw refused(fault);
  const sharp = await loadSharp();
  const header = await sharp(bytes).metadata().catch(() => null);
  return {
    pixels: header === null ? 0 : header.width * header.height,
    clean: () => clean(bytes, type),
  };
}

async function clean(bytes: Uint8Array, type: FileType): Promise<IngestedImage> {
  const sharp = await loadSharp();
  // Cameras write harmless oddities, of which libjpeg warns. Data that is cut or wrong still fails.
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

/** Encodes the image again, which decodes all of it and so finds truncated or broken data. */
function encoded(image: Sharp, type: FileType, bytes: Uint8Array): Sharp {
  switch (type) {
    case "image/jpeg":
      // Optimal codes would need a second pass, for which libjpeg keeps the whole image in memory.
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
