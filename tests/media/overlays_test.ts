/** Overlays: looks, legibility, safe areas, scripts, hostile text, logos, marks, fonts. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { type AspectRatio, SIZES, STORY_SAFE } from "../../domain/media/images/aspect.ts";
import { markGenerated, sourceTypeOf } from "../../domain/media/images/mark.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { layOverlay, renderOverlay } from "../../domain/media/overlays/render.ts";
import { Overlay, OverlayTemplate } from "../../domain/media/overlays/shape.ts";
import type { Sheet } from "../../domain/media/overlays/sheet.ts";
import { contrastOf, distance, looksOf, photo, png } from "../support/overlaid.ts";
import { haveShared, needsShared, sharedFile } from "../support/pictures.ts";
import { combinations, SWEEPS_ALL } from "../support/sweep.ts";

const RATIOS = Object.keys(SIZES) as AspectRatio[];

const SCRIPTS: Record<string, string> = {
  latin: "The quiet hour before the city wakes\nNotes from a morning walk",
  greek: "Η ήσυχη ώρα πριν ξυπνήσει η πόλη\nΣημειώσεις",
  cyrillic: "Тихий час перед тем, как проснётся город\nЗаметки",
  arabic: "الساعة الهادئة قبل أن تستيقظ المدينة\nملاحظات",
  hebrew: "השעה השקטה לפני שהעיר מתעוררת\nרשימות",
  japanese: "静かな朝の光、街が目覚める前の時間\n新しいシリーズ",
  chinese: "城市醒来之前的宁静时刻\n晨间散步笔记",
  korean: "도시가 깨어나기 전 고요한 시간\n아침 산책 노트",
  devanagari: "शहर जागने से पहले का शांत समय\nटिप्पणियाँ",
  thai: "ชั่วโมงอันเงียบสงบก่อนเมืองตื่น\nบันทึก",
  emoji: "Ready 🎉 set 🚀 go ❤️\n👩‍👩‍👧 🇫🇷",
};

const HASHES = new URL("../data/overlay_hashes.json", import.meta.url);
/** Bits of 256 that may differ: another processor rounds differently, another font does not pass. */
const TOLERANCE = 12;

Deno.test("every template, ratio and script looks as recorded", async () => {
  const sharp = await loadSharp();
  const square = sharp(await photo("waves", "square"));
  const images = new Map<AspectRatio, Uint8Array>();
  for (const ratio of RATIOS) {
    images.set(ratio, await square.clone().resize(SIZES[ratio]).png().toBuffer());
  }
  const seen: Record<string, string> = {};
  const templates = OverlayTemplate.options;
  for (
    const [template, script, aspectRatio] of combinations(templates, Object.keys(SCRIPTS), RATIOS)
  ) {
    const jpeg = await renderOverlay({
      image: images.get(aspectRatio)!,
      overlay: { template, text: SCRIPTS[script]! },
      logo: null,
      aspectRatio,
    });
    seen[`${template} ${aspectRatio} ${script}`] = await looksOf(jpeg);
  }
  if (Deno.args.includes("--update")) {
    assert(SWEEPS_ALL, "Record all pictures, with SWEEP=all");
    await Deno.writeTextFile(HASHES, JSON.stringify(seen, null, 1) + "\n");
  }
  const known: Record<string, string> = JSON.parse(await Deno.readTextFile(HASHES));
  if (SWEEPS_ALL) assertEquals(Object.keys(seen).toSorted(), Object.keys(known).toSorted());
  for (const [name, looks] of Object.entries(seen)) {
    assert(known[name] !== undefined, `${name} is not recorded`);
    const apart = distance(looks, known[name]);
    assert(apart <= TOLERANCE, `${name} looks different: ${apart} of 256 bits`);
  }
});

Deno.test("text has a contrast of 4.5 to 1 on every ground, measured at its own pixels", async () => {
  const grounds = ["white", "black", "grey", "busy", "waves", "halves"] as const;
  for (
    const [ground, template, aspectRatio] of combinations(grounds, OverlayTemplate.options, RATIOS)
  ) {
    const image = await photo(ground, aspectRatio);
    const overlay = { template, text: SCRIPTS.latin! };
    const sheet = await layOverlay({ image, overlay, logo: null, aspectRatio });
    assert(sheet.texts.length >= 2, `${template} prints heading and support`);
    for (const placed of sheet.texts) {
      const measured = contrastOf(sheet, placed);
      const where = `${template} ${aspectRatio} on ${ground}: ${placed.set.text}`;
      assert(measured >= 4.5, `${where}: ${measured.toFixed(2)}`);
    }
  }
});

