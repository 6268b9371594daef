/** What a picture is of: the idea's own subject, whatever the brand's style says. */
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { partsOf } from "../../domain/models/painter/painting/reading.ts";
import { readBrief } from "../../domain/models/painter/painting/words.ts";
import { writeScene } from "../../domain/models/writer/scene.ts";
import { BLUES, JUDGED, promptOf } from "../support/paintings.ts";

Deno.test("each judged prompt is read as the subject it names, with and without a kit", () => {
  const wrong = JUDGED.filter((one) => {
    const worlds = [one, { ...one, style: null }, { ...one, style: BLUES }]
      .map((variant) => readBrief(promptOf(variant), "1").scene);
    return worlds.some((world) => !one.right.includes(world));
  });
  assertEquals(wrong, []);
});

Deno.test("a brand's harbour blues turn no other subject into a lake, and keep its colours blue", () => {
  const scenes = new Set<string>();
  for (const { idea, right } of JUDGED) {
    const { scene, swatches } = readBrief(`${BLUES}\n\n${idea}`, "1");
    assertEquals(right.includes(scene), true, `${idea}: ${scene}`);
    assertEquals(Math.round(swatches[0]!.hue), 258, idea);
    scenes.add(scene);
  }
  assertEquals(scenes.has("horizon"), false);
});

Deno.test("what names nothing known is a calm abstract, never a scene by chance", () => {
  for (let seed = 0; seed < 20; seed++) {
    for (
      const prompt of ["Synergy, clarity, momentum", "", "🎉", "Zusammenhalt", `${BLUES}\n\nOui`]
    ) {
      assertEquals(readBrief(prompt, `${seed}`).scene, "abstract", prompt);
    }
  }
});

Deno.test("the subject is known in seven languages, in compounds and in inflected forms", () => {
  const cases: Record<string, string[]> = {
    "vehicle bicycle": [
      "Lastenrad mieten",
      "un vélo rouge",
      "una bicicleta roja",
      "自転車の点検",
      "Two bikes",
    ],
    "tabletop bread": [
      "Bauernbrot",
      "notre boulangerie",
      "la panadería",
      "焼きたてのパン",
      "Sourdough",
    ],
    "tabletop soup": ["Kürbissuppe", "soupe du jour", "日本のカレー", "Ramen"],
    "animal cat": ["un chat noir", "Unsere Katze", "un gatto", "窓辺の猫", "Our kittens"],
    "team table": ["Unser Team im Gespräch", "notre équipe", "nuestro equipo", "チームの会議"],
    "sale bags": [
      "Sommerschlussverkauf",
      "les soldes",
      "rebajas de verano",
      "夏のセール",
      "Promoção",
    ],
    "bookshop shelves": [
      "Buchhandlung am Markt",
      "librairie",
      "una librería",
      "駅前の本屋",
      "Our book shop",
    ],
    "event market": ["Wochenmarkt", "mercado del sábado", "Farmers market"],
    "people person": ["Eine Frau lacht", "une femme", "una mujer", "女性のポートレート"],
  };
  for (const [subject, prompts] of Object.entries(cases)) {
    for (const prompt of prompts) {
      const { scene, kind } = readBrief(prompt, "1");
      assertEquals(`${scene} ${kind}`, subject, prompt);
    }
  }
});

Deno.test("words that only sound like a subject are none", () => {
  const not: [string, string][] = [
    ["Book your test ride now", "bookshop"],
    ["本日のおすすめ", "bookshop"],
    ["A hundred brothers", "animal"],
    ["Sea green sofa", "horizon"],
    ["We see a couple of handy tips", "people"],
  ];
  for (const [prompt, scene] of not) assertNotEquals(readBrief(prompt, "1").scene, scene, prompt);
});

Deno.test("the part after Scene is the idea's, what stands before it the brand's", () => {
  const parts = partsOf(`${BLUES}\n\nA woman with red hair.\n\nScene: A dog. Light: low sun.`);
  assertEquals(parts.subject, ["A dog."]);
  assertEquals(parts.scene, "A dog. Light: low sun.");
  assertEquals(parts.style.trim(), `${BLUES}\n\nA woman with red hair.`);
  assertEquals(
    partsOf("A bakery at dawn.\n\nWarm light.").subject.includes("A bakery at dawn."),
    true,
  );
});

Deno.test("a colour beside a thing is the thing's; the kit's colours stay the picture's", () => {
  const { hero, swatches } = readBrief(`${BLUES}\n\nA red bicycle`, "1");
  assertEquals([Math.round(hero!.hue), Math.round(swatches[0]!.hue)], [27, 258]);
  assertEquals(readBrief("Our brand: #ff0000\n\nA bowl of soup", "1").swatches.length, 1);
});

Deno.test("the local writer sets an idea in the world that the painter shows", () => {
  const cases: [string, RegExp][] = [
    ["Notre librairie", /shelves/],
    ["Unser Hund", /meadow|rug/],
    ["チームの会議", /table/],
    ["Ein rotes Fahrrad", /road/],
    ["Synergy", /paper shapes|simple solids|translucent/],
  ];
  for (const [idea, setting] of cases) assertMatch(writeScene({ idea, lifestyle: "" }), setting);
});
