/** The twin guard: a post that says or shows what another one does is tried once more, then held. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import { likenessOf, looksLike } from "../../domain/media/images/likeness.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { writer } from "../../domain/models/choose.ts";
import { type ImageModel, ModelError, type TextModel } from "../../domain/models/model.ts";
import { createLog } from "../../domain/foundation/log.ts";
import { warnDrafts } from "../../domain/series/drafts.ts";
import { seriesKit } from "../support/series.ts";
import { NOON, testService } from "../support/service.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A small picture with features of its own: waves of the given length. */
async function waves(length: number): Promise<Bytes> {
  const sharp = await loadSharp();
  const [width, height] = [160, 200];
  const data = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return 128 + 60 * Math.sin(x / length) + 60 * Math.sin((x + 2 * y) / (length + 9));
  });
  const raw = { width, height, channels: 1 as const };
  return new Uint8Array(await sharp(data, { raw }).jpeg().toBuffer());
}

const PICTURE = await waves(17);

/** An image model that paints what `next` returns, and counts its calls. */
function painting(next: () => Promise<Bytes>): ImageModel & { prompts: string[] } {
  const prompts: string[] = [];
  return {
    name: "gallery",
    atOnce: 1,
    prompts,
    async paint({ prompt }) {
      prompts.push(prompt);
      return { bytes: await next(), contentType: "image/jpeg" };
    },
  };
}

Deno.test("a picture like another one of its series is painted again, and then held with its twin named", async () => {
  const imageModel = painting(() => Promise.resolve(PICTURE));
  await using t = await testService({ dependencies: { imageModel } });
  const { create, items, pass, why } = await seriesKit(t);
  const { id } = await create();
  await pass();
  t.turn(DAY);
  await pass();
  const [first, second] = await items(id);
  assertEquals([first.status, second.status], ["ready", "held"]);
  assertEquals(imageModel.prompts.length, 3, "one more try, at no further credit");
  assertStringIncludes(second.error, first.id);
  assertEquals((await why(id, second.id)).heldFor, "twin");
  assertNotEquals(second.caption, "", "a person can publish it as it is");
});

Deno.test("another picture at the second try is no twin; flat pictures have nothing to compare", async () => {
  let at = 0;
  const pictures = [PICTURE, PICTURE, await waves(29)];
  const imageModel = painting(() => Promise.resolve(pictures[at++]!));
  await using t = await testService({ dependencies: { imageModel } });
  const { create, items, pass } = await seriesKit(t);
  const { id } = await create();
  await pass();
  t.turn(DAY);
  await pass();
  const [, second] = await items(id);
  assertEquals([second.status, at], ["ready", 3]);
  assertStringIncludes(imageModel.prompts.at(-1)!, "another point of view");
  const sharp = await loadSharp();
  const flat = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .jpeg().toBuffer();
  assertEquals(await likenessOf(new Uint8Array(flat)), null);
  const again = new Uint8Array(await sharp(PICTURE).resize(200, 250).jpeg().toBuffer());
  assert(looksLike((await likenessOf(PICTURE))!, (await likenessOf(again))!));
});

Deno.test("a caption that says the same twice is asked for again, and then held", async () => {
  let captions = 0;
  const textModel: TextModel = {
    name: "dull",
    write(task, signal) {
      if (task.name !== "caption") return writer.write(task, signal);
      captions++;
      const caption = "Nothing says morning like the very first loaf of the day.";
      return Promise.resolve({ caption, hashtags: [] } as Awaited<
        ReturnType<typeof task.local>
      >);
    },
  };
  await using t = await testService({ dependencies: { textModel } });
  const { create, items, pass, act } = await seriesKit(t);
  const { id } = await create();
  await pass();
  t.turn(DAY);
  await pass();
  const [first, second] = await items(id);
  assertEquals([first.status, second.status, captions], ["ready", "held", 3]);
  assertStringIncludes(second.error, "caption is too much like");
  assertEquals((await act(id, second.id, "regenerate")).status, 204);
  await act(id, first.id, "skip");
  await pass();
  assertEquals((await items(id))[1].status, "ready", "what was skipped is no twin");
});

Deno.test("a regenerated post gets another topic; a carousel has words of its own on each image", async () => {
  await using t = await testService();
  const { create, items, pass, act, call } = await seriesKit(t);
  const overlay = { template: "lowerThird", text: "Fresh" };
  const { id } = await create({ format: "carousel", overlay });
  await pass();
  const [before] = await items(id);
  assertEquals(before.decision.draft, true, "the local writer's texts are proposals");
  assert(before.decision.topic.includes("Bread fresh from the oven"), before.decision.topic);
  assertNotEquals(before.decision.onImage, before.decision.direction);
  await act(id, before.id, "regenerate");
  await pass();
  const [after, ...others] = await items(id);
  for (const { decision } of [before, ...others]) {
    assertNotEquals(decision.topic, after.decision.topic);
  }
  const caption = "Come by today.";
  await call("PATCH", `/v1/items/${after.id}`, { caption });
  await act(id, after.id, "regenerate");
  await pass();
  const [kept] = await items(id);
  assertEquals([kept.caption, kept.decision.topic === after.decision.topic], [caption, false]);
});

Deno.test("without the text model nothing is made; the next pass gives the topics", async () => {
  let isDown = true;
  const textModel: TextModel = {
    name: "shy",
    write: (task, signal) =>
      isDown && task.name === "topics"
        ? Promise.reject(new ModelError("The text model is away.", { transient: true }))
        : writer.write(task, signal),
  };
  await using t = await testService({ dependencies: { textModel } });
  const { create, items, pass } = await seriesKit(t);
  const { id } = await create();
  await pass();
  const [planned] = await items(id);
  assertEquals([planned.status, planned.decision.topic], ["planned", null]);
  isDown = false;
  await pass();
  const [ready] = await items(id);
  assertEquals([ready.status, ready.decision.draft], ["ready", false]);
});

Deno.test("a text model that answers topics with something else gets the deck's in their place", async () => {
  const textModel: TextModel = {
    name: "odd",
    write: (task, signal) =>
      task.name === "topics"
        ? Promise.resolve({} as Awaited<ReturnType<typeof task.local>>)
        : writer.write(task, signal),
  };
  await using t = await testService({ dependencies: { textModel } });
  const { create, items, pass } = await seriesKit(t);
  const { id } = await create();
  await pass();
  const [ready] = await items(id);
  assertEquals(ready.status, "ready");
  assert(ready.decision.topic !== null);
});

Deno.test("the start warns once of series that publish what was written without a text model", async () => {
  let logged = "";
  const write = (bytes: Uint8Array) => {
    logged += new TextDecoder().decode(bytes);
    return Promise.resolve(bytes.length);
  };
  const log = createLog("info", { write }, () => NOON);
  await using t = await testService({ dependencies: { log } });
  const { create, connect } = await seriesKit(t);
  const { id: socialAccountId } = await connect();
  await create();
  await create({ socialAccountId, publishDrafts: false });
  await create({ socialAccountId, caption: "Our own words." });
  const warned = async () => {
    await log.flush();
    return logged.split('"series.drafts"').length - 1;
  };
  await warnDrafts(t.service);
  assertEquals(await warned(), 0);
  await create({ socialAccountId });
  await create({ socialAccountId });
  await warnDrafts(t.service);
  assertEquals(await warned(), 1);
  await warnDrafts({ ...t.service, textModel: { ...writer, isLocal: false } });
  assertEquals(await warned(), 1);
});