Deno.test("a story keeps its upper 14 and lower 20 percent free of text and logo", async () => {
  const image = await photo("grey", "story");
  const logo = await png(400, 400, () => [255, 0, 255, 255]);
  const { height } = SIZES.story;
  const [top, bottom] = [height * STORY_SAFE.top, height * (1 - STORY_SAFE.bottom)];
  for (const template of OverlayTemplate.options) {
    for (const text of [SCRIPTS.latin!, "word ".repeat(60)]) {
      const request = { image, overlay: { template, text, showLogo: true }, logo } as const;
      const sheet = await layOverlay({ ...request, aspectRatio: "story" });
      for (const { set, top: at } of sheet.texts) {
        assert(at >= top && at + set.layer.height <= bottom, `${template}: text at ${at}`);
      }
      const rows = magentaRows(sheet);
      assert(rows.length > 0, `${template} shows the logo`);
      assert(rows[0]! >= top - 1 && rows.at(-1)! <= bottom + 1, `${template}: logo outside`);
    }
  }
});

Deno.test("text that cannot fit at the smallest size ends in an ellipsis", async () => {
  const image = await photo("waves", "landscape");
  const overlay = { template: "cornerTag" as const, text: "Line\n".repeat(60) };
  const sheet = await layOverlay({ image, overlay, logo: null, aspectRatio: "landscape" });
  const placed = sheet.texts.at(-1);
  assert(placed!.set.isCut && placed!.set.text.endsWith("…"), placed!.set.text);
  assertInside(sheet, "cut");
  const short = { template: "cornerTag" as const, text: "Short" };
  const whole = await layOverlay({ image, overlay: short, logo: null, aspectRatio: "landscape" });
  assert(!whole.texts[0]!.set.isCut);
});

Deno.test("lines of Hebrew and Arabic begin on the right, of Latin on the left", async () => {
  const image = await photo("grey", "portrait");
  for (const [script, isRight] of [["latin", false], ["hebrew", true], ["arabic", true]] as const) {
    const overlay = { template: "lowerThird" as const, text: SCRIPTS[script]! };
    const { texts } = await layOverlay({ image, overlay, logo: null, aspectRatio: "portrait" });
    const [first, second] = texts;
    const ends = texts.map(({ set, left }) => left + set.layer.width);
    assertEquals(Math.abs(ends[0]! - ends[1]!) <= 1, isRight, script);
    assertEquals(Math.abs(first!.left - second!.left) <= 1, !isRight, script);
  }
});

const HOSTILE = [
  "\u0000\u0001\u0007\u001b[31m", // controls alone: an empty picture, no fault
  "\u200b\u200d\ufeff",
  "a\u0000b <span foreground='red'>&amp;&#0;</span> </span>",
  "\u202e\u2066right to left\u2069\u202c",
  `Z${"\u0300\u0489\u0336".repeat(90)}algo`,
  "\u0301\u0301 lone marks \u20dd",
  "😀".repeat(300),
  "👩‍👩‍👧‍👦".repeat(42),
  "\ud800 lone surrogate \udc00",
  "﷽".repeat(300),
  "𒐫".repeat(300),
  "\u3164\u2800",
  "W".repeat(300),
  "i".repeat(300),
  "\n\r\n\u2028x\ny".repeat(50),
  "ﬀ\u00ad".repeat(150),
  "مُنَاقَشَةُ".repeat(30).slice(0, 300),
];

Deno.test("hostile text neither breaks an image nor leaves it", async () => {
  await printAll(HOSTILE);
});

Deno.test({
  name: `the big list of naughty strings breaks no image${needsShared}`,
  ignore: !haveShared,
  fn: async () => {
    const list = await sharedFile("security/naughty_strings.json");
    const strings: string[] = JSON.parse(new TextDecoder().decode(list));
    await printAll(strings.filter((text) => {
      return Overlay.safeParse({ template: "textOnly", text }).success;
    }));
  },
});

async function printAll(strings: string[]): Promise<void> {
  const image = await photo("busy", "square");
  for (const [index, text] of strings.entries()) {
    const template = OverlayTemplate.options[index % OverlayTemplate.options.length]!;
    const overlay = { template, text };
    const sheet = await layOverlay({ image, overlay, logo: null, aspectRatio: "square" });
    assertInside(sheet, JSON.stringify(text));
  }
}

