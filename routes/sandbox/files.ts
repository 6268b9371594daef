/** Images that were sent to the sandbox: their sizes, and the platform's stored copies. */
import { createHash } from "node:crypto";
import { Hono } from "hono";
import type { Service } from "../../domain/service/service.ts";
import { FILE_TYPES, type FileType } from "../../domain/media/images/types.ts";
import type { AppEnv } from "../request.ts";

export interface Measured {
  type: "image/jpeg" | "image/png" | "image/gif";
  width: number;
  height: number;
}

/** The type and size that the bytes show; null unless they are a JPEG, PNG or GIF. */
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

/** Reads segments up to the frame header, which holds the size. */
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

/** The type under which a copy is stored. The storage has no GIFs; their bytes tell them again. */
const STORED_AS: Record<Measured["type"], FileType> = {
  "image/jpeg": "image/jpeg",
  "image/png": "image/png",
  "image/gif": "image/png",
};

const keyOf = (name: string): string => `media/sandbox/${name}`;

/** Stores the platform's copy under its hash; returns its path at this service. */
export async function keepCopy(
  { storage }: Service,
  bytes: Uint8Array<ArrayBuffer>,
  type: Measured["type"],
): Promise<string> {
  const contentType = STORED_AS[type];
  const name = `${createHash("sha256").update(bytes).digest("hex")}.${FILE_TYPES[contentType]}`;
  if (await storage.head(keyOf(name)) === null) {
    await storage.put(keyOf(name), { bytes, contentType });
  }
  return `/sandbox/media/files/${name}`;
}

/** `GET /sandbox/media/files/{sha256}.jpg` */
export function fileRoutes({ storage }: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/sandbox/media/files/:name{[0-9a-f]{64}\\.(?:jpg|png)}", async (c) => {
    const file = await storage.get(keyOf(c.req.param("name")));
    if (file === null) return c.notFound();
    const type = measure(file.bytes)?.type ?? file.contentType;
    return new Response(file.bytes, { headers: { "content-type": type } });
  });
  return app;
}
