/** What overlays read from words and logos: dates, steps, where lines may break, tiles, colours. */
import { assert, assertEquals } from "@std/assert";
import type { Layer } from "../../domain/media/images/pixels.ts";
import { copyOf } from "../../domain/media/overlays/copy.ts";
import { dateParts } from "../../domain/media/overlays/dates.ts";
import { hyphenated } from "../../domain/media/overlays/hyphens.ts";
import { kept, tied } from "../../domain/media/overlays/lines.ts";
import { withoutTile } from "../../domain/media/overlays/logo.ts";
import { logoColours } from "../../domain/media/overlays/logo_colors.ts";
import { layOverlay } from "../../domain/media/overlays/render.ts";
import { stepOf, withStep } from "../../domain/media/overlays/steps.ts";
import { photo, png } from "../support/overlaid.ts";

Deno.test("a date's day is found in many ways of writing it, and in nothing else", () => {
  const parts = (date: string) => dateParts(date).map(({ text }) => text);
  assertEquals(parts("12 Dec"), ["12", "Dec"]);
  assertEquals(parts("Dec 12"), ["Dec", "12"]);
  assertEquals(parts("Saturday, 14 November"), ["Saturday", "14", "November"]);
  assertEquals(parts("Freitag, 18. Dezember"), ["Freitag", "18", "Dezember"]);
  assertEquals(parts("3rd of May"), ["3", "of May"]);
  assertEquals(parts("12月24日(水)"), ["12月", "24", "日(水)"]);
  assertEquals(parts("١٢ ديسمبر"), ["١٢", "ديسمبر"]);
  for (
    const whole of ["18:30", "24/12", "24.12.", "2026", "Tomorrow", "12", "12 of the best ideas"]
  ) {
    assertEquals(parts(whole), [whole]);
  }
});

Deno.test("a step is read from a line like 2/5 and written once", () => {
  assertEquals(stepOf("2/5"), { step: 2, of: 5, shown: "2" });
  assertEquals(stepOf("٢ / ٥"), { step: 2, of: 5, shown: "٢" });
  for (const line of ["5/2", "0/3", "1/99", "24/7 open", "2 of 5", ""]) {
    assertEquals(stepOf(line), null, line);
  }
  assertEquals(withStep("Warm the cup", 2, 5), "2/5\nWarm the cup");
  assertEquals(withStep("2/5\nWarm the cup", 2, 5), "2/5\nWarm the cup");
  assertEquals(withStep("Warm the cup", 1, 1), "Warm the cup");
});

Deno.test("a line of emoji alone joins its neighbour", () => {
  assertEquals(copyOf("Doors open\n🎉🎉").lines, ["Doors open 🎉🎉"]);
  assertEquals(copyOf("🎉\nDoors open\nat six").lines, ["🎉 Doors open", "at six"]);
  assertEquals(copyOf("🎉").lines, ["🎉"]);
  assertEquals(copyOf("© 2026\n™").lines, ["© 2026", "™"]);
});

Deno.test("lines break between Japanese phrases, between German parts, and before no emoji", async () => {
  const phrases = (await kept("静かな朝の光、街が目覚める前の時間")).replaceAll("\u2060", "_");
  assertEquals(phrases, "静_か_な朝_の光_、街_が目_覚_め_る前_の時_間");
  assertEquals(tied("Back again 🎃 🍂 now"), "Back again\u00A0🎃\u00A0🍂 now");
  assertEquals(tied("おいしい🎉"), "おいしい\u2060🎉");
  assertEquals(tied("🚀 Take off"), "🚀\u00A0Take off");
  const parted = async (text: string, language: string | null) =>
    (await hyphenated(text, language)).replaceAll("\u00AD", "-");
  assertEquals(
    await parted("Weihnachtsgeschenkgutscheine", "de-AT"),
    "Weih-nachts-ge-schenk-gut-scheine",
  );
  assertEquals(await parted("Frühstück am Samstag", "de"), "Frühstück am Samstag");
  const address = "www.weihnachtsgeschenkgutscheine.example";
  assertEquals(await parted(address, "de"), address);
});

/** A round logo on a square tile, with a hole. */
function logoOn(tile: number[], hole = 0): Promise<Uint8Array> {
  return drawn(200, (x, y) => {
    const away = Math.hypot(x - 100, y - 100);
    return away > 80 || away < hole ? tile : [180, 20, 60, 255];
  });
}

