/** A metric that a platform refuses for one product stays whole for the others, and no zero is stored. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import type { PostDetail } from "../../domain/posts/shape.ts";
import {
  metricIn,
  refusedMetric,
} from "../../domain/platforms/connectors/instagram/refused_metric.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";

async function refuse(r: Rehearsal, body: Record<string, unknown>): Promise<void> {
  const answer = await r.t.request(null, "/sandbox/instagram/refusals", { method: "POST", body });
  assertEquals(answer.status, 204);
}

async function allow(r: Rehearsal): Promise<void> {
  await r.t.request(null, "/sandbox/instagram/refusals", { method: "DELETE" });
}

const isReel = ({ format }: PostDetail) => format === "reel";
const isFeed = ({ format }: PostDetail) => format === "image" || format === "carousel";

/** Posts of each product in the sandbox's history of a handle. */
async function wholeCounts() {
  await using r = await rehearse();
  await r.connect("instagram");
  await r.pass();
  const posts = await r.posts("instagram");
  return { reels: posts.filter(isReel).length, feed: posts.filter(isFeed).length };
}

for (const words of ["product", "allowedValues", "mediaType", "none"]) {
  Deno.test(`views that are refused for feed posts (${words}) leave the reels whole and store no zero`, async () => {
    const whole = await wholeCounts();
    await using r = await rehearse();
    const account = await r.connect("instagram");
    await refuse(r, { product: "FEED", metric: "views", words });
    const report = await r.pass();
    const posts = await r.posts("instagram");
    assertEquals(posts.filter(isReel).length, whole.reels);
    assertEquals(posts.filter(isFeed), []);
    for (const { metrics } of posts) {
      assert(metrics.views > 0 && metrics.impressions > 0 && metrics.engagementRate > 0);
      assert(metrics.reach !== null && metrics.reach > 0);
    }
    assertEquals([report["failed"], report["missing"]], [1, whole.feed]);
    const told = await r.again(account);
    assertEquals(told.status, "connected");
    assertStringIncludes(told.error!, "Instagram refuses views of all feed posts.");
    assertStringIncludes(told.error!, `${whole.feed} posts are not shown`);
    assertStringIncludes(told.missing!, "views of all feed posts");
    assertStringIncludes(r.logged, '"event":"platform.missing"');

    // The next pass of the day doesn't ask again, and still tells.
    r.t.turn(30 * MINUTE);
    await r.pass();
    assertEquals((await r.again(account)).error, told.error);

    // A day later Instagram reports them again.
    await allow(r);
    r.t.turn(DAY);
    assertEquals((await r.pass())["failed"], 0);
    const healed = await r.again(account);
    assertEquals([healed.error, healed.missing], [null, null]);
    assertEquals((await r.posts("instagram")).filter(isFeed).length, whole.feed);
  });
}

Deno.test("shares that are refused for reels keep their last value there and are read elsewhere", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  await r.pass();
  const before = new Map((await r.posts("instagram")).map((post) => [post.id, post.metrics]));
  await refuse(r, { product: "REELS", metric: "shares" });
  r.t.turn(6 * DAY);
  const report = await r.pass();
  assertEquals(report["failed"], 0);
  let grown = 0;
  for (const post of await r.posts("instagram")) {
    const first = before.get(post.id)!;
    assert(post.metrics.shares >= first.shares && post.metrics.views >= first.views);
    if (isReel(post)) assertEquals(post.metrics.shares, first.shares);
    else if (post.metrics.shares > first.shares) grown++;
  }
  assert(grown > 0);
  const told = await r.again(account);
  assertEquals(told.error, null);
  assertStringIncludes(told.missing!, "shares of all reels");
  const reels = (await r.posts("instagram")).filter(isReel);
  assertEquals(report["missing"], reels.length);
});

Deno.test("views that only some posts of a product refuse are read for the others", async () => {
  await using r = await rehearse();
  const account = await r.connect("instagram");
  await refuse(r, { product: "FEED", metric: "views", spares: 4 });
  await r.pass();
  const some = (await r.posts("instagram")).filter(isFeed);
  assert(some.length > 2, "the posts that are spared are read, however many refuse before them");
  for (const { metrics } of some) assert(metrics.views > 0);
  assertStringIncludes((await r.again(account)).error!, "feed posts");
  r.t.turn(HOUR);
  await r.pass();
  const [again] = (await r.posts("instagram")).filter(isFeed);
  assert(again!.metrics.capturedAt > some[0]!.metrics.capturedAt);
});

Deno.test("a refusal names a metric by its place or in its own form, never by a list of others", () => {
  const asked = ["views", "reach", "likes", "comments", "shares", "saved"];
  const named = (message: string) => refusedMetric(metricIn(message), asked);
  const list = "must be one of the following values: impressions, reach, views";
  assertEquals(named(`(#100) metric[4] ${list}`), "shares");
  assertEquals(named(`(#100) metric[9] ${list}`), null);
  assertEquals(named("(#100) The metric saved is not supported for this media type"), "saved");
  assertEquals(
    named("The Media Insights API does not support the views metric for this media product type."),
    "views",
  );
  assertEquals(
    named("Starting from version v22.0, the impressions metric is no longer supported"),
    null,
  );
  assertEquals(named("(#100) Invalid parameter: reach, views and likes"), null);
});
