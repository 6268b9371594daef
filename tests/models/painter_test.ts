/** The painter: sizes, repeatability, colours and light from words, references, marks, cancelling. */
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { type AspectRatio, SIZES } from "../../domain/media/images/aspect.ts";
import { type Rgb, toOklch } from "../../domain/media/images/colour.ts";
import { sourceTypeOf } from "../../domain/media/images/mark.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import type { ImageRequest, Reference } from "../../domain/models/model.ts";
import { painter } from "../../domain/models/painter/painter.ts";
import { readBrief } from "../../domain/models/painter/painting/words.ts";

const RATIOS = Object.keys(SIZES) as AspectRatio[];

/** The painter measures in shares of the short side, so a small picture shows the same. */
const SMALL = { width: 270, height: 270 };

const PROMPTS = {
  horizon: "A misty mountain valley with pine forest at dawn",
  city: "City skyline at night by the river",
  stillLife: "Still life with a vase on a pedestal in the studio",
  botanical: "Spring flowers in the garden",
  tabletop: "Coffee and breakfast on the kitchen table",
  abstract: "Abstract gradient, data and growth",
};

Deno.test("a painting has exactly the size that was asked for, in every ratio and scene", async () => {
  const sharp = await loadSharp();
  for (const [index, prompt] of Object.values(PROMPTS).entries()) {
    const size = SIZES[RATIOS[index % RATIOS.length]!];
    const { bytes, contentType } = await paint({ prompt, size });
    const { format, width, height } = await sharp(bytes).metadata();
    assertEquals({ contentType, format, width, height }, {
      contentType: "image/jpeg",
      format: "jpeg",
      ...size,
    });
  }
});

Deno.test("each kind of subject gets its scene", () => {
  for (const [scene, prompt] of Object.entries(PROMPTS)) {
    assertEquals(readBrief(prompt, "1").scene, scene, prompt);
  }
});

Deno.test("the same prompt and seed paint the same bytes; another of either, another picture", async () => {
  const first = await paint({ prompt: PROMPTS.city, seed: "a" });
  assertEquals(await paint({ prompt: PROMPTS.city, seed: "a" }), first);
  assertNotEquals(await paint({ prompt: PROMPTS.city, seed: "b" }), first);
  assertNotEquals(await paint({ prompt: `${PROMPTS.city}.`, seed: "a" }), first);
});

Deno.test("the colours that a prompt names are the colours of the picture", async () => {
  const hues = { red: 27, orange: 55, green: 145, teal: 190, blue: 258, purple: 305, magenta: 340 };
  for (const [index, [name, hue]] of Object.entries(hues).entries()) {
    const prompt = `${Object.values(PROMPTS)[index % 6]}, in ${name}`;
    const painted = await paint({ prompt });
    const share = await shareOfHue(painted.bytes, hue);
    assert(share > 0.3, `${prompt}: ${share.toFixed(2)} of the colour is ${name}`);
  }
});

Deno.test("the hour that a prompt names sets the light", async () => {
  const light = async (hour: string) => {
    const { bytes } = await paint({ prompt: `Mountain valley, ${hour}` });
    const sharp = await loadSharp();
    const { channels } = await sharp(bytes).stats();
    return channels.reduce((sum, { mean }) => sum + mean, 0) / 3;
  };
  const [night, dusk, day] = [await light("midnight"), await light("dusk"), await light("noon")];
  assert(night < dusk && dusk < day, `${night}, ${dusk}, ${day}`);
});

Deno.test("a painting takes an inspiration's colours and a cast photo's portrait", async () => {
  const green = await reference("inspiration", [20, 160, 60]);
  const prompt = "Abstract gradient, data and growth";
  const plain = await paint({ prompt });
  const inspired = await paint({ prompt, references: [green] });
  const [before, after] = [
    await shareOfHue(plain.bytes, 145),
    await shareOfHue(inspired.bytes, 145),
  ];
  assert(after > before + 0.3, `green: ${before} before, ${after} after`);

  const face = await reference("cast", [255, 0, 200]);
  for (const ratio of RATIOS) {
    const { width, height } = SIZES[ratio];
    const size = { width: width / 4, height: Math.round(height / 4) };
    const { bytes } = await paint({ prompt, size, references: [face] });
    const share = await shareOfColour(bytes, [255, 0, 200]);
    assert(share > 0.08, `${ratio}: the photo fills ${share}`);
  }
});