async function drawn(size: number, colour: (x: number, y: number) => number[]) {
  let at = 0;
  return await png(size, size, (x) => colour(x, Math.floor(at++ / size)));
}

Deno.test("a logo is printed without the tile that it was saved with, where it stands out", async () => {
  const image = await photo("grey", "square");
  const overlay = { template: "cornerTag" as const, text: "Logo", showLogo: true };
  for (const tile of [[255, 255, 255, 255], [0, 60, 0, 255]]) {
    const logo = await logoOn(tile, 20);
    const white = await photo("white", "square");
    const bare = await layOverlay({ image: white, overlay, logo, aspectRatio: "square" });
    const { data, width, height } = bare.pixels;
    const corner = ((height - 75) * width + (width - 75)) * 3;
    assertEquals([...data.subarray(corner, corner + 3)], [255, 255, 255], `${tile}`);
  }
  const plain = await png(200, 100, () => [255, 0, 255, 255]);
  const sheet = await layOverlay({ image, overlay, logo: plain, aspectRatio: "square" });
  const { data, width, height } = sheet.pixels;
  const corner = ((height - 80) * width + (width - 80)) * 3;
  assertEquals([...data.subarray(corner, corner + 3)], [255, 0, 255], "a plain logo is no tile");
});

Deno.test("a logo that the image would swallow gets a plate: its own tile, else a pale or dark one", async () => {
  const overlay = { template: "cornerTag" as const, text: "Logo", showLogo: true };
  const plateOf = async (logo: Uint8Array, ground: "black" | "white") => {
    const image = await photo(ground, "square");
    const { pixels } = await layOverlay({ image, overlay, logo, aspectRatio: "square" });
    // Inside of the plate's edge, outside of the logo.
    const at = ((1080 - 72 + 10) * 1080 + 1080 - 100) * 3;
    return [...pixels.data.subarray(at, at + 3)];
  };
  const dark = await png(240, 100, (x) => x % 40 < 30 ? [20, 24, 60, 255] : [0, 0, 0, 0]);
  const [red] = await plateOf(dark, "black");
  assert(red! > 230, "a dark logo on black stands on a pale plate");
  assertEquals(await plateOf(dark, "white"), [255, 255, 255], "and on white on none");
  const tiled = await logoOn([250, 240, 120, 255]);
  assertEquals(await plateOf(tiled, "black"), [0, 0, 0], "a red one stands out from black");
  const navy = await drawn(
    200,
    (x, y) => Math.hypot(x - 100, y - 100) < 80 ? [20, 24, 60, 255] : [250, 240, 120, 255],
  );
  assertEquals(await plateOf(navy, "black"), [250, 240, 120], "its own tile comes back");
});

Deno.test("the letters inside a badge are not taken for its tile", () => {
  const size = 60;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (let y = 8; y < 52; y++) {
    for (let x = 8; x < 52; x++) {
      const isLetter = x > 16 && x < 44 && y > 20 && y < 40;
      if (!isLetter) data.set([0, 0, 120, 255], (y * size + x) * 4);
    }
  }
  const badge: Layer = { channels: 4, data, width: size, height: size };
  assertEquals(withoutTile(badge), { ...badge, tile: null });
});

Deno.test("a brand's colours are those of its logo, the telling one first", async () => {
  const flag = await drawn(
    120,
    (x, y) => y < 50 ? [11, 61, 145, 255] : x < 60 ? [255, 122, 26, 255] : [20, 20, 20, 255],
  );
  assertEquals(await logoColours(flag), ["#0b3d91", "#ff7a1a", "#141414"]);
  assertEquals(await logoColours(await logoOn([255, 255, 255, 255])), ["#b4143c"]);
  assertEquals(await logoColours(await logoOn([0, 0, 0, 0])), ["#b4143c"]);
  const many = await drawn(
    120,
    (x) => [(x >> 4) * 30, 255 - (x >> 4) * 30, (x >> 4) % 2 * 255, 255],
  );
  const colours = await logoColours(many);
  assertEquals(colours.length, 5);
  assert(new Set(colours).size === 5);
  assertEquals(await logoColours(await png(9, 9, () => [0, 0, 0, 0])), []);
});
