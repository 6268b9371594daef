/** The metrics pass: one reading a UTC day, what is due when, and nothing lost between passes. */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { listValues } from "../../domain/kv/transact.ts";
import { Platform } from "../../domain/posts/shape.ts";
import { runPass } from "../../jobs/passes.ts";
import { listSocialAccounts } from "../../domain/platforms/accounts.ts";
import { metricsPass } from "../../jobs/refresh_metrics.ts";
import { rehearse } from "../support/rehearsal.ts";

/** The service's calls to the platforms that match. */
function counting() {
  const calls: string[] = [];
  const count = (part: string) => calls.filter((url) => url.includes(part)).length;
  return { calls, count };
}

Deno.test("a pass reads every public post of every platform and reports what it did", async () => {
  await using r = await rehearse();
  const accounts = await Promise.all(Platform.options.map((platform) => r.connect(platform)));
  const report = await r.pass();
  assertEquals([report["accounts"], report["failed"]], [3, 0]);
  assertEquals(report["posts"], report["readings"]);
  for (const account of accounts) {
    const posts = await r.posts(account.platform);
    // Instagram shows stories for one day only.
    const truth = (await r.truth(account)).filter(({ caption, publishedAt }) =>
      caption !== null || r.service.now() - Date.parse(publishedAt) < DAY
    );
    assertEquals(posts.length, truth.length);
    for (const post of posts) {
      assertEquals(post.snapshots.length, 1);
      assertEquals(
        post.metrics.saves !== null,
        account.platform === "instagram" &&
          post.format !== "story",
      );
      if (account.platform === "youtube") assertEquals(post.metrics.reach, null);
      if (account.platform === "linkedin") {
        assertEquals(
          post.metrics.clicks !== null,
          /https?:/.test(post.caption) ||
            post.title !== null && post.format === "image",
        );
      }
    }
  }
});

Deno.test("posts under thirty days are read in each pass, older ones once a UTC day", async () => {
  await using r = await rehearse({ at: Date.parse("2026-11-20T00:05:00Z") });
  for (const platform of Platform.options) await r.connect(platform);
  const all = (await r.pass())["posts"];
  r.t.turn(30 * MINUTE);
  const young = (await r.pass())["posts"];
  assert(young > 0 && young < all, `${young} of ${all}`);
  r.t.turn(DAY);
  await r.pass();
  for (const platform of Platform.options) {
    for (const post of await r.posts(platform)) {
      const days = post.snapshots.map(({ capturedAt }) => capturedAt.slice(0, 10));
      assertEquals(new Set(days).size, days.length);
      assertEquals(post.metrics, post.snapshots.at(-1));
      // A story of the day before has expired.
      if (post.format !== "story") assertEquals(days.at(-1), "2026-11-21");
    }
  }
});

Deno.test("a post that the platform no longer shows is kept with its last reading", async () => {
  await using r = await rehearse();
  await r.connect("instagram");
  await r.pass();
  const stories = (await r.posts("instagram")).filter(({ format }) => format === "story");
  assert(stories.length > 0);
  r.t.turn(3 * DAY);
  await r.pass();
  const later = new Map((await r.posts("instagram")).map((post) => [post.id, post]));
  for (const story of stories) assertEquals(later.get(story.id), story);
});

Deno.test("passes that overlap and workers that race store each reading once", async () => {
  await using r = await rehearse();
  for (const platform of Platform.options) await r.connect(platform);
  await Promise.all([r.pass(), r.pass(), r.pass()]);
  const once = (await listValues(r.service.kv, ["postReading"])).length;
  const posts = (await listValues(r.service.kv, ["post"])).length;
  assertEquals(once, posts);
  await r.pass();
  assertEquals((await listValues(r.service.kv, ["postReading"])).length, once);
});

