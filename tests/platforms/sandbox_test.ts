/** The sandbox's own calls, its made-up histories and numbers, and its ordered faults. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DAY, HOUR } from "../../domain/foundation/calendar.ts";
import { Platform } from "../../domain/posts/shape.ts";
import { findAccount } from "../../domain/platforms/sandbox/accounts.ts";
import { orderFault, takeFault } from "../../domain/platforms/sandbox/faults.ts";
import { type Numbers, numbersAt } from "../../domain/platforms/sandbox/growth.ts";
import { publicPosts } from "../../domain/platforms/sandbox/posts.ts";
import { ORDINARY_WORLD, readWorld, setWorld } from "../../domain/platforms/sandbox/world.ts";
import {
  enc,
  publicImage,
  read,
  type SandboxClient,
  sandboxClient,
} from "../support/sandbox_client.ts";
import { NOON, testService } from "../support/service.ts";

Deno.test("without SANDBOX=on there is no sandbox", async () => {
  await using t = await testService({ environ: { SANDBOX: "off" } });
  assertEquals((await t.request(null, "/sandbox/instagram/demo/posts")).status, 404);
  assertEquals((await t.request(null, "/sandbox/instagram/v26.0/me")).status, 404);
});

Deno.test("an unknown handle or platform is not found, and an invalid fault is refused", async () => {
  await using t = await testService();
  for (const path of ["/sandbox/instagram/nobody/posts", "/sandbox/myspace/demo/posts"]) {
    const answer = await read(await t.request(null, path));
    assertEquals([answer.status, answer.body.error.code], [404, "notFound"]);
  }
  const bodies = [
    { operation: "list", fault: "serverError" },
    { operation: "read", fault: "serverError", times: 1 },
    { operation: "list", fault: "earthquake", times: 1 },
    { operation: "list", fault: "serverError", times: 0 },
    { operation: "list", fault: "serverError", times: "1" },
  ];
  for (const body of bodies) {
    const call = { method: "POST", body };
    const answer = await read(await t.request(null, "/sandbox/youtube/faults", call));
    assertEquals([answer.status, answer.body.error.code], [400, "validationError"]);
  }
});

Deno.test("a history has forty posts of 90 days, the same for the same name and instant", async () => {
  for (const platform of Platform.options) {
    const truths = [];
    for (let round = 0; round < 2; round++) {
      await using t = await testService();
      truths.push(await (await sandboxClient(t, platform, "Same Name")).truth());
    }
    assertEquals(truths[0], truths[1]);
    const truth = truths[0]!;
    assertEquals(truth.length, 40);
    assertEquals(new Set(truth.map(({ id }) => id)).size, 40);
    const times = truth.map(({ publishedAt }) => Date.parse(publishedAt));
    assertEquals(times, times.toSorted((a, b) => b - a));
    assert(times.every((at) => at < NOON && at >= NOON - 91 * DAY));
  }
});

Deno.test("connecting a handle again keeps its id and its posts, whatever its letters' case", async () => {
  await using t = await testService();
  const first = await sandboxClient(t, "instagram", "Shop");
  const truth = await first.truth();
  t.turn(HOUR);
  const answer = await t.request(null, "/sandbox/instagram/handles", {
    method: "POST",
    body: { handle: "shop" },
  });
  const again = await answer.json();
  assertEquals(again.externalId, first.grant.externalId);
  assert(again.accessToken !== first.grant.accessToken);
  assertEquals(await first.truth(), truth);
});

Deno.test("numbers never fall, grow fast at first and slowly later, and keep their proportions", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  for (const platform of Platform.options) {
    await sandboxClient(t, platform);
    const account = (await findAccount(kv, platform, "demo"))!;
    for (const post of await publicPosts(kv, now, account)) {
      let before: Numbers | null = null;
      for (const age of [0, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY]) {
        const after = numbersAt(account, post, ORDINARY_WORLD, post.publishedAt + age);
        for (const name of Object.keys(after) as (keyof Numbers)[]) {
          assert(before === null || after[name] >= before[name], `${platform} ${name} falls`);
          assert(after[name] <= after.views);
        }
        before = after;
      }
      const [day, month] = [DAY, 30 * DAY].map((age) =>
        numbersAt(account, post, ORDINARY_WORLD, post.publishedAt + age).views
      );
      assert(day! > 0.2 * month! && day! <= month!);
    }
  }
});

Deno.test("posts that meet a rule of the world earn more", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  await sandboxClient(t, "instagram");
  const account = (await findAccount(kv, "instagram", "demo"))!;
  const posts = await publicPosts(kv, now, account);
  await setWorld(kv, { rules: [{ caption: "#coffee", earns: 1.3 }] });
  const world = await readWorld(kv);
  let met = 0;
  for (const post of posts) {
    const usual = numbersAt(account, post, ORDINARY_WORLD, now()).views;
    const { views } = numbersAt(account, post, world, now());
    const likes = post.caption.includes("#coffee");
    met += Number(likes);
    assert(Math.abs(views - usual * (likes ? 1.3 : 1)) <= 2);
  }
  assert(met > 0 && met < posts.length);
});

/** For each operation a call that succeeds. */
const CALLS: Record<string, (client: SandboxClient) => Promise<unknown>> = {
  "instagram list": (ig) => ig.call("/v26.0/me/media"),
  "instagram metrics": async (ig) =>
    ig.call(`/v26.0/${(await ig.truth())[5]!.id}/insights?metric=views,likes`),
  "instagram upload": async (ig) =>
    ig.form("/v26.0/me/media", { image_url: (await publicImage(ig.t, 800, 800)).url }),
  "instagram publish": (ig) => ig.form("/v26.0/me/media_publish", { creation_id: "1" }),
  "instagram token": (ig) => ig.call("/refresh_access_token?grant_type=ig_refresh_token"),
  "linkedin list": (li) => li.call(`/rest/posts?q=author&author=${enc(li.grant.externalId)}`),
  "linkedin metrics": (li) => li.call("/rest/organizationalEntityShareStatistics?q=x"),
  "linkedin upload": (li) => li.post("/rest/images?action=initializeUpload", {}),
  "linkedin publish": (li) => li.post("/rest/posts", {}),
  "linkedin token": (li) => li.form("/oauth/v2/accessToken", { grant_type: "refresh_token" }),
  "youtube list": (yt) => yt.call("/youtube/v3/channels?part=id&mine=true"),
  "youtube metrics": (yt) => yt.call("/youtube/v3/videos?part=statistics&id=a"),
  "youtube token": (yt) => yt.form("/token", { grant_type: "refresh_token" }),
};

