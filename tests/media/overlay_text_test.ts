/** An overlay's text as drawn: emoji whole and in colour, no boxes for characters without a typeface. */
import { assert, assertEquals } from "@std/assert";
import type { Layer } from "../../domain/media/images/pixels.ts";
import { copyOf } from "../../domain/media/overlays/copy.ts";
import { fitText } from "../../domain/media/overlays/typeset.ts";

const SIZE = 40;

Deno.test("a keycap is whole and in colour after any emoji", async () => {
  const texts = ["_ 1️⃣", "_1️⃣ Sale", "_ #️⃣ *️⃣", "مرحبا _ 1️⃣ عالم", "שלום _ 2️⃣", "静かな_3️⃣朝"];
  for (const text of texts) {
    const known = await drawn(text.replace("_", "❤️"));
    for (const emoji of ["🔥", "⚡", "🇫🇷", "👍🏽", "👩‍💻"]) {
      const what = text.replace("_", emoji);
      const layer = await drawn(what);
      const wider = layer.width - known.width;
      assert(Math.abs(wider) <= SIZE / 8, `${what} is ${wider} pixels wider`);
      assert(blueOf(layer) > blueOf(known) * 0.9, `${what} has its blue`);
    }
  }
});

Deno.test("an emoji without its selector is drawn like one with it", async () => {
  const pairs = [
    ["1⃣ 1︎⃣ old", "1️⃣ 1️⃣ old"],
    ["I ❤ NY ☀ ▶", "I ❤️ NY ☀️ ▶️"],
    ["🏳‍⚧ ❤‍🔥 ⛹🏽‍♀", "🏳️‍⚧️ ❤️‍🔥 ⛹🏽‍♀️"],
    ["2️ days, #️1", "2 days, #1"],
  ] as const;
  for (const [bare, full] of pairs) await assertDrawnLike(bare, full);
});

Deno.test("ligature characters, which no typeface has, are spelled out", async () => {
  await assertDrawnLike("ﬁne oﬀers ﬂow, eﬃcient ﬆaﬄess", "fine offers flow, efficient staffless");
  await assertDrawnLike("﷽", "بسم الله الرحمن الرحيم");
});

Deno.test("an emoji with a text selector is not drawn in colour", async () => {
  for (const text of ["❤︎ ☎︎", "© ® ™", "7 # *"]) {
    assertEquals(coloursOf(await drawn(text)), 0, text);
    assertEquals(coloursOf(await drawn(`${text} 🔥`)), coloursOf(await drawn("🔥")), text);
  }
});

Deno.test("no combining mark is drawn as a box", async () => {
  const plain = await drawn("moon");
  for (const mark of marks()) {
    const { width } = await drawn(`mo${mark}on`);
    const code = mark.codePointAt(0)!.toString(16);
    assert(width - plain.width <= SIZE * 0.6, `U+${code}: ${width - plain.width} pixels wider`);
  }
});

/** Alphabets of which one letter at least is wider than another. */
const ALPHABETS = {
  armenian: "ԱԲԳԴԵ",
  bengali: "কখগঘঙ",
  canadianAboriginal: "ᐁᐊᐸᑕᒐ",
  cherokee: "ᎠᎡᎣᎦᏔ",
  devanagari: "कखगघङ",
  ethiopic: "ሀለሐመሠ",
  georgian: "აბგდე",
  gujarati: "કખગઘઙ",
  gurmukhi: "ਕਖਗਘਙ",
  kannada: "ಕಖಗಘಙ",
  khmer: "កខគឃង",
  lao: "ກຂຄງຈ",
  malayalam: "കഖഗഘങ",
  mongolian: "ᠠᠡᠢᠣᠤ",
  myanmar: "ကခဂဃင",
  sinhala: "කඛගඝඞ",
  tamil: "கஙசஞட",
  telugu: "కఖగఘఙ",
  thaana: "ހށނރބ",
  thai: "กขคงจ",
  tibetan: "ཀཁགངཅ",
  tifinagh: "ⴰⴱⴳⴷⴻ",
};

Deno.test("every alphabet is drawn with its letters and without boxes", async () => {
  for (const [script, letters] of Object.entries(ALPHABETS)) {
    const layers = await Promise.all([...letters].map(drawn));
    assert(new Set(layers.map(({ width }) => width)).size > 1, script);
  }
});

Deno.test("zalgo text is drawn as its letters, and private characters are left out", async () => {
  const zalgo = "Z\u0335\u0322a\u0337l\u0336\u0360g\u0353o\u035F\uE000\u{F0000}";
  await assertDrawnLike(zalgo, "Zalgo");
  await assertDrawnLike("A\u20E3B", "AB");
});

async function assertDrawnLike(text: string, other: string): Promise<void> {
  const [one, two] = [await drawn(text), await drawn(other)];
  assertEquals(one.width, two.width, `${text} is as wide as ${other}`);
  assert(one.data.every((byte, at) => byte === two.data[at]), `${text} looks like ${other}`);
}

async function drawn(text: string): Promise<Layer> {
  const style = { face: "strong", colour: [0, 0, 0], align: "start" } as const;
  const box = { width: 900, height: 200 };
  const { heading } = copyOf(text);
  return (await fitText(heading, { ...style, largest: SIZE, smallest: SIZE }, box)).layer;
}

/** The combining marks of no script or of one that has a typeface, in the Basic Multilingual Plane. */
function marks(): string[] {
  return Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((one) =>
    /(?=\p{M})[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Hangul}]/u.test(
      one,
    )
  );
}

function blueOf(layer: Layer): number {
  return count(layer, (red, _, blue) => blue > red + 40);
}

function coloursOf(layer: Layer): number {
  return count(layer, (...channels) => Math.max(...channels) > 40);
}

function count(
  { data }: Layer,
  counts: (...channels: [number, number, number]) => boolean,
): number {
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3]! > 128 && counts(data[at]!, data[at + 1]!, data[at + 2]!)) found++;
  }
  return found;
}
