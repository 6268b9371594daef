/** The locked loaders: file types that libvips could decode but must not. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { picture } from "../support/pictures.ts";

const FORMATS = ["jpeg", "png", "webp"] as const;

Deno.test("only JPEG, PNG and WebP in memory are decoded", async () => {
  const sharp = await loadSharp();
  const source = await picture("png");
  for (const format of FORMATS) {
    assertEquals((await sharp(await picture(format)).metadata()).format, format);
  }
  const encoder = new TextEncoder();
  const others: Record<string, Uint8Array> = {
    gif: await sharp(source).gif().toBuffer(),
    tiff: await sharp(source).tiff().toBuffer(),
    avif: await sharp(source).avif().toBuffer(),
    svg: encoder.encode(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
    ),
    pdf: encoder.encode("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>"),
    ppm: encoder.encode("P3 1 1 255 9 9 9\n"),
  };
  const refused = async (input: Uint8Array | string) =>
    await sharp(input).raw().toBuffer().then(() => "decoded", (error) => error.message);
  for (const [format, bytes] of Object.entries(others)) {
    assertStringIncludes(await refused(bytes), "unsupported image format", format);
  }
  const path = await Deno.makeTempFile({ suffix: ".png" });
  await Deno.writeFile(path, source);
  assertStringIncludes(await refused(path), "unsupported image format");
  await Deno.remove(path);
});

Deno.test("locking the loaders on one thread never refuses a good image on another", async () => {
  const sharp = await loadSharp();
  const pictures = await Promise.all(FORMATS.map((format) => picture(format)));
  const address = new URL("../support/locking_worker.ts", import.meta.url);
  const thread = new Worker(address, { type: "module" });
  try {
    await new Promise((begun) => thread.onmessage = begun);
    for (let round = 0; round < 300; round++) {
      for (const bytes of pictures) await sharp(bytes).metadata();
    }
  } finally {
    thread.terminate();
  }
});
