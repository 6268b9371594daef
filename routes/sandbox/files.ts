/** Images that were sent to the sandbox: their measures by the bytes, and a copy in the storage. */
import { createHash } from "node:crypto";
import type { Service } from "../../domain/service.ts";

export interface Measured {
  type: "image/jpeg" | "image/png" | "image/gif";
  width: number;
  height: number;
}

/** What the bytes say they are; null for what is no JPEG, PNG or GIF. */
export function measure(bytes: Uint8Array): Measured | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x89504e47) {
      return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
    }
    if (view.getUint32(0) === 0x47494638) {
      return { type: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
    }
    return view.getUint16(0) === 0xffd8 ? measureJpeg(view) : null;
  } catch (error) {
    if (error instanceof RangeError) return null; // cut short
    throw error;
  }
}

/** Walks the segments to the frame header, which holds the size. */
function measureJpeg(view: DataView): Measured | null {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { type: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

const ENDINGS: Record<Measured["type"], string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "png",
};

/** Keeps the platform's own copy, named by its content; answers its public address. */
export async function keepCopy(
  { storage }: Service,
  bytes: Uint8Array<ArrayBuffer>,
  type: Measured["type"],
): Promise<string> {
  const name = createHash("sha256").update(bytes).digest("hex");
  const key = `media/sandbox/${name}.${ENDINGS[type]}`;
  if (await storage.head(key) === null) await storage.put(key, { bytes, contentType: type });
  return await storage.url(key);
}
