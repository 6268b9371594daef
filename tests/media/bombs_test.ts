/** Image files that are made to cost time or memory, built here byte by byte. */
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ingestImage } from "../../domain/media/images/ingest.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { peakOfIngesting, picture, refusal } from "../support/pictures.ts";

/** A good PNG with more chunks right after its header. */
async function pngWith(kind: string, data: Uint8Array, times: number): Promise<Uint8Array> {
  const png = await picture("png");
  const [chunk, view] = [new Uint8Array(data.length + 12), new DataView(new ArrayBuffer(8))];
  chunk.set(new TextEncoder().encode(kind), 4);
  chunk.set(data, 8);
  view.setUint32(0, data.length);
  view.setUint32(4, crc32(chunk.subarray(4, -4)));
  chunk.set(new Uint8Array(view.buffer, 0, 4));
  chunk.set(new Uint8Array(view.buffer, 4), data.length + 8);
  return Buffer.concat([png.subarray(0, 33), ...Array(times).fill(chunk), png.subarray(33)]);
}

Deno.test("a PNG's compressed texts may unpack to 4 MiB in all", async () => {
  const zeros = (size: number) => deflateSync(new Uint8Array(size));
  const zTXt = (stream: Uint8Array) => Buffer.concat([Buffer.from("Comment\0\0"), stream]);
  const iTXt = (stream: Uint8Array) => Buffer.concat([Buffer.from("Comment\0\x01\0\0\0"), stream]);
  const part = zeros(512 * 1024);
  for (const [kind, pack] of [["zTXt", zTXt], ["iTXt", iTXt]] as const) {
    assertEquals((await ingestImage(await pngWith(kind, pack(part), 8))).width, 64);
    assertStringIncludes(
      await refusal(await pngWith(kind, pack(part), 9)),
      "too large when unpacked",
    );
    assertStringIncludes(
      await refusal(await pngWith(kind, pack(zeros(5e6)), 1)),
      "too large when unpacked",
    );
  }
  const broken = part.subarray(0, -1);
  assertStringIncludes(
    await refusal(await pngWith("zTXt", zTXt(broken), 9)),
    "too large when unpacked",
  );
});

Deno.test("a file with thousands of parts before its image data is refused", async () => {
  const png = await pngWith("tEXt", new TextEncoder().encode("k\0v"), 2_000);
  const jpeg = await picture("jpeg");
  const comments = Array(2_000).fill(Buffer.from([0xff, 0xfe, 0, 3, 0]));
  const parts = Buffer.concat([jpeg.subarray(0, 2), ...comments, jpeg.subarray(2)]);
  for (const file of [png, parts]) assertStringIncludes(await refusal(file), "thousands of parts");
});

Deno.test("only the first list of a JPEG's first multi-picture index is read", async () => {
  const jpeg = await picture("jpeg");
  const index = (...types: number[]) => {
    const bytes = new Uint8Array(14 + 28 * types.length);
    const view = new DataView(bytes.buffer);
    bytes.set(new TextEncoder().encode("MM"));
    view.setUint32(4, 8);
    view.setUint16(8, types.length);
    types.forEach((type, at) => {
      const list = 14 + 12 * types.length + 16 * at;
      view.setUint16(10 + 12 * at, 0xb002);
      view.setUint32(14 + 12 * at, 16);
      view.setUint32(18 + 12 * at, list);
      view.setUint32(list, type);
    });
    const head = [0xff, 0xe2, 0, bytes.length + 6, ...new TextEncoder().encode("MPF\0")];
    return Buffer.concat([new Uint8Array(head), bytes]);
  };
  const [preview, panorama] = [0x010001, 0x020001];
  const fileWith = (...indexes: Uint8Array[]) =>
    Buffer.concat([jpeg.subarray(0, 2), ...indexes, jpeg.subarray(2)]);
  assertStringIncludes(await refusal(fileWith(index(panorama))), "multi-picture");
  for (
    const file of [fileWith(index(preview, panorama)), fileWith(index(preview), index(panorama))]
  ) {
    assertEquals((await ingestImage(file)).width, 64);
  }
});

Deno.test({
  name: "a JPEG of 50 megapixels takes no more memory than its pixels, rotated or not",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const sharp = await loadSharp();
    const dir = await Deno.makeTempDir();
    try {
      const files = [1, 6].map((orientation) => ({
        orientation,
        path: `${dir}/${orientation}.jpg`,
      }));
      for (const { orientation, path } of files) {
        await sharp({ create: { width: 10_000, height: 5_000, channels: 3, background: "#889" } })
          .withMetadata({ orientation }).jpeg({ optimizeCoding: false }).toFile(path);
      }
      const grownMb = await peakOfIngesting(files.map(({ path }) => new URL(`file://${path}`)));
      assert(grownMb < 250, `the peak grew by ${grownMb} MB`);
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  },
});