Deno.test("a throttled account waits as long as the platform says, while the others are read", async () => {
  await using r = await rehearse();
  const instagram = await r.connect("instagram");
  await r.connect("linkedin");
  await r.fault("instagram", "list", "rateLimited");
  const report = await r.pass();
  assertEquals([report["failed"], report["posts"]], [1, 40]);
  const jobs = await r.service.jobs.list("waiting");
  const waiting = jobs.find(({ id }) => id === `metrics:${instagram.id}`)!;
  assert(waiting.dueAt > r.service.now());

  // Before that instant no scheduled pass calls the platform.
  r.t.turn(Math.max(0, waiting.dueAt - r.service.now() - 1_000));
  await runPass(r.service, r.t.worker, "metrics");
  await r.t.worker.drain();
  assertEquals((await r.posts("instagram")).length, 0);
  r.t.turn(2_000);
  await r.t.worker.drain();
  assert((await r.posts("instagram")).length > 0);
  assertEquals((await r.again(instagram)).error, null);
});

Deno.test("a metric that is not reported keeps its last value, or is null where that is allowed", async () => {
  const seen = counting();
  let withhold = false;
  await using r = await rehearse();
  const { http } = r.service;
  // From now on LinkedIn's answers lack two fields.
  const withholding: typeof fetch = async (input, init) => {
    seen.calls.push(String(input));
    const answer = await http(input, init);
    if (!withhold || !String(input).includes("ShareStatistics")) return answer;
    const text = await answer.text();
    return new Response(
      text.replaceAll(/"(likeCount|uniqueImpressionsCount)":\d+,?/g, "").replaceAll(",}", "}"),
    );
  };
  Object.assign(r.service, { http: withholding });
  await r.connect("linkedin");
  await r.pass();
  const before = new Map((await r.posts("linkedin")).map((post) => [post.id, post.metrics]));
  withhold = true;
  r.t.turn(DAY);
  await r.pass();
  for (const { id, metrics } of await r.posts("linkedin")) {
    const first = before.get(id);
    if (first === undefined) continue;
    assertEquals([metrics.likes, metrics.reach], [first.likes, null]);
    assert(metrics.impressions >= first.impressions);
  }
});

Deno.test("a metric that Instagram refuses spares the others and is tried once a pass", async () => {
  const seen = counting();
  await using r = await rehearse();
  const { http } = r.service;
  // Instagram has removed `shares`, and refuses it without naming it.
  const retiring: typeof fetch = async (input, init) => {
    const url = String(input);
    if (!url.includes("/insights")) return await http(input, init);
    seen.calls.push(url);
    if (!decodeURIComponent(url).includes("shares")) return await http(input, init);
    const error = { message: "(#100) Invalid parameter", type: "OAuthException", code: 100 };
    return Response.json({ error }, { status: 400 });
  };
  await r.connect("instagram");
  await r.pass();
  const before = new Map((await r.posts("instagram")).map((post) => [post.id, post.metrics]));
  Object.assign(r.service, { http: retiring });
  r.t.turn(HOUR);
  const report = await r.pass();
  assertEquals(report["failed"], 0);
  assert(report["readings"] > 0);
  for (const { id, metrics } of await r.posts("instagram")) {
    const first = before.get(id);
    if (first === undefined) continue;
    assertEquals(metrics.shares, first.shares);
    assert(metrics.views >= first.views);
  }
  // A few of the first calls find it out, and all others leave it out.
  assert(seen.count("shares") < 40, `${seen.count("shares")} of ${seen.calls.length}`);
});

Deno.test("with more than eighty YouTube channels each is read in every second scheduled pass", async () => {
  await using r = await rehearse();
  for (let at = 0; at < 84; at++) await r.connect("youtube", `channel-${at}`);
  const accounts = await listSocialAccounts(r.service.kv, null);
  const run = { passId: crypto.randomUUID(), brandId: null, byHand: false, round: 1 };
  const passes: string[][] = [];
  for (let pass = 0; pass < 2; pass++) {
    const known = await metricsPass.prepare!(r.service, run);
    assertEquals(known, ["youtube"]);
    const jobs = await metricsPass.jobsFor(r.service, { ...run, known }, accounts, {});
    passes.push(jobs.map(({ id }) => id));
    r.t.turn(30 * MINUTE);
  }
  assertEquals(new Set(passes.flat()).size, 84);
  assertEquals(passes.flat().length, 84, "read twice");
  assert(passes.every(({ length }) => length > 20), "the halves are about equal");
  assertEquals(await metricsPass.prepare!(r.service, { ...run, byHand: true }), []);
});
