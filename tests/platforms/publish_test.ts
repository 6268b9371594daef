/** Publishing: files and texts fit the platform, and one attempt makes one public post. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { publishPost } from "../../domain/platforms/publish.ts";
import { HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { prepareFiles } from "../../domain/platforms/files.ts";
import { files } from "../support/uploads.ts";
import { rehearse } from "../support/rehearsal.ts";

const IMAGES = [[1080, 1350], [1200, 900], [800, 1400]] as const;

Deno.test("an image, a carousel and a story go public on Instagram with their texts", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  const before = (await r.truth(account)).length;
  const carousel = await Promise.all(
    IMAGES.map(async ([width, height]) => ({
      key: await r.picture(width, height, "png"),
      altText: "One of three",
    })),
  );
  for (
    const change of [
      {},
      { format: "carousel" as const, images: carousel },
      { format: "story" as const },
    ]
  ) {
    const attempt = await r.attempt(account, change);
    const outcome = await publishPost(r.service, attempt);
    assertEquals(outcome.state, "published", JSON.stringify(outcome));
    assert(outcome.state === "published");
    const [newest] = await r.truth(account);
    assertEquals(newest!.id, outcome.externalPostId);
    assertEquals(newest!.caption, attempt.format === "story" ? null : attempt.text);
    assertEquals(newest!.media.length, attempt.images.length);
    r.t.turn(MINUTE);
  }
  assertEquals((await r.truth(account)).length, before + 3);
});

Deno.test("an image and several images go public on LinkedIn, and people read the text unchanged", async () => {
  await using r = await rehearse();
  for (const handle of ["acme", "member-jane"]) {
    const account = await r.connect("linkedin", handle);
    const images = await Promise.all(
      IMAGES.map(async ([width, height]) => ({
        key: await r.picture(width, height),
        altText: "x",
      })),
    );
    const text = `Brackets (a) [b] {c} <d> *e* _f_ ~g~ |h| @i \\j #tag ${handle}`;
    for (const change of [{ text }, { format: "carousel" as const, images }]) {
      const attempt = await r.attempt(account, change);
      const outcome = await publishPost(r.service, attempt);
      assert(outcome.state === "published", JSON.stringify(outcome));
      const [newest] = await r.truth(account);
      assertEquals(newest!.id, outcome.externalPostId);
      assertEquals(newest!.caption, attempt.text);
      assertEquals(newest!.media.length, attempt.images.length);
      r.t.turn(MINUTE);
    }
  }
});

Deno.test("copies for a platform are kept with their attempt, and swept when it never began", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  const images = [{ key: await r.picture(900, 1600, "png"), altText: "" }];
  const attempt = await r.attempt(account, { images });
  const before = await files(r.t);
  // A process that ends here has stored a copy that no record names.
  const { keys: [orphan] } = await prepareFiles(r.service, "instagram", attempt);
  const name = orphan!.replace("media/", "");
  assert(!before.includes(name) && (await files(r.t)).includes(name));
  assertEquals((await publishPost(r.service, attempt)).state, "published");
  const own = (await files(r.t)).filter((file) => !before.includes(file) && file !== name);
  r.t.turn(2 * HOUR);
  await r.t.worker.drain();
  assert(own.length > 0);
  assertEquals(await files(r.t), [...before, ...own].sort());
});

Deno.test("repeating a published attempt returns the same and posts nothing", async () => {
  await using r = await rehearse();
  for (const platform of ["instagram", "linkedin"] as const) {
    const account = await r.connect(platform);
    const attempt = await r.attempt(account);
    const first = await publishPost(r.service, attempt);
    const count = (await r.truth(account)).length;
    assertEquals(await publishPost(r.service, attempt), first);
    assertEquals((await r.truth(account)).length, count);
  }
});

Deno.test("two callers of one attempt at once make one public post", async () => {
  await using r = await rehearse();
  for (const platform of ["instagram", "linkedin"] as const) {
    const account = await r.connect(platform);
    const attempt = await r.attempt(account);
    const outcomes = await Promise.all([1, 2, 3].map(() => publishPost(r.service, attempt)));
    const states = outcomes.map(({ state }) => state).sort();
    assertEquals(states, ["published", "working", "working"]);
    const captions = (await r.truth(account)).map(({ caption }) => caption);
    assertEquals(captions.filter((caption) => caption === attempt.text).length, 1);
  }
});

Deno.test("a post that the platform doesn't take is refused with a reason before any call", async () => {
  await using r = await rehearse();
  const instagram = await r.connect("instagram");
  const linkedin = await r.connect("linkedin");
  const youtube = await r.connect("youtube");
  const cases = [
    [youtube, {}, /read-only/],
    [linkedin, { format: "story" as const }, /no stories/],
    [instagram, { text: "x".repeat(2_201) }, /2200 characters/],
    [instagram, { text: "#a ".repeat(31) }, /30 hashtags/],
    [linkedin, { text: "x".repeat(3_001) }, /3000 characters/],
    [instagram, { format: "carousel" as const }, /2 to 10 images/],
  ] as const;
  for (const [account, change, words] of cases) {
    const outcome = await publishPost(r.service, await r.attempt(account, change));
    assert(outcome.state === "refused", JSON.stringify(outcome));
    assertMatch(outcome.message, words);
  }
});

Deno.test("alternative text is cut to the platform's limit without splitting a character", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  const images = [{ key: await r.picture(), altText: `a${"😀".repeat(520)}` }];
  const outcome = await publishPost(r.service, await r.attempt(account, { images }));
  assertEquals(outcome.state, "published", JSON.stringify(outcome));
});

Deno.test("an account that must be connected again refuses a post at once", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  await r.fault("instagram", "publish", "tokenExpired");
  const attempt = await r.attempt(account);
  const outcome = await publishPost(r.service, attempt);
  assert(outcome.state === "refused" && outcome.code === "tokenDead", JSON.stringify(outcome));
  assertEquals((await r.again(account)).status, "reconnect");
  assertEquals((await publishPost(r.service, attempt)).state, "refused");
  await r.connect("instagram");
  assertEquals((await publishPost(r.service, attempt)).state, "published");
});

Deno.test("a post published for a LinkedIn member is measured from then on", async () => {
  await using r = await rehearse();
  const account = await r.connect("linkedin", "member-jane");
  assertEquals((await r.pass())["posts"], 0);
  const attempt = await r.attempt(account);
  const outcome = await publishPost(r.service, attempt);
  assert(outcome.state === "published");
  r.t.turn(30 * MINUTE);
  await r.pass();
  const [post] = await r.posts("linkedin");
  assertEquals(post!.caption, attempt.text);
  assertStringIncludes(post!.url, outcome.externalPostId!);
});
