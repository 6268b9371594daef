/** Steering one post in Studio: skipping and publishing ask first, captions and pictures are chosen. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ModelError } from "../../domain/models/model.ts";
import { quickModel } from "../support/quick_model.ts";
import { colleague } from "../support/colleagues.ts";
import { pass } from "../support/series.ts";
import { type TestService, testService } from "../support/service.ts";
import { type StudioPerson, studioPerson } from "../support/studio.ts";
import { furnished } from "../support/studio_brand.ts";

Deno.test("skipping a post asks first and says that it is for good", async () => {
  await using t = await testService();
  const { person, postId } = await furnished(t);
  const page = (await person.open(`/posts/${postId}`)).text;
  assertStringIncludes(page, `href="${person.at(`/posts/${postId}/skip`)}"`);
  assert(
    !page.includes(`action="${person.at(`/posts/${postId}/skip`)}"`),
    "no button skips at once",
  );
  const asks = (await person.open(`/posts/${postId}/skip`)).text;
  assertStringIncludes(asks, "Skip this post?");
  assertStringIncludes(asks, "this can&#39;t be undone");
  assertStringIncludes(asks, `action="${person.at(`/posts/${postId}/skip`)}"`);
  const viewer = await colleague(t, person, "viewer");
  assertEquals((await viewer.open(`/posts/${postId}/skip`)).status, 403);
  const stranger = await studioPerson(t, { email: "mallory@example.com" });
  assertEquals((await stranger.open(`/posts/${postId}/skip`)).status, 404);
  assertEquals((await person.send(`/posts/${postId}/skip`)).status, 303);
  assertStringIncludes((await person.open(`/posts/${postId}`)).text, "Skipped");
});

Deno.test("a caption is rewritten: several to choose from, and the post keeps its own until then", async () => {
  await using t = await testService();
  const { person, postId } = await furnished(t);
  const creditsOf = async () =>
    /([\d,]+) of [\d,]+ image credits/.exec((await person.open("/settings/plan")).text)?.[1];
  const before = await creditsOf();
  assert(before !== undefined);
  const { status, text } = await person.send(`/posts/${postId}/caption`);
  assertEquals(status, 200, text);
  const choices = [...text.matchAll(/name="caption" value="([^"]+)"/g)].map(([, one]) => one ?? "");
  assert(choices.length >= 2 && choices.length <= 3, `${choices.length} choices`);
  assertEquals(new Set(choices).size, choices.length);
  assert(!choices.includes("Good morning"));
  assertStringIncludes(text, "Good morning");
  assertStringIncludes((await person.open(`/posts/${postId}`)).text, "Good morning</textarea>");
  assertEquals(await creditsOf(), before, "it costs no credit");

  const words = { caption: "The first cup", hashtags: "harbour dawn" };
  const foreign = await person.send(`/posts/${postId}/words`, words, {
    origin: "https://evil.example",
  });
  assertEquals(foreign.status, 403);
  const stranger = await studioPerson(t, { email: "mallory@example.com" });
  assertEquals((await stranger.send(`/posts/${postId}/words`, words)).status, 404);
  assertEquals((await stranger.send(`/posts/${postId}/caption`)).status, 404);
  const viewer = await colleague(t, person, "viewer");
  assertEquals((await viewer.send(`/posts/${postId}/words`, words)).status, 403);
  assert(!(await viewer.open(`/posts/${postId}`)).text.includes("Rewrite"));
  assertEquals((await person.send(`/posts/${postId}/words`, words)).status, 303);
  const after = (await person.open(`/posts/${postId}`)).text;
  assertStringIncludes(after, "The first cup</textarea>");
  assertStringIncludes(after, "#harbour #dawn");
});

Deno.test("a post's page counts its text with hashtags for each platform of the brand", async () => {
  await using t = await testService();
  const { person, postId } = await furnished(t);
  await person.send(`/posts/${postId}/words`, { caption: "Ahoy 🚢", hashtags: "sea" });
  const page = (await person.open(`/posts/${postId}`)).text;
  // Six characters, an empty line, four characters.
  assertStringIncludes(page, 'data-limit="2200">12 / 2200<');
  assertEquals(page.match(/data-limit=/g)?.length, 1);
  assert(!page.includes("shows-zones"), "a feed post has no covered parts");
});

Deno.test("a story's page can show what the platform covers", async () => {
  await using t = await testService();
  const { person, accountId } = await furnished(t);
  const made = await person.send("/create", {
    idea: "A boat",
    variants: "1",
    aspectRatio: "story",
  });
  await t.worker.drain();
  const pictureId = new URL(made.next, "http://x").searchParams.get("ids");
  const planned = await person.send(`/pictures/${pictureId}/schedule`, {
    scheduledFor: "2026-11-24T12:00",
    socialAccountId: accountId,
  });
  const page = (await person.open(planned.next)).text;
  assertStringIncludes(page, 'class="shows-zones"');
  assert(!page.includes("data-limit"), "a story shows no text");
  const style = await t.app.request("/studio/assets/studio.css");
  assertStringIncludes(await style.text(), ":has(.shows-zones:checked) .picture::after");
});

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

/** The post as programs read it. */
async function itemOf(t: TestService, { brand }: StudioPerson, id: string) {
  const { secret } = await t.key(brand.id, ["createRead"]);
  return await (await t.call(secret, `/v1/items/${id}`)).json();
}

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

