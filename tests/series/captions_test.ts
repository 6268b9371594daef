/** Captions: usable without a model, and within the platform's limits whoever writes them. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type Caption,
  type CaptionBrief,
  publicText,
  writeCaption,
} from "../../domain/series/making/writing.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { ModelError, type TextModel, type WritingTask } from "../../domain/models/model.ts";
import { writer } from "../../domain/models/choose.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import { SeriesFormat } from "../../domain/platforms/contract/format.ts";
import { lengthOf } from "../../domain/foundation/text.ts";

const BRIEF: CaptionBrief = {
  platform: "instagram",
  format: "post",
  goal: "Sell more weekend pottery classes",
  theme: null,
  guidance: "Warm tone. Show the people at the wheel. No prices.",
  topic: null,
  kit: { baseStylePrompt: "Soft light." },
  workedWell: [],
  seed: "slt_1",
};

const local = (change: Partial<CaptionBrief> = {}) =>
  writeCaption({ textModel: writer }, { ...BRIEF, ...change });

/** A text model that always returns `answer`. */
const saying = (answer: unknown): TextModel => ({
  name: "test",
  write: <T>(_: WritingTask<T>) => Promise.resolve(answer as T),
});
const told = (answer: unknown, change: Partial<CaptionBrief> = {}): Promise<Caption> =>
  writeCaption({ textModel: saying(answer) }, { ...BRIEF, ...change });

Deno.test("the local writer gives a hook, a body and a call to action about the series' subject", async () => {
  const { caption, hashtags } = await local();
  const [hook, body, call, ...rest] = caption.split("\n\n");
  assertEquals(rest, []);
  assertStringIncludes(hook!.toLowerCase(), "weekend pottery classes");
  assert(body!.length > 60 && call!.length > 10, caption);
  assert(!/\{|undefined|null/.test(caption), caption);
  assert(hashtags.length >= 2 && hashtags.length <= 5, hashtags.join());
});

Deno.test("the same brief gives the same caption, other seeds give others", async () => {
  assertEquals(await local(), await local());
  const captions = new Set<string>();
  for (let seed = 0; seed < 30; seed++) {
    captions.add((await local({ seed: `slt_${seed}` })).caption);
  }
  assert(captions.size >= 12, `${captions.size} different captions of 30`);
});

Deno.test("steering text is followed, never printed", async () => {
  for (let seed = 0; seed < 20; seed++) {
    const { caption } = await local({ seed: String(seed) });
    assert(!/warm tone|no prices|sell more/i.test(caption), caption);
    assertStringIncludes(caption, "the people at the wheel");
  }
  assertEquals((await local({ guidance: "No hashtags, please." })).hashtags, []);
});

Deno.test("a rewritten caption differs from the one before", async () => {
  let { caption } = await local();
  for (let round = 0; round < 5; round++) {
    const next = await local({ previous: caption, seed: `slt_1 ${round}` });
    assert(next.caption !== caption);
    caption = next.caption;
  }
});

Deno.test("what worked is learned from: questions where questions earned most", async () => {
  const workedWell = ["Did you know?\n\nYes.", "Who would have thought?\n\nWe."];
  for (let seed = 0; seed < 10; seed++) {
    const { caption } = await local({ workedWell, seed: String(seed) });
    assert(caption.split("\n")[0]!.endsWith("?"), caption);
  }
});

Deno.test("any goal, theme or language yields a caption", async () => {
  const subjects = [
    { goal: null, theme: "Our new espresso machine" },
    { goal: "成長", theme: null },
    { goal: "x", theme: null },
    { goal: "GROW", theme: null, guidance: "Grow! ".repeat(300) },
  ];
  for (const subject of subjects) {
    for (const format of SeriesFormat.options) {
      const { caption, hashtags } = await local({ ...subject, format });
      assert(lengthOf(caption) > 20 && lengthOf(publicText(caption, hashtags)) <= 2_200, caption);
    }
  }
});

Deno.test("the whole public text stays within the platform's limit, counted in code points", async () => {
  const long = { caption: "Ein schöner Satz 😀. ".repeat(400), hashtags: ["eins", "zwei"] };
  for (const platform of ["instagram", "linkedin", null] as (Platform | null)[]) {
    const { caption, hashtags } = await told(long, { platform });
    const length = lengthOf(publicText(caption, hashtags));
    assert(length <= 2_200 && length > 2_000, `${platform}: ${length}`);
    assert(caption.endsWith("."), "cut within a sentence");
  }
});

Deno.test("hashtags are normalized, each once, at most five, and taken out of the caption's end", async () => {
  const { caption, hashtags } = await told({
    caption: "Come and see.\n\n#Töpfern #ClayLove",
    hashtags: ["#Pottery Time", "pottery time", "123", "", "ÉTÉ", "a-b", "six", "seven"],
  });
  assertEquals(caption, "Come and see.");
  assertEquals(hashtags, ["potterytime", "été", "ab", "six", "seven"]);
  assertEquals(publicText("Hi", ["a", "b"]), "Hi\n\n#a #b");
  assertEquals(publicText("Hi", []), "Hi");
});

Deno.test("an empty caption of a model is replaced, never published", async () => {
  const { caption } = await told({ caption: "  \n", hashtags: [] });
  assertStringIncludes(caption.toLowerCase(), "weekend pottery classes");
});

Deno.test("a model that fails or answers in another shape is a 503 with Retry-After", async () => {
  const down: TextModel = {
    name: "down",
    write: () => Promise.reject(new ModelError("No answer.", { transient: true })),
  };
  const refusals = [
    () => writeCaption({ textModel: down }, BRIEF),
    () => told({ caption: 5 }),
    () => told({ caption: "Hi", hashtags: [], note: "extra" }),
  ];
  for (const refusal of refusals) {
    const { code, retryAfter } = await assertRejects(refusal, ServiceError);
    assertEquals(code, "serviceUnavailable");
    assert(retryAfter! > 0);
  }
});
