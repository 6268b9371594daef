/** Image bytes on their way in, and cropping. */
import { crc32 } from "node:zlib";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { cropTo } from "../../domain/media/images/crop.ts";
import { ingestImage, MAX_IMAGE_BYTES } from "../../domain/media/images/ingest.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import {
  haveShared,
  needsShared,
  peakOfIngesting,
  picture,
  refusal,
  sharedFile,
  sharedUrl,
} from "../support/pictures.ts";

interface Sample {
  path: string;
  cls: string;
  format: string;
  width: number;
  height: number;
  orientation: number | null;
}

const samples: Sample[] = haveShared
  ? JSON.parse(new TextDecoder().decode(await sharedFile("images/MANIFEST.json")))
  : [];

function sampleTest(name: string, classes: RegExp, run: (sample: Sample) => Promise<void>): void {
  const chosen = samples.filter(({ cls }) => classes.test(cls));
  Deno.test({
    name: name + needsShared,
    ignore: !haveShared,
    async fn(t) {
      assert(chosen.length > 0);
      for (const sample of chosen) await t.step(sample.path, () => run(sample));
    },
  });
}

async function metadata(bytes: Uint8Array) {
  return await (await loadSharp())(bytes).metadata();
}

/** The picture in 8 by 8 greys: alike pictures have alike thumbnails. */
async function thumbnail(bytes: Uint8Array): Promise<number[]> {
  const sharp = await loadSharp();
  return [
    ...await sharp(bytes).resize(8, 8, { fit: "fill" }).greyscale().raw().toBuffer(),
  ];
}

sampleTest(
  "a good file is accepted with the dimensions a person sees",
  /^valid/,
  async (sample) => {
    const image = await ingestImage(await sharedFile(`images/${sample.path}`));
    const turned = (sample.orientation ?? 1) >= 5;
    const seen = turned ? [sample.height, sample.width] : [sample.width, sample.height];
    assertEquals([image.width, image.height], seen);
    assertEquals(image.contentType, `image/${sample.format.toLowerCase()}`);
    const { width, height, orientation, exif, icc, xmp, pages, space } = await metadata(
      image.bytes,
    );
    assertEquals([width, height, pages ?? 1], [...seen, 1]);
    assertEquals({ orientation, exif, icc, xmp, space }, {
      orientation: undefined,
      exif: undefined,
      icc: undefined,
      xmp: undefined,
      space: "srgb",
    });
  },
);

Deno.test({
  name: "photos that differ only by their EXIF orientation look the same" + needsShared,
  ignore: !haveShared,
  async fn() {
    for (const group of ["Landscape", "Portrait"]) {
      const paths = samples.map(({ path }) => path).filter((path) => path.includes(`__${group}_`));
      assert(paths.length >= 3);
      const seen = await Promise.all(paths.map(async (path) => {
        return await thumbnail((await ingestImage(await sharedFile(`images/${path}`))).bytes);
      }));
      for (const other of seen) {
        const apart = other.reduce((sum, grey, at) => sum + Math.abs(grey - seen[0]![at]!), 0) / 64;
        assert(apart < 12, `${group}: ${apart} greys apart`);
      }
    }
  },
});

sampleTest("a bomb or a type that is not allowed is refused", /^(bomb|disallowed)$/, async (s) => {
  assertStringIncludes(await refusal(await sharedFile(`images/${s.path}`)), "Accepted are JPEG");
});

sampleTest(
  "a broken file is refused in words or accepted, and the next one works",
  /^broken$/,
  async (
    { path },
  ) => {
    try {
      await ingestImage(await sharedFile(`images/${path}`));
    } catch (error) {
      assert(error instanceof ServiceError && error.code === "validationError", String(error));
    }
    assertEquals((await ingestImage(await picture())).width, 64);
  },
);

Deno.test({
  name: "decompression bombs are refused before they take memory" + needsShared,
  ignore: !haveShared || Deno.build.os !== "linux",
  async fn() {
    const bombs = samples.filter(({ cls }) => cls === "bomb").map(({ path }) => path);
    const grownMb = await peakOfIngesting(bombs.map((path) => sharedUrl(`images/${path}`)));
    assert(grownMb < 32, `the peak grew by ${grownMb} MB`);
  },
});

Deno.test("a file that is not JPEG, PNG or WebP, is empty or above 10 MB is refused", async () => {
  assertStringIncludes(await refusal(new Uint8Array()), "not a JPEG, PNG or WebP");
  assertStringIncludes(await refusal(new TextEncoder().encode("<svg/>")), "not a JPEG");
  assertStringIncludes(await refusal(new Uint8Array(MAX_IMAGE_BYTES + 1)), "larger than 10 MB");
});

Deno.test("an image above 50 megapixels is refused by its header alone", async () => {
  const png = await picture("png");
  const header = new DataView(png.buffer);
  header.setUint32(16, 10_000);
  header.setUint32(20, 5_001);
  header.setUint32(29, crc32(png.subarray(12, 29)));
  assertStringIncludes(await refusal(png), "50 megapixels");
});

Deno.test("a truncated file of any type is refused", async () => {
  for (const format of ["jpeg", "png", "webp"] as const) {
    const whole = await picture(format);
    assertStringIncludes(await refusal(whole.subarray(0, whole.length / 2)), "cut short");
  }
});

