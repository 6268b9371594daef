/** Steering one post in Studio: skipping and publishing ask first, a caption is chosen, a change is saved. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ModelError } from "../../domain/models/model.ts";
import { quickModel } from "../support/quick_model.ts";
import { colleague } from "../support/colleagues.ts";
import { testService } from "../support/service.ts";
import { itemOf, studioPerson } from "../support/studio.ts";
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

Deno.test("saving a post changes only what was changed on the page, whatever was written meanwhile", async () => {
  await using t = await testService();
  const { person, postId, accountId } = await furnished(t);
  const page = (await person.open(`/posts/${postId}`)).text;
  const shown = (/name="shown" value="([^"]*)"/.exec(page)?.[1] ?? "").replaceAll("&quot;", '"');
  const old = { caption: "Good morning", hashtags: "", socialAccountId: accountId, shown };
  const { secret } = await t.key(person.brand.id, ["createWrite"]);
  const body = { caption: "Written meanwhile", scheduledFor: "2026-11-25T09:00:00Z" };
  await t.call(secret, `/v1/items/${postId}`, { method: "PATCH", body });
  const at = { scheduledFor: "2026-11-24T09:00" };
  const saved = await person.send(`/posts/${postId}`, { ...old, ...at, altText: "A boat" });
  assertEquals(saved.status, 303, saved.text);
  const item = await itemOf(t, person, postId);
  assertEquals([item.caption, item.altText], ["Written meanwhile", "A boat"]);
  assertEquals(item.scheduledFor, "2026-11-25T09:00:00.000Z");
  const { chain } = await (await t.call(
    (await t.key(person.brand.id, ["createRead"])).secret,
    `/v1/items/${postId}/why`,
  )).json();
  assertEquals(chain.at(-1).cause, "Changed by ana@example.com: altText.");
  const early = { ...old, scheduledFor: "2020-01-01T09:00" };
  const refused = await person.send(`/posts/${postId}`, early);
  assertEquals(refused.status, 400);
  assertStringIncludes(refused.text.replaceAll("&quot;", '"'), `value="${shown}"`);
  const broken = { ...old, ...at, scheduledFor: "2026-11-25T09:00", shown: "{", caption: "Mine" };
  assertEquals((await person.send(`/posts/${postId}`, broken)).status, 303);
  assertEquals((await itemOf(t, person, postId)).caption, "Mine");
});