Deno.test("what can't be published says why on its page, and offers no button", async () => {
  await using t = await testService();
  const { person, postId, accountId } = await furnished(t);
  const page = async (id: string) => (await person.open(`/posts/${id}/publish`)).text;
  const button = (id: string) => `action="${person.at(`/posts/${id}/publish`)}"`;
  const asks = await page(postId);
  assertStringIncludes(asks, button(postId));
  assertStringIncludes(asks, "Publish this now?");

  const { secret } = await t.key(person.brand.id, ["createRead", "createWrite"]);
  const order = async () => {
    const body = { prompts: ["A cup"], caption: "A cup", socialAccountId: accountId };
    const { id } = await (await t.call(secret, "/v1/items", { method: "POST", body })).json();
    return String(id);
  };
  const waits = await order();
  const notYet = await page(waits);
  assertStringIncludes(notYet, "0 of 1 pictures are complete.");
  assert(!notYet.includes(button(waits)));
  await t.worker.drain();
  assertStringIncludes(await page(waits), button(waits));

  await person.send(`/posts/${postId}`, {
    ...{ caption: "Good morning", hashtags: "", scheduledFor: "2026-11-24T09:00" },
    socialAccountId: "",
  });
  const nowhere = await page(postId);
  assertStringIncludes(nowhere, "There is no connected account.");
  assert(!nowhere.includes(button(postId)));
  await person.send(`/posts/${postId}/skip`);
  const skipped = await page(postId);
  assertStringIncludes(skipped, "It was skipped by hand and will not be published.");
  assert(!skipped.includes(button(postId)));
});

Deno.test("a post that is held without a picture says so where it would be published", async () => {
  const imageModel = { ...quickModel, paint: refuse };
  await using t = await testService({ dependencies: { imageModel } });
  const person = await studioPerson(t);
  const { secret } = await t.key(person.brand.id, ["createRead", "createWrite", "publishWrite"]);
  const body = { prompts: ["A cup"], caption: "A cup" };
  const { id } = await (await t.call(secret, "/v1/items", { method: "POST", body })).json();
  await t.worker.drain();
  assertEquals((await itemOf(t, person, id)).status, "held");
  const { text } = await person.open(`/posts/${id}/publish`);
  assertStringIncludes(text, "The pictures are not there yet, or not all.");
  assert(!text.includes(`action="${person.at(`/posts/${id}/publish`)}"`), "nothing to publish");
  assertStringIncludes(text, `href="${person.at(`/posts/${id}`)}"`);
  const refused = await t.call(secret, `/v1/items/${id}/publish`, { method: "POST", body: {} });
  assertEquals(refused.status, 409, "as the operation does");
});
