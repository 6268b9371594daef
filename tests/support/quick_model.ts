/** An image model that takes no time to paint, for all tests that are not about painting. */
import { joined } from "../../domain/foundation/bytes.ts";
import { hashOf } from "../../domain/foundation/chance.ts";
import { markGenerated } from "../../domain/media/images/mark.ts";
import type { Size } from "../../domain/media/images/pixels.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import type { ImageModel } from "../../domain/models/model.ts";

const COLOURS = ["#385f71", "#f5a962", "#2d936c", "#d7263d", "#f2e9dc"];

const flat = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** Paints each picture in one colour, in the wanted size. Each prompt and seed gives other bytes. */
export const quickModel: ImageModel = {
  name: "quick",
  atOnce: 2,
  async paint({ prompt, seed, size, signal }) {
    signal.throwIfAborted();
    const hash = hashOf(`${seed}\n${prompt}`);
    const background = COLOURS[hash % COLOURS.length]!;
    const kind = `${background} ${size.width} ${size.height}`;
    let picture = flat.get(kind);
    if (picture === undefined) flat.set(kind, picture = draw(background, size));
    const bytes = withComment(await picture, String(hash));
    return { bytes, contentType: "image/jpeg", exact: true };
  },
};

async function draw(background: string, size: Size): Promise<Uint8Array<ArrayBuffer>> {
  const sharp = await loadSharp();
  const image = sharp({ create: { ...size, channels: 3, background } });
  return markGenerated(await image.jpeg().toBuffer(), "algorithmicMedia");
}

/** The JPEG with a comment right after its first segment, which must stay the first one (JFIF). */
function withComment(jpeg: Uint8Array, comment: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(comment);
  const head = 4 + new DataView(jpeg.buffer, jpeg.byteOffset).getUint16(4);
  const marker = new Uint8Array([0xff, 0xfe, 0, text.length + 2]);
  return joined([jpeg.subarray(0, head), marker, text, jpeg.subarray(head)]);
}
