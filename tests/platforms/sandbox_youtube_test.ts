/** The local YouTube's answers and errors follow Google's documents (PLATFORMS C). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DAY, HOUR } from "../../domain/foundation/calendar.ts";
import { sampleChannel } from "../../domain/platforms/sandbox/sample.ts";
import { quotaKey } from "../../routes/sandbox/youtube/call.ts";
import { type Answer, enc, type SandboxClient, sandboxClient } from "../support/sandbox_client.ts";
import { testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

function assertRefused(answer: Answer, status: number, reason: string): void {
  assertEquals([answer.status, answer.body.error?.errors?.[0]?.reason], [status, reason]);
}

const uploadsOf = ({ grant }: SandboxClient) => `UU${grant.externalId.slice(2)}`;

async function videoIds(yt: SandboxClient): Promise<string[]> {
  const ids: string[] = [];
  let token = "";
  for (let page = 0; page < 10; page++) {
    const { body } = await yt.call(
      `/youtube/v3/playlistItems?part=contentDetails&playlistId=${
        uploadsOf(yt)
      }&maxResults=25&pageToken=${token}`,
    );
    ids.push(...body.items.map(({ contentDetails }: Json) => contentDetails.videoId));
    token = body.nextPageToken ?? "";
    if (token === "") break;
  }
  return ids;
}

const videos = (yt: SandboxClient, ids: string[]) =>
  yt.call(`/youtube/v3/videos?part=snippet,contentDetails,statistics&id=${ids.join(",")}`);

Deno.test("the uploads playlist leads to every video, whose counts are strings", async () => {
  await using t = await testService();
  const yt = await sandboxClient(t, "youtube");
  const channels = await yt.call("/youtube/v3/channels?part=id,contentDetails&mine=true");
  const [channel] = channels.body.items;
  assertEquals(channel.id, yt.grant.externalId);
  assertMatch(channel.id, /^UC[\w-]{22}$/);
  assertEquals(channel.contentDetails.relatedPlaylists.uploads, uploadsOf(yt));
  const ids = await videoIds(yt);
  assertEquals(ids, (await yt.truth()).map(({ id }) => id));
  assertEquals(ids.length, 40);
  const { body } = await videos(yt, ids);
  assertEquals(body.items.length, 40);
  for (const { id, statistics, contentDetails, snippet } of body.items) {
    assertMatch(id, /^[\w-]{11}$/);
    assertMatch(statistics.viewCount, /^\d+$/);
    assertMatch(contentDetails.duration, /^PT(\d+M)?(\d+S)?$/);
    assertMatch(snippet.publishedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  }
  assertEquals((await videos(yt, ["none-such-1"])).body.items, []);
  assertRefused(await videos(yt, Array(51).fill(ids[0])), 400, "invalidFilters");
  const other = `/youtube/v3/playlistItems?part=id&playlistId=UUother`;
  assertRefused(await yt.call(other), 404, "playlistNotFound");
  assertRefused(await yt.call("/youtube/v3/channels?mine=true"), 400, "missingRequiredParameter");
});

Deno.test("analytics come days late, with column headers, and without impressions", async () => {
  await using t = await testService();
  const yt = await sandboxClient(t, "youtube");
  const ids = await videoIds(yt);
  const report = (query: string) =>
    yt.call(`/v2/reports?ids=channel==MINE&startDate=2005-01-01&endDate=2026-11-20&${query}`);
  const top = `dimensions=video&filters=video==${ids.join(",")}&sort=-views&maxResults=200`;
  const { body } = await report(`${top}&metrics=views,shares`);
  assertEquals(body.columnHeaders.map(({ name }: Json) => name), ["video", "views", "shares"]);
  const [id, views] = body.rows[0];
  const live = (await videos(yt, [id])).body.items[0].statistics.viewCount;
  assert(views <= Number(live));
  const types = await report("dimensions=creatorContentType&metrics=views");
  assertEquals(types.body.rows.map(([type]: Json) => type).sort(), ["shorts", "videoOnDemand"]);
  const early = await yt.call(
    "/v2/reports?ids=channel==MINE&startDate=2026-11-19&endDate=2026-11-20&metrics=views",
  );
  assertEquals(["rows" in early.body, early.status], [false, 200]);
  assertRefused(await report("metrics=videoThumbnailImpressions"), 400, "badRequest");
  assertRefused(await report("dimensions=video&metrics=views"), 400, "badRequest");
});

Deno.test("calls cost ten thousand units a day at most, and then fail until midnight Pacific", async () => {
  await using t = await testService();
  const yt = await sandboxClient(t, "youtube");
  const { kv, now } = t.service;
  const list = () => yt.call("/youtube/v3/channels?part=id&mine=true");
  await kv.set(quotaKey(now()), new Deno.KvU64(9_999n));
  assertEquals((await list()).status, 200);
  assertRefused(await list(), 403, "quotaExceeded");
  t.turnTo("2026-11-21T08:00:00Z");
  const renewed = await yt.form("/token", {
    client_id: "app",
    client_secret: "s",
    grant_type: "refresh_token",
    refresh_token: yt.grant.refreshToken!,
  });
  assertEquals(
    (await yt.call("/youtube/v3/channels?part=id&mine=true", {}, renewed.body.access_token)).status,
    200,
  );
});

Deno.test("an access token is valid for an hour, the refresh token until it is unused for months", async () => {
  await using t = await testService();
  const redirect = "http://127.0.0.1:9/back";
  const agreed = await t.app.request(
    `/sandbox/youtube/o/oauth2/v2/auth?response_type=code&client_id=app&access_type=offline&state=s` +
      `&redirect_uri=${enc(redirect)}&handle=demo&prompt=consent&scope=` +
      enc("https://www.googleapis.com/auth/youtube.readonly"),
  );
  const code = new URL(agreed.headers.get("location")!).searchParams.get("code")!;
  const yt = await sandboxClient(t, "youtube");
  const app = { client_id: "app", client_secret: "s" };
  const exchanged = await yt.form("/token", {
    ...app,
    grant_type: "authorization_code",
    code,
    redirect_uri: redirect,
  });
  const { access_token, refresh_token, expires_in, scope } = exchanged.body;
  assertEquals([expires_in, scope], [3_599, "https://www.googleapis.com/auth/youtube.readonly"]);
  const report = await yt.call("/v2/reports?ids=channel==MINE&metrics=views", {}, access_token);
  assertRefused(report, 403, "insufficientPermissions");
  const channel = "/youtube/v3/channels?part=id&mine=true";
  t.turn(HOUR);
  assertRefused(await yt.call(channel, {}, access_token), 401, "authError");
  const refresh = () => yt.form("/token", { ...app, grant_type: "refresh_token", refresh_token });
  t.turn(170 * DAY);
  const renewed = await refresh();
  assertEquals("refresh_token" in renewed.body, false);
  assertEquals((await yt.call(channel, {}, renewed.body.access_token)).status, 200);
  t.turn(170 * DAY);
  assertEquals((await refresh()).status, 200);
  t.turn(190 * DAY);
  assertEquals((await refresh()).body, {
    error: "invalid_grant",
    error_description: "Token has been expired or revoked.",
  });
});

Deno.test("a handle of the real sample has its real videos with their real readings", async () => {
  await using t = await testService({ at: Date.parse("2026-07-01T00:00:00Z") });
  const sample = (await sampleChannel("smii7y"))!;
  const yt = await sandboxClient(t, "youtube", "SMii7Y");
  assertEquals(yt.grant.externalId, sample.channelId);
  const published = sample.videos.filter(({ publishedAt }) => publishedAt < "2026-07-01");
  const ids = await videoIds(yt);
  assertEquals(ids, published.map(({ videoId }) => videoId).reverse());
  const video = sample.videos.find(({ publishedAt }) => publishedAt > "2026-07-02")!;
  for (const [at, views, likes, comments] of video.readings) {
    t.turnTo(at);
    const { body } = await yt.call(
      `/youtube/v3/videos?part=statistics&id=${video.videoId}`,
      {},
      (await sandboxClient(t, "youtube", "SMii7Y")).grant.accessToken,
    );
    assertEquals(body.items[0].statistics, {
      viewCount: String(views),
      likeCount: String(likes),
      favoriteCount: "0",
      commentCount: String(comments),
    });
  }
});
