/** The earlier pictures of a post in Studio: which are shown, and which are used again. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ModelError } from "../../domain/models/model.ts";
import { colleague } from "../support/colleagues.ts";
import { quickModel } from "../support/quick_model.ts";
import { pass } from "../support/series.ts";
import { testService } from "../support/service.ts";
import { itemOf, type StudioPerson, studioPerson } from "../support/studio.ts";
import { furnished } from "../support/studio_brand.ts";

const refuse = () => Promise.reject(new ModelError("no", { transient: false }));

/** The earlier pictures on a post's page: their number, words and buttons. */
async function earlier(person: StudioPerson, postId: string) {
  const page = (await person.open(`/posts/${postId}`)).text;
  const strip = /<ul class="versions">(.*?)<\/ul>/s.exec(page)?.[1] ?? "";
  return [...strip.matchAll(/<li>(.*?)<\/li>/gs)].map(([, one = ""]) => ({
    pictures: [...one.matchAll(/name="pictures" value="([^"]+)"/g)].map(([, id]) => id ?? ""),
    words: one.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim(),
  }));
}

const use = (pictures: string[]) => pictures.map((id): [string, string] => ["pictures", id]);

Deno.test("a post shows its earlier pictures, newest first, and one of them is used again", async () => {
  await using t = await testService();
  const { person, postId, pictureId } = await furnished(t);
  assertEquals(await earlier(person, postId), [], "it has had one picture only");
  await person.send(`/posts/${postId}/approve`);
  await person.send(`/posts/${postId}/regenerate`);
  const sentBack = (await person.open(`/posts/${postId}`)).text;
  assertStringIncludes(sentBack, "A new picture comes here.");
  assertEquals((await earlier(person, postId)).map(({ pictures }) => pictures), [[pictureId]]);

  for (let round = 1; round <= 2; round++) {
    t.turn(60_000);
    await person.send(`/posts/${postId}/regenerate`);
    await pass(t);
  }
  const renewed = await itemOf(t, person, postId);
  const [first, second, third] = renewed.creations.map(({ id }: { id: string }) => id);
  assertEquals([first, renewed.creationIds], [pictureId, [third]]);
  const strip = await earlier(person, postId);
  assertEquals(strip.map(({ pictures }) => pictures), [[second], [first]]);
  assertEquals(
    strip[1]?.words,
    "Fri 20 Nov, 12:00 A harbour at dawn Use this picture again , made Fri 20 Nov, 12:00",
  );

  const viewer = await colleague(t, person, "viewer");
  assertEquals((await earlier(viewer, postId)).map(({ pictures }) => pictures), [[], []]);
  const stranger = await studioPerson(t, { email: "mallory@example.com" });
  assertEquals((await stranger.send(`/posts/${postId}/pictures`, use([first]))).status, 404);

  const { secret } = await t.key(person.brand.id, ["createRead"]);
  const credits = async () => (await (await t.call(secret, "/v1/credits")).json()).used;
  const before = await credits();
  const { status, text } = await person.send(`/posts/${postId}/pictures`, use([first]));
  assertEquals(status, 303, text);
  const after = await itemOf(t, person, postId);
  assertEquals([after.status, after.creationIds], ["ready", [first]]);
  assertEquals([after.caption, after.approvedAt], [renewed.caption, null]);
  assertEquals(await credits(), before, "it costs nothing");
  const now = await earlier(person, postId);
  assertEquals(now.map(({ pictures }) => pictures), [[third], [second]]);
});

Deno.test("earlier pictures that failed or were deleted can't be used again", async () => {
  let fails = false;
  const imageModel = {
    ...quickModel,
    paint: (request: Parameters<typeof quickModel.paint>[0]) =>
      fails ? refuse() : quickModel.paint(request),
  };
  await using t = await testService({ dependencies: { imageModel } });
  const { person, postId, pictureId } = await furnished(t);
  const renew = async () => {
    t.turn(60_000);
    await person.send(`/posts/${postId}/regenerate`);
    await pass(t);
  };
  fails = true;
  await renew();
  const held = (await person.open(`/posts/${postId}`)).text;
  assertStringIncludes(held, "Could not be made");
  assertEquals((await earlier(person, postId)).map(({ pictures }) => pictures), [[pictureId]]);
  fails = false;
  await renew();
  const [failed, first] = await earlier(person, postId);
  assertEquals([failed?.pictures, first?.pictures], [[], [pictureId]]);
  assertStringIncludes(failed?.words ?? "", "Could not be made");
  const { creations } = await itemOf(t, person, postId);
  const refused = await person.send(`/posts/${postId}/pictures`, use([creations[1].id]));
  assertEquals(refused.status, 409);
  assertStringIncludes(refused.text, "A post takes complete pictures only.");

  await person.send(`/pictures/${pictureId}/delete`);
  assertEquals((await earlier(person, postId)).length, 1);
  assertEquals((await person.send(`/posts/${postId}/pictures`, use([pictureId]))).status, 400);
  assertEquals((await person.send(`/posts/${postId}/pictures`)).status, 400);
  await person.send(`/posts/${postId}/skip`);
  assertStringIncludes((await person.open(`/posts/${postId}`)).text, "Earlier pictures");
});

Deno.test("a carousel's earlier pictures are used again together, in their order", async () => {
  await using t = await testService();
  const { person } = await furnished(t);
  const { secret } = await t.key(person.brand.id, ["createRead", "createWrite"]);
  const prompts = ["A boat", "A gull", "A lighthouse"];
  const body = {
    format: "carousel",
    prompts,
    caption: "Three",
    scheduledFor: "2026-11-25T09:00:00Z",
  };
  const { id } = await (await t.call(secret, "/v1/items", { method: "POST", body })).json();
  await t.worker.drain();
  const { creationIds } = await itemOf(t, person, id);
  assertEquals(creationIds.length, 3);
  t.turn(60_000);
  await person.send(`/posts/${id}/regenerate`);
  await pass(t);
  const [version] = await earlier(person, id);
  assertEquals(version?.pictures, creationIds);
  assertMatch(version?.words ?? "", /3 pictures A boat Use these pictures again/);
  assertEquals((await person.send(`/posts/${id}/pictures`, use(creationIds))).status, 303);
  assertEquals((await itemOf(t, person, id)).creationIds, creationIds);
  const page = (await person.open(`/posts/${id}`)).text;
  assertStringIncludes(page, 'aria-label="3 pictures"');
});
