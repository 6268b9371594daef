/** Pictures of made-up posts: small PNGs, drawn from the seed in their address. */
import { crc32, deflateSync } from "node:zlib";
import { Hono } from "hono";
import { joined } from "../../domain/foundation/bytes.ts";
import type { AppEnv } from "../request.ts";

const NAME = /^([0-9a-f]{8})-([1-9]\d{1,2})x([1-9]\d{1,2})\.png$/;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PALETTE_SIZE = 16;

/** `GET /sandbox/media/pictures/{seed}-{width}x{height}.png` */
export function pictureRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/sandbox/media/pictures/:name", (c) => {
    const match = NAME.exec(c.req.param("name"));
    if (match === null) return c.notFound();
    const [, seed = "", width, height] = match;
    return new Response(drawPicture(parseInt(seed, 16), Number(width), Number(height)), {
      headers: {
        "content-type": "image/png",
        "cache-control": "public, max-age=31536000, immutable",
      },
    });
  });
  return app;
}

/** Slanted bands of neighbouring colours. */
function drawPicture(seed: number, width: number, height: number): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array(height * (width + 1));
  const slant = (seed & 7) - 3;
  const band = 24 + (seed >>> 8 & 63);
  for (let y = 0; y < height; y++) {
    const start = y * (width + 1) + 1;
    for (let x = 0; x < width; x++) {
      rows[start + x] = Math.abs(Math.floor((y + x * slant / 4) / band)) % PALETTE_SIZE;
    }
  }
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8); // bits a pixel
  header.setUint8(9, 3); // palette
  return joined([
    new Uint8Array(SIGNATURE),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("PLTE", palette(seed)),
    chunk("IDAT", new Uint8Array(deflateSync(rows, { level: 1 }))),
    chunk("IEND", new Uint8Array()),
  ]);
}

function palette(seed: number): Uint8Array {
  const colours = new Uint8Array(PALETTE_SIZE * 3);
  for (let at = 0; at < PALETTE_SIZE; at++) {
    for (let part = 0; part < 3; part++) {
      const base = 60 + (seed >>> (part * 8) & 127);
      colours[at * 3 + part] = Math.min(255, base + at * (part + 2));
    }
  }
  return colours;
}

function chunk(kind: string, data: Uint8Array): Uint8Array {
  const body = joined([new TextEncoder().encode(kind), data]);
  const ends = new DataView(new ArrayBuffer(8));
  ends.setUint32(0, data.length);
  ends.setUint32(4, crc32(body));
  return joined([new Uint8Array(ends.buffer, 0, 4), body, new Uint8Array(ends.buffer, 4, 4)]);
}
