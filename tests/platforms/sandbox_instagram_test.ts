/** The local Instagram's answers and errors follow Meta's documents (PLATFORMS A). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import {
  type Answer,
  publicImage,
  type SandboxClient,
  sandboxClient,
} from "../support/sandbox_client.ts";
import { testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

const FIELDS = "id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink," +
  "shortcode,timestamp,username,like_count,comments_count,children{id,media_type,media_url}";

function assertRefused(answer: Answer, code: number, subcode?: number): void {
  const { error } = answer.body as { error: Json };
  assertEquals([error?.code, error?.error_subcode], [code, subcode], JSON.stringify(answer.body));
  assert(answer.status >= 400);
  assertEquals(typeof error.fbtrace_id, "string");
}

async function container(ig: SandboxClient, fields: Record<string, string>): Promise<string> {
  const answer = await ig.form("/v26.0/me/media", fields);
  assertEquals(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.id;
}

async function status(ig: SandboxClient, id: string): Promise<string> {
  return (await ig.call(`/v26.0/${id}?fields=status_code,status`)).body.status_code;
}

const publish = (ig: SandboxClient, id: string) =>
  ig.form("/v26.0/me/media_publish", { creation_id: id });

Deno.test("a code is exchanged for a token of an hour, then of sixty days, renewable after a day", async () => {
  await using t = await testService();
  const page = "/sandbox/instagram/oauth/authorize?client_id=app&redirect_uri=" +
    encodeURIComponent("http://127.0.0.1:9/back?a=b") +
    "&response_type=code&scope=instagram_business_basic&state=xyz";
  assertMatch(await (await t.app.request(page)).text(), /<form/);
  const cancelled = await t.app.request(`${page}&decision=cancel`);
  assertMatch(cancelled.headers.get("location")!, /error=access_denied.*state=xyz/);
  const agreed = await t.app.request(`${page}&handle=shop`);
  const back = new URL(agreed.headers.get("location")!);
  assertEquals([back.searchParams.get("a"), back.searchParams.get("state"), back.hash], [
    "b",
    "xyz",
    "#_",
  ]);
  const ig = await sandboxClient(t, "instagram", "shop");
  const fields = {
    client_id: "app",
    client_secret: "s",
    grant_type: "authorization_code",
    redirect_uri: "http://127.0.0.1:9/back?a=b",
    code: back.searchParams.get("code")!,
  };
  const short = await ig.form("/oauth/access_token", fields);
  const [grant] = short.body.data;
  assertEquals(grant.user_id, ig.grant.externalId);
  assertEquals(grant.permissions, "instagram_business_basic");
  const again = await ig.form("/oauth/access_token", fields);
  assertEquals([again.status, again.body.error_type], [400, "OAuthException"]);

  const long = await ig.call("/access_token?grant_type=ig_exchange_token&client_secret=s", {
    headers: { authorization: "none" },
  });
  assertRefused(long, 2500);
  const exchange = await ig.call(
    `/access_token?grant_type=ig_exchange_token&client_secret=s&access_token=${grant.access_token}`,
  );
  assertEquals([exchange.body.token_type, exchange.body.expires_in], ["bearer", 5_183_944]);
  const refresh = () =>
    ig.call(
      "/refresh_access_token?grant_type=ig_refresh_token&access_token=" +
        exchange.body.access_token,
    );
  assertRefused(await refresh(), 10);
  t.turn(DAY);
  const fresh = (await refresh()).body.access_token;
  assertEquals((await ig.call("/v26.0/me?fields=user_id", {}, fresh)).status, 200);
  t.turn(60 * DAY);
  assertRefused(await ig.call("/v26.0/me?fields=user_id", {}, fresh), 190, 463);
  assertRefused(await refresh(), 190, 463);
});

Deno.test("media are listed newest first in pages, with the documented fields and Meta's timestamps", async () => {
  await using t = await testService();
  const ig = await sandboxClient(t, "instagram");
  const seen: Json[] = [];
  let next = `/v26.0/${ig.grant.externalId}/media?fields=${FIELDS}&limit=7`;
  for (let page = 0; page < 10; page++) {
    const { body } = await ig.call(next);
    seen.push(...body.data);
    if (body.paging?.next === undefined) break;
    next = new URL(body.paging.next).href.split("/sandbox/instagram")[1]!;
  }
  const truth = await ig.truth();
  assertEquals(truth.length, 40);
  assertEquals(
    seen.map(({ id }) => id),
    truth.filter(({ caption }) => caption !== null).map(({ id }) => id),
  );
  for (const media of seen) {
    assertMatch(media.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
    assert(["IMAGE", "VIDEO", "CAROUSEL_ALBUM"].includes(media.media_type));
    assert(["FEED", "REELS"].includes(media.media_product_type));
    if (media.media_type === "CAROUSEL_ALBUM") assert(media.children.data.length >= 3);
  }
  const stories = await ig.call(`/v26.0/me/stories?fields=id,media_product_type,caption`);
  assertEquals(stories.body.data.map((story: Json) => story.media_product_type), [
    "STORY",
    "STORY",
  ]);
  t.turn(DAY);
  assertEquals((await ig.call("/v26.0/me/stories")).body.data, []);
  assertRefused(await ig.call("/v26.0/me/media?fields=id,clout"), 100);
  assertRefused(await ig.call("/v26.0/17841400000000000/media"), 100, 33);
  const picture = await t.app.request(truth[2]!.media[0]!);
  assertEquals([picture.status, picture.headers.get("content-type")], [200, "image/png"]);
  await picture.body?.cancel();
});

Deno.test("expired versions and tokens are refused by code, and headers tell the usage", async () => {
  await using t = await testService();
  const ig = await sandboxClient(t, "instagram");
  assertRefused(await ig.call("/v20.0/me"), 2635);
  assertRefused(await ig.call("/v99.0/me"), 2500);
  assertRefused(await ig.call("/v26.0/me", {}, "made-up"), 190, 467);
  const me = await ig.call("/v26.0/me?fields=id,user_id,username,account_type");
  assertEquals(me.body.user_id, ig.grant.externalId);
  assert(me.body.id !== me.body.user_id);
  assertEquals(JSON.parse(me.headers.get("x-app-usage")!).call_count, 3);
  t.turnTo("2027-01-21T00:00:00Z");
  assertRefused(await ig.call("/v21.0/me"), 2635);
  t.turn(60 * DAY);
  assertRefused(await ig.call("/v26.0/me"), 190, 463);
});

Deno.test("insights take the metrics of the product type; one wrong metric fails the request", async () => {
  await using t = await testService();
  const ig = await sandboxClient(t, "instagram");
  const media = (await ig.call(`/v26.0/me/media?fields=id,media_product_type&limit=50`)).body.data;
  const feed = media.find((one: Json) => one.media_product_type === "FEED").id;
  const reel = media.find((one: Json) => one.media_product_type === "REELS").id;
  const story = (await ig.call("/v26.0/me/stories")).body.data[0].id;
  const ask = (id: string, metric: string) => ig.call(`/v26.0/${id}/insights?metric=${metric}`);

  const { body } = await ask(feed, "views,reach,likes,comments,shares,saved");
  const [views] = body.data;
  assertEquals([views.name, views.period, views.id], [
    "views",
    "lifetime",
    `${feed}/insights/views/lifetime`,
  ]);
  assert(views.values[0].value > 0);
  assertEquals((await ask(reel, "views,saved,ig_reels_avg_watch_time")).status, 200);
  assertEquals((await ask(story, "views,reach,replies,navigation")).status, 200);
  assertRefused(await ask(feed, "views,impressions"), 100);
  assertRefused(await ask(feed, "views,plays"), 100);
  assertRefused(await ask(feed, "views,replies"), 100);
  assertRefused(await ask(reel, "views,profile_visits"), 100);
  assertRefused(await ask(story, "views,saved"), 100);
  assertRefused(await ask(feed, "facebook_views"), 100);
  t.turn(DAY);
  assertRefused(await ask(story, "views"), 100, 33);
});

Deno.test("an image is fetched, processed, published once and then public", async () => {
  await using t = await testService();
  const ig = await sandboxClient(t, "instagram");
  const { url, bytes } = await publicImage(t, 1080, 1350);
  const id = await container(ig, { image_url: url, caption: "Hello #world", alt_text: "A wall" });
  assertRefused(await publish(ig, id), 9007, 2207027);
  assertEquals(await status(ig, id), "IN_PROGRESS");
  assertEquals(await status(ig, id), "FINISHED");
  const published = await publish(ig, id);
  assertEquals(published.status, 200);
  assertEquals(await status(ig, id), "PUBLISHED");
  assertRefused(await publish(ig, id), 24, 2207006);

  const [newest, ...others] = await ig.truth();
  assertEquals([newest!.id, newest!.caption], [published.body.id, "Hello #world"]);
  assertEquals(others.length, 40);
  const copy = await t.app.request(newest!.media[0]!);
  assertEquals(await copy.bytes(), bytes);
  const node = await ig.call(`/v26.0/${newest!.id}?fields=permalink,timestamp,alt_text`);
  assertMatch(node.body.permalink, /^https:\/\/www\.instagram\.com\/p\//);
  assertEquals(node.body.alt_text, "A wall");
  const limit = await ig.call("/v26.0/me/content_publishing_limit?fields=quota_usage,config");
  assertEquals(limit.body.data, [{
    quota_usage: 1,
    config: { quota_total: 100, quota_duration: 86_400 },
  }]);

  const metrics = `/v26.0/${newest!.id}/insights?metric=views,likes`;
  // Only its owner has seen it; a metric without data is left out.
  const [views, ...unseen] = (await ig.call(metrics)).body.data;
  assertEquals([views.name, views.values, unseen], ["views", [{ value: 1 }], []]);
  t.turn(DAY);
  assert((await ig.call(metrics)).body.data[0].values[0].value > 0);
});

Deno.test("a carousel takes two to ten items and is published as one; a story lasts a day", async () => {
  await using t = await testService();
  const ig = await sandboxClient(t, "instagram");
  const { url } = await publicImage(t, 1080, 1080);
  const child = () => container(ig, { image_url: url, is_carousel_item: "true" });
  const children = [await child(), await child(), await child()];
  const carousel = (ids: string[]) =>
    ig.form("/v26.0/me/media", { media_type: "CAROUSEL", children: ids.join(","), caption: "c" });
  assertRefused(await carousel(children.slice(1)) && await carousel([children[0]!]), 100, 2207028);
  assertRefused(await carousel(["17900000000000000", children[0]!]), 24, 2207008);
  assertRefused(
    await ig.form("/v26.0/me/media", {
      image_url: url,
      is_carousel_item: "true",
      is_ai_generated: "true",
    }),
    100,
  );
  const parent = (await carousel(children)).body.id;
  assertRefused(await publish(ig, children[0]!), 100);
  await status(ig, parent);
  assertEquals(await status(ig, parent), "FINISHED");
  await publish(ig, parent);
  assertEquals((await ig.truth())[0]!.media.length, 3);

  const tall = await publicImage(t, 1080, 1920);
  const story = await container(ig, { media_type: "STORIES", image_url: tall.url });
  t.turn(2 * MINUTE);
  await publish(ig, story);
  const [newest] = await ig.truth();
  assertEquals(newest!.caption, null);
  const insights = `/v26.0/${newest!.id}/insights?metric=views,reach`;
  assertRefused(await ig.call(insights), 10);
  t.turn(12 * HOUR);
  assertEquals((await ig.call(insights)).status, 200);
  t.turn(12 * HOUR);
  assertRefused(await ig.call(insights), 100, 33);
});

Deno.test("what the feed can't show is refused with its subcode", async () => {
  await using t = await testService();
  const ig = await sandboxClient(t, "instagram");
  const { url } = await publicImage(t, 1080, 1350);
  const make = (fields: Record<string, string>) => ig.form("/v26.0/me/media", fields);
  const png = await publicImage(t, 800, 800, "png");
  const tall = await publicImage(t, 1024, 1536);
  const base = t.service.settings.BASE_URL;
  assertRefused(await make({ image_url: png.url }), 36001, 2207005);
  assertRefused(await make({ image_url: tall.url }), 36003, 2207009);
  assertRefused(await make({ image_url: `${base}/media/missing.jpg` }), 9004, 2207052);
  assertRefused(await make({ image_url: "http://127.0.0.1:1/x.jpg" }), 9004, 2207052);
  assertRefused(await make({ image_url: `${base}/ü.jpg` }), 9004, 2207052);
  assertRefused(await make({ image_url: url, caption: "x".repeat(2_201) }), 36004, 2207010);
  assertRefused(await make({ image_url: url, caption: "#a ".repeat(31) }), 36004, 2207010);
  assertRefused(await make({ image_url: url, caption: "@a ".repeat(21) }), 100, 2207040);
  assertRefused(await make({ image_url: url, media_type: "POSTER" }), 100, 2207023);
  assertRefused(await make({ caption: "no image" }), 100);
});

Deno.test("containers expire after a day, and only a hundred posts a day are taken", async () => {
  await using t = await testService();
  const ig = await sandboxClient(t, "instagram");
  const { url } = await publicImage(t, 1080, 1080);
  const old = await container(ig, { image_url: url });
  t.turn(DAY);
  assertEquals(await status(ig, old), "EXPIRED");
  assertRefused(await publish(ig, old), -2, 2207020);
  const ids: string[] = [];
  for (let at = 0; at < 101; at++) ids.push(await container(ig, { image_url: url }));
  t.turn(MINUTE);
  for (const id of ids.slice(0, 100)) assertEquals((await publish(ig, id)).status, 200);
  assertRefused(await publish(ig, ids[100]!), 9, 2207042);
  for (let at = 101; at < 400; at++) await container(ig, { image_url: url });
  assertRefused(await ig.form("/v26.0/me/media", { image_url: url }), 9, 2207042);
  t.turn(DAY);
  assertEquals((await ig.form("/v26.0/me/media", { image_url: url })).status, 200);
});