Deno.test("a logo of any shape and kind is drawn whole", async () => {
  const image = await photo("grey", "square");
  const overlay = { template: "captionBar" as const, text: "Logo", showLogo: true };
  const sharp = await loadSharp();
  const bare = await renderOverlay({ image, overlay, logo: null, aspectRatio: "square" });
  const shapes: [string, Uint8Array][] = [
    ["wide", await png(2000, 20, () => [255, 255, 255, 255])],
    ["tall", await png(20, 2000, () => [255, 255, 255, 255])],
    ["a pixel", await png(1, 1, () => [255, 0, 0, 255])],
    ["see-through", await png(300, 200, (x) => [255, 255, 255, x % 256])],
    ["dark", await png(300, 200, (x) => [10, 10, 10, x < 150 ? 255 : 0])],
    [
      "grey JPEG",
      await sharp(await png(90, 60, () => [240, 240, 240, 255])).greyscale().jpeg().toBuffer(),
    ],
    ["WebP", await sharp(await png(90, 60, () => [0, 200, 90, 255])).webp().toBuffer()],
  ];
  for (const [name, logo] of shapes) {
    const withLogo = await renderOverlay({ image, overlay, logo, aspectRatio: "square" });
    assertNotEquals(withLogo, bare, `${name} can be seen`);
    const hidden = { ...overlay, showLogo: false };
    const without = await renderOverlay({ image, overlay: hidden, logo, aspectRatio: "square" });
    assertEquals(without, bare, `${name} is left away when it is not asked for`);
  }
  const clear = await png(50, 50, () => [0, 0, 0, 0]);
  await renderOverlay({ image, overlay, logo: clear, aspectRatio: "square" });
});

Deno.test("the same overlay gives the same bytes, of the ratio's exact size, in JPEG", async () => {
  const sharp = await loadSharp();
  for (const aspectRatio of RATIOS) {
    const image = await photo("waves", aspectRatio);
    const overlay = { template: "quoteCard" as const, text: SCRIPTS.japanese! };
    const request = { image, overlay, logo: null, aspectRatio };
    const [one, other] = [await renderOverlay(request), await renderOverlay(request)];
    assertEquals(one, other);
    const { format, width, height } = await sharp(one).metadata();
    assertEquals({ format, width, height }, { format: "jpeg", ...SIZES[aspectRatio] });
  }
});

Deno.test("an overlay keeps the raw image's mark", async () => {
  const raw = await photo("grey", "square");
  for (const source of ["trainedAlgorithmicMedia", "algorithmicMedia"] as const) {
    const overlay = { template: "textOnly" as const, text: "Marked" };
    const image = markGenerated(raw, source);
    const jpeg = await renderOverlay({ image, overlay, logo: null, aspectRatio: "square" });
    assertEquals(sourceTypeOf(jpeg), source);
    const sharp = await loadSharp();
    const { xmpAsString } = await sharp(jpeg).metadata();
    const word = `http://cv.iptc.org/newscodes/digitalsourcetype/${source}`;
    assert(xmpAsString?.includes(word), "a reader of XMP finds it");
    assertEquals(markGenerated(jpeg), jpeg, "marking again changes nothing");
  }
});

Deno.test("two processes that start on a machine without fonts draw the same text", async () => {
  const temp = await Deno.makeTempDir();
  const script = `
    import { fitText } from "${new URL("../../domain/media/overlays/typeset.ts", import.meta.url)}";
    const style = { face: "strong", colour: [0, 0, 0], align: "start", largest: 60, smallest: 20 };
    const set = await fitText("Same 日本 مرحبا 🎉", style, { width: 600, height: 200 });
    const hash = await crypto.subtle.digest("SHA-256", set.layer.data);
    console.log(new Uint8Array(hash).toHex());`;
  const draw = async () => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-check", script],
      cwd: new URL("../..", import.meta.url),
      env: { TMPDIR: temp },
      stdout: "piped",
      stderr: "piped",
    });
    const { success, stdout, stderr } = await child.output();
    assert(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  };
  try {
    const [one, other] = await Promise.all([draw(), draw()]);
    assertEquals(one, other);
    assertEquals(await draw(), one, "and so does a later one");
  } finally {
    await Deno.remove(temp, { recursive: true });
  }
});

function assertInside({ pixels, texts }: Sheet, what: string): void {
  for (const { set, left, top } of texts) {
    const { width, height } = set.layer;
    assert(left >= 0 && top >= 0, `${what} begins inside`);
    assert(left + width <= pixels.width && top + height <= pixels.height, `${what} ends inside`);
  }
}

function magentaRows({ pixels }: Sheet): number[] {
  const { data, width, height } = pixels;
  return Array.from({ length: height }, (_, row) => row).filter((row) => {
    for (let at = row * width * 3; at < (row + 1) * width * 3; at += 3) {
      if (data[at]! > 240 && data[at + 1]! < 15 && data[at + 2]! > 240) return true;
    }
    return false;
  });
}
