/** Steering one post in Studio: skipping asks first, and a rewritten caption is chosen from several. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { colleague } from "../support/colleagues.ts";
import { testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";
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
