/** Every layout as people see it: contrast, margins, safe zones and sizes of type, measured in pixels. */
import { assert, assertEquals } from "@std/assert";
import { type AspectRatio, SIZES, STORY_SAFE } from "../../domain/media/images/aspect.ts";
import { layOverlay } from "../../domain/media/overlays/render.ts";
import { type Look, OverlayTemplate } from "../../domain/media/overlays/shape.ts";
import type { PlacedText, Sheet } from "../../domain/media/overlays/sheet.ts";
import { contrastOf, inkedRowsOf, photo } from "../support/overlaid.ts";
import {
  LOOKS,
  paintingFor,
  RATIOS,
  type Wording,
  WORDINGS,
  wordsFor,
} from "../support/overlay_sheet.ts";
import { combinations } from "../support/sweep.ts";

const PHONE_WIDTH = 430;
const SMALLEST_TYPE = 14;
/** Shapes may reach the edge of the image; words keep this share of the short side away from it. */
const MARGIN = 0.04;

Deno.test("every layout prints its words whole, readable, with margins and outside of the safe zones", async () => {
  for (
    const [template, wording, ratio] of combinations(OverlayTemplate.options, WORDINGS, RATIOS)
  ) {
    const sheet = await laid(await paintingFor(wording), template, wording, ratio, LOOKS[wording]);
    const where = `${template} ${ratio} ${wording}`;
    assert(sheet.texts.length > 0, `${where} prints words`);
    for (const placed of sheet.texts) check(sheet, placed, ratio, where);
  }
});

/** Colours that are hard on words: too light, too dark, too middling, alike. */
const HARD: string[][] = [
  ["#ffffff"],
  ["#000000"],
  ["#777777", "#787878"],
  ["#ffff00", "#fffde0"],
  ["#ff0000", "#00aa00"],
  ["#8080ff", "#7f7fff", "#8181ff"],
  ["#00ffcc", "#ff00aa", "#ffe600", "#101010", "#f5f5f5"],
];

Deno.test("words can be read in brand colours of any kind, on any ground", async () => {
  const grounds = ["white", "black", "grey", "busy", "halves"] as const;
  for (const [template, colors, ground] of combinations(OverlayTemplate.options, HARD, grounds)) {
    const image = await photo(ground, "square");
    const sheet = await laid(image, template, "short", "square", { colors });
    for (const placed of sheet.texts) {
      check(sheet, placed, "square", `${template} in ${colors} on ${ground}`);
    }
  }
});

Deno.test("no emoji stands alone on a line", async () => {
  const texts = [
    "Freshly baked every single morning 🥐",
    "Freshly baked every single morning 🥐🥐",
    "The pumpkin is back in all of our houses 🎃 🍂",
    "新しいメニューがはじまりました🎉",
    "Wir freuen uns auf euch\n🎉 🎉",
    "🎉\nThe doors are open",
    "🚀 Take off with us in the new season",
  ];
  const image = await photo("grey", "square");
  for (const template of ["textOnly", "cornerTag", "quoteCard", "splitPanel"] as const) {
    for (const text of texts) {
      const overlay = { template, text };
      const sheet = await layOverlay({ image, overlay, logo: null, aspectRatio: "square" });
      for (const { set } of sheet.texts) {
        for (const row of inkedRowsOf(set)) {
          assert(row.hasLetters, `${template}: an emoji alone in ${JSON.stringify(set.text)}`);
        }
      }
    }
  }
});

Deno.test("a layout without a kit takes its colours from the image, with a kit from the kit", async () => {
  const image = await photo("waves", "square");
  const without = await laid(image, "captionBar", "short", "square", {});
  const none: Look = { colors: null, headingFont: null, bodyFont: null, language: null };
  const withNone = await laid(image, "captionBar", "short", "square", none);
  assertEquals(without.pixels.data, withNone.pixels.data);
  const branded = await laid(image, "captionBar", "short", "square", { colors: ["#0b3d91"] });
  const { data, width, height } = branded.pixels;
  const corner = ((height - 3) * width + 3) * 3;
  assertEquals([...data.subarray(corner, corner + 3)], [0x0b, 0x3d, 0x91]);
});

Deno.test("a scrim is where the words are, and nowhere else", async () => {
  const image = await photo("white", "portrait");
  for (const template of ["centeredTitle", "lowerThird", "storyCta"] as const) {
    const overlay = { template, text: "Autumn menu\nFrom Tuesday" };
    const sheet = await layOverlay({ image, overlay, logo: null, aspectRatio: "portrait" });
    const { data, width, height } = sheet.pixels;
    const changed = Array.from({ length: height }, (_, y) => y).filter((y) => {
      const row = data.subarray(y * width * 3, (y + 1) * width * 3);
      return row.some((value) => value < 250);
    });
    assert(
      changed.length < height * 0.6,
      `${template} changes ${changed.length} of ${height} rows`,
    );
  }
});

Deno.test("a small picture has the same layout", async () => {
  const image = await paintingFor("short");
  const overlay = { template: "eventDate" as const, text: wordsFor("eventDate", "short") };
  const request = { image, overlay, logo: null, aspectRatio: "portrait" } as const;
  const [large, small] = [await layOverlay(request), await layOverlay({ ...request, width: 270 })];
  assertEquals([small.pixels.width, small.pixels.height], [270, 338]);
  assertEquals(small.texts.length, large.texts.length);
  for (const [index, { set, top }] of large.texts.entries()) {
    const other = small.texts[index]!;
    assertEquals(other.set.text, set.text);
    assert(Math.abs(other.top * 4 - top) < 24, `${set.text} at ${other.top * 4}, not ${top}`);
  }
});

async function laid(
  image: Uint8Array,
  template: OverlayTemplate,
  wording: Wording,
  aspectRatio: AspectRatio,
  look: Look,
): Promise<Sheet> {
  const overlay = { template, text: wordsFor(template, wording) };
  return await layOverlay({ image, overlay, logo: null, aspectRatio, look });
}

function check(sheet: Sheet, placed: PlacedText, ratio: AspectRatio, where: string): void {
  const { set, left, top } = placed;
  const { width, height } = SIZES[ratio];
  assert(!set.isCut, `${where} is cut: “${set.text}”`);
  const what = `${where}: “${set.text}”`;
  const measured = contrastOf(sheet, placed);
  assert(measured >= 4.5, `${what} has a contrast of ${measured.toFixed(2)}`);
  const onPhone = set.size * PHONE_WIDTH / width;
  assert(onPhone >= SMALLEST_TYPE, `${what} is ${onPhone.toFixed(1)} pixels high on a phone`);
  const margin = MARGIN * Math.min(width, height);
  const [right, bottom] = [left + set.layer.width, top + set.layer.height];
  assert(left >= margin && right <= width - margin, `${what} from ${left} to ${right} of ${width}`);
  const [above, below] = ratio === "story"
    ? [height * STORY_SAFE.top, height * (1 - STORY_SAFE.bottom)]
    : [margin, height - margin];
  assert(top >= above && bottom <= below, `${what} from ${top} to ${bottom} of ${height}`);
}
