/**
 * Checks a file's structure before a decoder reads it: kinds of JPEG that browsers and platforms
 * can't show, and compressed text that would fill the memory.
 */
import { inflateSync } from "node:zlib";
import type { FileType } from "./types.ts";
import { latin } from "./sniff.ts";

/** Browsers sniff this far. Markup there would make the file a page as well as an image. */
const SNIFFED_BYTES = 1_024;
const MARKUP = /<(svg|html|script|!doctype)/i;
/** Start-of-frame markers of baseline, extended and progressive JPEG, which all browsers show. */
const SHOWN_FRAMES = [0xc0, 0xc1, 0xc2];
/** The most that a PNG's texts and colour profile may unpack to, all together. */
const MAX_UNPACKED_BYTES = 4 * 1024 * 1024;
/** Chunks or segments before the image data. Bounded, because reading them blocks other requests. */
const MOST_PARTS = 1_000;
const TOO_MANY_PARTS = "has thousands of parts before its image data";

/** The reason to refuse a file of this type, or null. */
export function structuralFault(bytes: Uint8Array, type: FileType): string | null {
  if (MARKUP.test(latin(bytes, 0, SNIFFED_BYTES))) return "contains markup, not only an image";
  if (type === "image/jpeg") return jpegFault(bytes);
  if (type === "image/png") return pngFault(bytes);
  return null;
}

/** Whether a WebP is lossless. */
export function isLosslessWebp(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  for (let at = 12, parts = 0; at + 8 <= bytes.length && parts < MOST_PARTS; parts++) {
    const chunk = latin(bytes, at, at + 4);
    if (chunk === "VP8L") return true;
    if (chunk === "VP8 " || chunk === "ANMF") return false;
    at += 8 + view.getUint32(at + 4, true) + view.getUint32(at + 4, true) % 2;
  }
  return false;
}

/**
 * The 8-bit colours to which a 16-bit PNG must be converted first, because sharp reads its profile
 * wrongly: colours end up in P3, and greys are not converted. Null for other PNGs.
 */
export function shallowColours(bytes: Uint8Array): "srgb" | "b-w" | null {
  const [depth, colourType] = bytes.subarray(24); // the header is always the first chunk
  if (depth !== 16) return null;
  return colourType === 0 || colourType === 4 ? "b-w" : "srgb";
}

function jpegFault(bytes: Uint8Array): string | null {
  const view = viewOf(bytes);
  let [parts, indexed] = [0, false];
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null; // the decoder decides
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (isFrame(marker)) {
      return SHOWN_FRAMES.includes(marker)
        ? null
        : "is a lossless or arithmetic JPEG, which browsers cannot show; save it as a standard JPEG";
    }
    if (marker === 0xda || marker === 0xd9) return null;
    if (++parts > MOST_PARTS) return TOO_MANY_PARTS;
    if (!indexed && marker === 0xe2 && latin(bytes, at + 4, at + 8) === "MPF\0") {
      indexed = true;
      if (hasSeveralViews(bytes, at + 8)) {
        return "is a multi-picture (MPO) file; save its image as a standard JPEG";
      }
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/**
 * Whether a Multi-Picture Format index lists panorama, stereo or multi-angle views (CIPA DC-007,
 * type 2). It also lists gain maps and previews, which are harmless. Only the first index and its
 * first list are read, because more of them could name the same bytes over and over.
 */
function hasSeveralViews(bytes: Uint8Array, start: number): boolean {
  const view = viewOf(bytes.subarray(start));
  const little = latin(bytes, start, start + 2) === "II";
  try {
    const directory = view.getUint32(4, little);
    const count = view.getUint16(directory, little);
    for (let at = directory + 2; at < directory + 2 + 12 * count; at += 12) {
      if (view.getUint16(at, little) !== 0xb002) continue;
      const entries = view.getUint32(at + 8, little);
      for (let entry = entries; entry < entries + view.getUint32(at + 4, little); entry += 16) {
        if ((view.getUint32(entry, little) & 0xff0000) === 0x020000) return true;
      }
      return false;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // the index is cut short
  }
  return false;
}

function pngFault(bytes: Uint8Array): string | null {
  const view = viewOf(bytes);
  let left = MAX_UNPACKED_BYTES;
  for (let at = 8, parts = 0; at + 12 <= bytes.length; parts++) {
    if (parts > MOST_PARTS) return TOO_MANY_PARTS;
    const length = view.getUint32(at);
    const kind = latin(bytes, at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (kind === "IDAT" || kind === "IEND") return null;
    const packed = compressedPart(kind, data);
    if (packed !== null) left -= unpackedSize(packed, left);
    if (left < 0) return "contains compressed text that is too large when unpacked";
    at += 12 + length;
  }
  return null;
}

/** The zlib stream in a chunk, or null if it has none. */
function compressedPart(kind: string, data: Uint8Array): Uint8Array | null {
  const keywordEnd = data.indexOf(0);
  if (keywordEnd < 0) return null;
  if (kind === "zTXt" || kind === "iCCP") return data.subarray(keywordEnd + 2);
  if (kind !== "iTXt" || data[keywordEnd + 1] !== 1) return null;
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  const translatedEnd = data.indexOf(0, languageEnd + 1);
  return languageEnd < 0 || translatedEnd < 0 ? null : data.subarray(translatedEnd + 1);
}

/** The size of an unpacked zlib stream: Infinity if it is more than `most`, `most` if it is broken. */
function unpackedSize(packed: Uint8Array, most: number): number {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, most) }).length;
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") return Infinity;
    return most; // the size before it broke is unknown; the decoder decides
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