Deno.test("a photo's place and time, and bytes after the image, are removed", async () => {
  const sharp = await loadSharp();
  const photo = await sharp(await picture())
    .withExif({ IFD0: { Copyright: "SECRET-OWNER" }, IFD3: { GPSLatitudeRef: "N" } })
    .jpeg().toBuffer();
  const image = await ingestImage(
    new Uint8Array([...photo, ...new TextEncoder().encode("SECRET-TAIL")]),
  );
  const text = new TextDecoder("latin1").decode(image.bytes);
  assert(!text.includes("SECRET"));
  assertEquals((await metadata(image.bytes)).exif, undefined);
});

Deno.test("an animation is reduced to its first frame", async () => {
  const sharp = await loadSharp();
  const frame = (background: string) =>
    sharp({ create: { width: 20, height: 30, channels: 3, background } }).png().toBuffer();
  const animation = await sharp([await frame("red"), await frame("blue")], {
    join: { animated: true },
  }).webp({ lossless: true }).toBuffer();
  assertEquals((await metadata(animation)).pages, 2);
  const image = await ingestImage(animation);
  assertEquals([image.width, image.height], [20, 30]);
  const [red, , blue] = await sharp(image.bytes).raw().toBuffer();
  assert(red! > 250 && blue! < 5);
});

Deno.test("colours outside sRGB are converted, not just relabelled", async () => {
  const sharp = await loadSharp();
  const wide = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#c81e1e" } })
    .withIccProfile("p3").png().toBuffer();
  const stored = await sharp(wide, { ignoreIcc: true }).raw().toBuffer();
  const image = await ingestImage(wide);
  const shown = await sharp(image.bytes).raw().toBuffer();
  assert(Math.abs(shown[0]! - 0xc8) <= 2, `red is ${shown[0]}, was stored as ${stored[0]}`);
  assert(stored[0]! !== shown[0]!, "the profile changes the stored numbers");
  const print = await sharp(wide).toColourspace("cmyk").jpeg().toBuffer();
  assertEquals((await metadata((await ingestImage(print)).bytes)).space, "srgb");
});

Deno.test("16 bits with a profile look like 8 bits with the same profile", async () => {
  const sharp = await loadSharp();
  for (const profile of ["srgb", "p3"]) {
    const image = sharp({
      create: { width: 8, height: 8, channels: 3, background: "#c81e1e" },
    });
    const deep = await image.toColourspace("rgb16").withIccProfile(profile).png().toBuffer();
    const { depth, icc } = await metadata(deep);
    assert(depth === "ushort" && icc !== undefined);
    const shown = await sharp((await ingestImage(deep)).bytes).raw().toBuffer();
    const off = [0xc8, 0x1e, 0x1e].map((value, at) => Math.abs(shown[at]! - value));
    assert(Math.max(...off) <= 2, `${profile}: ${[...shown.subarray(0, 3)]}`);
  }
});

Deno.test("transparency survives, and a lossless WebP stays exact", async () => {
  const sharp = await loadSharp();
  const create = {
    width: 16,
    height: 16,
    channels: 4,
    background: { r: 9, g: 99, b: 200, alpha: 0.5 },
  };
  for (const format of ["png", "webp"] as const) {
    const source = await sharp({ create: { ...create, channels: 4 } })
      .toFormat(format, { lossless: true }).toBuffer();
    const image = await ingestImage(source);
    assertEquals(
      await sharp(image.bytes).raw().toBuffer(),
      await sharp(source).raw().toBuffer(),
    );
  }
});

Deno.test("a crop has exactly the wanted size, is not stretched, and keeps what draws the eye", async () => {
  const sharp = await loadSharp();
  const square = await sharp({ create: { width: 80, height: 80, channels: 3, background: "red" } })
    .png().toBuffer();
  const wide = await sharp({ create: { width: 900, height: 300, channels: 3, background: "#889" } })
    .composite([{ input: square, left: 40, top: 110 }]).png().toBuffer();
  const crop = await cropTo(wide, { width: 300, height: 300 });
  const { data, info } = await sharp(crop).raw().toBuffer({ resolveWithObject: true });
  assertEquals([info.width, info.height, (await metadata(crop)).format], [300, 300, "jpeg"]);
  const redAt = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels;
    return data[at]! > 200 && data[at + 1]! < 80;
  };
  const columns = [...Array(300).keys()].filter((x) => redAt(x, 150)).length;
  const middle = [...Array(300).keys()].filter((x) => redAt(x, 150))[0]! + 40;
  const rows = [...Array(300).keys()].filter((y) => redAt(middle, y)).length;
  assert(Math.abs(columns - 80) <= 2 && Math.abs(rows - 80) <= 2, `${columns} by ${rows}`);
});

Deno.test("only the middle of an image far longer than the crop is used", async () => {
  const sharp = await loadSharp();
  const strip = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#889" } });
  const red = await sharp({ create: { width: 10, height: 10, channels: 3, background: "red" } })
    .png().toBuffer();
  for (const [width, height] of [[10, 2_000], [2_000, 10]] as const) {
    const long = await strip(width, height).composite([{ input: red, left: 0, top: 0 }]).png()
      .toBuffer();
    const { dominant } = await sharp(await cropTo(long, { width: 100, height: 100 })).stats();
    assert(dominant.r < 160 && dominant.b > 120, `cut where it is ${JSON.stringify(dominant)}`);
  }
  // Scaled whole, this line would be 1,080 by 5,400,000 pixels.
  const line = await cropTo(await strip(1, 5_000).png().toBuffer(), {
    width: 1_080,
    height: 1_350,
  });
  const { width, height } = await metadata(line);
  assertEquals([width, height], [1_080, 1_350]);
});