Deno.test("inspiration of one colour or none leaves no part of an image black", async () => {
  const colours: Rgb[] = [[68, 102, 136], [255, 255, 255], [128, 128, 128], [0, 0, 0]];
  for (const colour of colours) {
    const references = [await reference("inspiration", colour)];
    const { bytes } = await paint({ prompt: PROMPTS.horizon, references });
    const black = await shareOfColour(bytes, [0, 0, 0]);
    assert(black < 0.05, `${colour}: ${black} of the picture is black`);
  }
});

Deno.test("a painting is marked in its bytes as made by an algorithm and not a photograph", async () => {
  const { bytes } = await paint({ prompt: PROMPTS.botanical });
  assertEquals(sourceTypeOf(bytes), "algorithmicMedia");
  const sharp = await loadSharp();
  const { xmpAsString } = await sharp(bytes).metadata();
  assert(xmpAsString?.includes("digitalsourcetype/algorithmicMedia"));
  assert(xmpAsString?.includes("Not a photograph"));
});

Deno.test("a cancelled painting stops, and other work gets its turn meanwhile", async () => {
  const controller = new AbortController();
  const large = { prompt: PROMPTS.botanical, size: SIZES.square };
  const painting = painter.paint(requestOf(large, controller.signal));
  // A timer can only fire if the painter lets go of the process now and then.
  await new Promise((resolve) => setTimeout(resolve, 1));
  controller.abort(new DOMException("Nobody waits for it", "AbortError"));
  await assertRejects(() => painting, DOMException, "Nobody waits");
  const already = requestOf({ prompt: "x" }, AbortSignal.abort());
  await assertRejects(() => painter.paint(already), DOMException);
});

Deno.test("any prompt can be painted: empty, foreign or very long", async () => {
  for (const prompt of ["", "🎉", "海辺の夕暮れ", "\u0000\ud800", "blue ".repeat(1_600)]) {
    const { bytes } = await paint({ prompt, size: { width: 96, height: 120 } });
    assert(bytes.length > 500, JSON.stringify(prompt));
  }
});

type Wish = Partial<Omit<ImageRequest, "signal">> & { prompt: string };

function paint(wish: Wish) {
  return painter.paint(requestOf(wish, new AbortController().signal));
}

function requestOf(wish: Wish, signal: AbortSignal): ImageRequest {
  return { size: SMALL, references: [], seed: "seed", signal, ...wish };
}

async function reference(kind: Reference["kind"], [r, g, b]: Rgb): Promise<Reference> {
  const sharp = await loadSharp();
  const create = { width: 300, height: 400, channels: 3, background: { r, g, b } } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  return { kind, bytes: new Uint8Array(bytes), contentType: "image/png" };
}

async function pixelsOf(bytes: Uint8Array): Promise<Rgb[]> {
  const sharp = await loadSharp();
  const data = await sharp(bytes).resize(64, 64, { fit: "fill" }).raw().toBuffer();
  return Array.from({ length: 64 * 64 }, (_, index) => {
    return [data[index * 3]!, data[index * 3 + 1]!, data[index * 3 + 2]!];
  });
}

/** How much of a picture's colour (its chroma) is within 35 degrees of a hue. */
async function shareOfHue(bytes: Uint8Array, wanted: number): Promise<number> {
  let [near, all] = [0, 0];
  for (const rgb of await pixelsOf(bytes)) {
    const { chroma, hue } = toOklch(rgb);
    const apart = Math.abs(hue - wanted);
    if (Math.min(apart, 360 - apart) <= 35) near += chroma;
    all += chroma;
  }
  return near / all;
}

async function shareOfColour(bytes: Uint8Array, [red, green, blue]: Rgb): Promise<number> {
  const pixels = await pixelsOf(bytes);
  const like = pixels.filter(([r, g, b]) =>
    Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) < 30
  );
  return like.length / pixels.length;
}