/** The status and code by which each platform reports a fault. */
const SAID: Record<string, Record<string, RegExp>> = {
  instagram: {
    serverError: /^500 .*"code":2,/,
    rateLimited: /^400 .*"code":80002,/,
    tokenExpired: /^400 .*"code":190,"error_subcode":463/,
    permission: /^403 .*"code":10,/,
    retiredMetric: /^400 .*"code":100,/,
  },
  linkedin: {
    serverError: /^500 /,
    rateLimited: /^429 .*TOO_MANY_REQUESTS/,
    tokenExpired: /^401 .*EXPIRED_ACCESS_TOKEN|^400 .*invalid_grant/,
    permission: /^403 .*ACCESS_DENIED|^401 .*access_denied/,
    retiredMetric: /^400 /,
  },
  youtube: {
    serverError: /^50[03] /,
    rateLimited: /^403 .*rateLimitExceeded|^429 /,
    tokenExpired: /^401 .*authError|^400 .*invalid_grant/,
    permission: /^403 /,
    retiredMetric: /^400 /,
  },
};

Deno.test("every fault is reported once, in the platform's form, by the operation it was ordered for", async () => {
  await using t = await testService();
  for (const platform of Platform.options) {
    const client = await sandboxClient(t, platform);
    for (const [name, call] of Object.entries(CALLS)) {
      const [where, operation] = name.split(" ");
      if (where !== platform) continue;
      const said = async () => {
        const { status, body } = await call(client) as { status: number; body: unknown };
        return `${status} ${JSON.stringify(body)}`;
      };
      const usual = await said();
      for (const [fault, words] of Object.entries(SAID[platform]!)) {
        assertEquals(await client.fault(operation!, fault), 204);
        assertMatch(await said(), words, `${name} ${fault}`);
        const after = await said();
        assertEquals(after.slice(0, 4), usual.slice(0, 4), `${name} after ${fault}`);
      }
    }
  }
});

