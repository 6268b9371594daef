/**
 * What a file's own structure says before a decoder sees it: flavours that browsers and platforms
 * can't show, and text that would swell in memory.
 */
import { inflateSync } from "node:zlib";
import type { FileType } from "../storage/storage.ts";
import { latin } from "./sniff.ts";

/** Sniffers look this far; markup found there makes a file two things at once. */
const SNIFFED_BYTES = 1_024;
const MARKUP = /<(svg|html|script|!doctype)/i;
/** Start-of-frame markers of baseline, extended and progressive JPEG: all that browsers show. */
const SHOWN_FRAMES = [0xc0, 0xc1, 0xc2];
/** What a PNG's texts and colour profile may unpack to, all together; more is a bomb. */
const MAX_UNPACKED_BYTES = 4 * 1024 * 1024;
/** Chunks or segments before the picture: reading them blocks every other request. */
const MOST_PARTS = 1_000;
const TOO_MANY_PARTS = "has thousands of parts before its picture";

/** Why a file of this type is refused, or null. */
export function structuralFault(bytes: Uint8Array, type: FileType): string | null {
  if (MARKUP.test(latin(bytes, 0, SNIFFED_BYTES))) return "holds markup, not only a picture";
  if (type === "image/jpeg") return jpegFault(bytes);
  if (type === "image/png") return pngFault(bytes);
  return null;
}

/** Whether a WebP's picture is stored without loss. */
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
 * The colours, 8 bits each, that a PNG of 16 bits is to be brought to before anything else: sharp
 * reads its profile wrongly (colours end up in P3, greys stay as they are). Null for other PNGs.
 */
export function shallowColours(bytes: Uint8Array): "srgb" | "b-w" | null {
  const [depth, colourType] = bytes.subarray(24); // the header is the first chunk of all
  if (depth !== 16) return null;
  return colourType === 0 || colourType === 4 ? "b-w" : "srgb";
}

function jpegFault(bytes: Uint8Array): string | null {
  const view = viewOf(bytes);
  let [parts, indexed] = [0, false];
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null; // the decoder's to judge
    const marker = bytes[at + 1]!;
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
        return "is a multi-picture (MPO) file; save its picture as a standard JPEG";
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
 * type 2). Gain maps and previews are listed there too, and harmless. A file has one index with one
 * list: more of them could name the same bytes over and over.
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
    if (!(error instanceof RangeError)) throw error; // an index cut short lists nothing more
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
    if (left < 0) return "holds text that swells when unpacked";
    at += 12 + length;
  }
  return null;
}

/** The zlib stream inside a chunk that has one. */
function compressedPart(kind: string, data: Uint8Array): Uint8Array | null {
  const keywordEnd = data.indexOf(0);
  if (keywordEnd < 0) return null;
  if (kind === "zTXt" || kind === "iCCP") return data.subarray(keywordEnd + 2);
  if (kind !== "iTXt" || data[keywordEnd + 1] !== 1) return null;
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  const translatedEnd = data.indexOf(0, languageEnd + 1);
  return languageEnd < 0 || translatedEnd < 0 ? null : data.subarray(translatedEnd + 1);
}

/** Bytes that a zlib stream unpacks to: Infinity when more than `most`, `most` where it is broken. */
function unpackedSize(packed: Uint8Array, most: number): number {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, most) }).length;
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") return Infinity;
    return most; // the decoder's to judge; what it unpacked to before it broke is not told
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