Deno.test("a fault ordered for ten calls fails ten of fifty that come at once", async () => {
  await using t = await testService();
  const ig = await sandboxClient(t, "instagram");
  await ig.fault("list", "serverError", 7);
  await ig.fault("list", "rateLimited", 3);
  await ig.fault("metrics", "serverError", 1);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ig.call("/v26.0/me/media")),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  assertEquals([count(500), count(400), count(200)], [7, 3, 40]);
  assertEquals(
    (await t.app.request("/sandbox/instagram/faults", { method: "DELETE" })).status,
    204,
  );
  const id = (await ig.truth())[5]!.id;
  assertEquals((await ig.call(`/v26.0/${id}/insights?metric=views`)).status, 200);
});

Deno.test("faults outlive a restart", async () => {
  const dir = await Deno.makeTempDir();
  try {
    {
      using kv = await Deno.openKv(`${dir}/kv.sqlite3`);
      await orderFault(kv, "youtube", { operation: "list", fault: "permission", times: 1 });
    }
    using kv = await Deno.openKv(`${dir}/kv.sqlite3`);
    assertEquals(await takeFault(kv, "youtube", "metrics"), null);
    assertEquals(await takeFault(kv, "youtube", "list"), "permission");
    assertEquals(await takeFault(kv, "youtube", "list"), null);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("two calls at once publish one container once", async () => {
  await using t = await testService();
  const ig = await sandboxClient(t, "instagram");
  const { url } = await publicImage(t, 800, 800);
  const creation_id = (await ig.form("/v26.0/me/media", { image_url: url })).body.id;
  t.turn(HOUR);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ig.form("/v26.0/me/media_publish", { creation_id })),
  );
  assertEquals(answers.filter(({ status }) => status === 200).length, 1);
  assertEquals((await ig.truth()).length, 41);
});

Deno.test("a caller can give up a call that hangs, and one that hangs after accepting took effect", async () => {
  await using t = await testService();
  const li = await sandboxClient(t, "linkedin");
  const publish = (commentary: string, signal: AbortSignal) =>
    li.call("/rest/posts", {
      method: "POST",
      signal,
      body: JSON.stringify({
        author: li.grant.externalId,
        commentary,
        visibility: "PUBLIC",
        distribution: { feedDistribution: "MAIN_FEED" },
        lifecycleState: "PUBLISHED",
      }),
    });
  await li.fault("publish", "timeout");
  assertEquals((await publish("never", AbortSignal.timeout(50))).status, 504);
  assertEquals((await li.truth()).length, 40);
  await li.fault("publish", "timeoutAfterAccept");
  assertEquals((await publish("once", AbortSignal.timeout(200))).status, 504);
  assertEquals((await li.truth())[0]!.caption, "once");
  assertEquals((await publish("once", AbortSignal.timeout(200))).status, 422);
});

Deno.test("a call with a malformed answer took effect all the same", async () => {
  await using t = await testService();
  const li = await sandboxClient(t, "linkedin");
  await li.fault("publish", "malformed");
  const answer = await li.post("/rest/posts", {
    author: li.grant.externalId,
    commentary: "published all the same",
    visibility: "PUBLIC",
    distribution: { feedDistribution: "MAIN_FEED" },
    lifecycleState: "PUBLISHED",
  });
  assertEquals(answer.headers.get("x-restli-id"), null);
  assertEquals(typeof answer.body, "string");
  assertEquals((await li.truth())[0]!.caption, "published all the same");
  await li.fault("list", "malformed");
  const list = await li.call(`/rest/posts?q=author&author=${enc(li.grant.externalId)}`);
  assertEquals([list.status, typeof list.body], [200, "string"]);
});
