/** The local LinkedIn's answers and errors follow Microsoft's documents (PLATFORMS B). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY, MINUTE } from "../../domain/foundation/calendar.ts";
import {
  type Answer,
  enc,
  publicImage,
  type SandboxClient,
  sandboxClient,
} from "../support/sandbox_client.ts";
import { type TestService, testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

const FINDER = "/rest/posts?q=author&sortBy=CREATED&author=";

function assertRefused(answer: Answer, status: number, code: string): void {
  assertEquals([answer.status, answer.body.status, answer.body.code], [status, status, code]);
}

const newPost = (author: string, commentary: string, content?: unknown) => ({
  author,
  commentary,
  visibility: "PUBLIC",
  distribution: {
    feedDistribution: "MAIN_FEED",
    targetEntities: [],
    thirdPartyDistributionChannels: [],
  },
  ...(content === undefined ? {} : { content }),
  lifecycleState: "PUBLISHED",
  isReshareDisabledByAuthor: false,
});

async function upload(t: TestService, li: SandboxClient, bytes: Uint8Array<ArrayBuffer>) {
  const { body } = await li.post("/rest/images?action=initializeUpload", {
    initializeUploadRequest: { owner: li.grant.externalId },
  });
  const { uploadUrl, image } = body.value;
  const put = (headers: Record<string, string>) =>
    t.app.request(uploadUrl, { method: "PUT", body: bytes, headers });
  assertEquals((await put({})).status, 401);
  const sent = await put({ authorization: `Bearer ${li.grant.accessToken}` });
  assertEquals([sent.status, await sent.text()], [201, ""]);
  return image as string;
}

Deno.test("a call without version, protocol or token is refused with LinkedIn's errors", async () => {
  await using t = await testService();
  const li = await sandboxClient(t, "linkedin");
  const path = `/sandbox/linkedin${FINDER}${enc(li.grant.externalId)}`;
  const authorization = `Bearer ${li.grant.accessToken}`;
  const bare = await t.app.request(path, { headers: { authorization } });
  assertEquals([bare.status, (await bare.json()).code], [400, "VERSION_MISSING"]);
  const call = (version: string) =>
    li.call(FINDER + enc(li.grant.externalId), { headers: { "linkedin-version": version } });
  assertRefused(await call("202511"), 426, "NONEXISTENT_VERSION");
  assertRefused(await call("latest"), 426, "NONEXISTENT_VERSION");
  assertEquals((await call("202512")).status, 200);
  const loose = await t.app.request(path, {
    headers: { authorization, "linkedin-version": "202609" },
  });
  assertEquals(loose.status, 400);
  await loose.body?.cancel();
  const unknown = await li.call(FINDER + enc(li.grant.externalId), {}, "made-up");
  assertRefused(unknown, 401, "INVALID_ACCESS_TOKEN");
  assert(unknown.headers.get("x-li-uuid") !== null);
  t.turn(60 * DAY);
  assertRefused(await call("202609"), 401, "EXPIRED_ACCESS_TOKEN");
});

Deno.test("an organization's posts are listed in pages, with little text and the documented content", async () => {
  await using t = await testService();
  const li = await sandboxClient(t, "linkedin");
  const posts: Json[] = [];
  for (let start = 0; start < 60; start += 15) {
    const { body } = await li.call(
      `${FINDER}${enc(li.grant.externalId)}&count=15&start=${start}`,
    );
    posts.push(...body.elements);
    if (body.paging.links.length === 0) break;
    assertStringIncludes(body.paging.links[0].href, `start=${start + 15}`);
  }
  const truth = await li.truth();
  assertEquals(truth.length, 40);
  assertEquals(posts.map(({ id }) => id), truth.map(({ id }) => id));
  for (const [at, post] of posts.entries()) {
    assertMatch(post.id, /^urn:li:share:\d{19}$/);
    assertEquals(post.publishedAt, Date.parse(truth[at]!.publishedAt));
    assertEquals(
      post.commentary.replaceAll(/\{hashtag\|\\#\|(\w+)\}/g, "#$1").replaceAll(/\\(.)/g, "$1"),
      truth[at]!.caption,
    );
  }
  const kinds = new Set(posts.flatMap(({ content }) => Object.keys(content ?? { text: 1 })));
  assertEquals([...kinds].sort(), ["article", "media", "multiImage", "text"]);
  const image = posts.find(({ content }) => content?.multiImage)!.content.multiImage.images[0];
  const { body } = await li.call(`/rest/images/${enc(image.id)}`);
  assertEquals(body.status, "AVAILABLE");
  assertEquals((await t.app.request(body.downloadUrl)).status, 200);
  const batch = await li.call(`/rest/images?ids=List(${enc(image.id)})`);
  assertEquals(batch.body.results[image.id].downloadUrl, body.downloadUrl);
  const video = posts.find(({ content }) => content?.media?.id.startsWith("urn:li:video:"));
  const thumbnail = (await li.call(`/rest/videos/${enc(video.content.media.id)}`)).body.thumbnail;
  assert(truth.some(({ id, media }) => id === video.id && media[0] === thumbnail));
  assertEquals((await li.call(FINDER + enc("urn:li:organization:1"))).status, 403);
  assertEquals((await li.call(FINDER + li.grant.externalId)).status, 400);
});

Deno.test("share statistics are per post, and posts without activity are left out", async () => {
  await using t = await testService();
  const li = await sandboxClient(t, "linkedin");
  const author = li.grant.externalId;
  const made = await li.post("/rest/posts", newPost(author, "Just now"));
  const fresh = made.headers.get("x-restli-id")!;
  const old = (await li.truth())[5]!.id;
  const statistics = (urns: string[]) =>
    li.call(
      "/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=" +
        `${enc(author)}&shares=List(${urns.map(enc).join(",")})`,
    );
  const { body } = await statistics([old, fresh]);
  assertEquals(body.elements.map(({ share }: Json) => share), [old]);
  const { totalShareStatistics } = body.elements[0];
  assertEquals(Object.keys(totalShareStatistics), [
    "impressionCount",
    "uniqueImpressionsCount",
    "clickCount",
    "likeCount",
    "commentCount",
    "shareCount",
    "engagement",
  ]);
  t.turn(DAY);
  assertEquals((await statistics([old, fresh])).body.elements.length, 2);
  assertEquals((await statistics(["urn:li:ugcPost:1"])).status, 400);
});

Deno.test("a member's posts can't be listed, but what it published can be measured", async () => {
  await using t = await testService();
  const li = await sandboxClient(t, "linkedin", "member-jane");
  const author = li.grant.externalId;
  assertMatch(author, /^urn:li:person:/);
  const info = await li.call("/v2/userinfo");
  assertEquals(`urn:li:person:${info.body.sub}`, author);
  assertEquals((await li.call("/rest/organizationAcls?q=roleAssignee")).body.elements, []);
  const listed = await li.call(FINDER + enc(author));
  assertEquals(listed.status, 400);
  assertStringIncludes(listed.body.message, "Member permissions must be used");

  const { bytes } = await publicImage(t, 800, 600);
  const image = await upload(t, li, bytes);
  assertEquals((await li.call(`/rest/images/${enc(image)}`)).status, 403);
  const made = await li.post("/rest/posts", newPost(author, "Hi", { media: { id: image } }));
  const urn = made.headers.get("x-restli-id")!;
  const measure = (queryType: string) =>
    li.call(
      `/rest/memberCreatorPostAnalytics?q=entity&entity=(share:${enc(urn)})` +
        `&queryType=${queryType}&aggregation=TOTAL`,
    );
  assertEquals((await measure("IMPRESSION")).body.elements, []);
  t.turn(DAY);
  const { elements } = (await measure("IMPRESSION")).body;
  assertEquals(elements[0].targetEntity, { share: urn });
  assert(elements[0].count > 0);
  assertEquals((await measure("APPLAUSE")).status, 400);
  const organization = await sandboxClient(t, "linkedin", "acme");
  const acls = await organization.call("/rest/organizationAcls?q=roleAssignee");
  assertEquals(acls.body.elements[0].organization, organization.grant.externalId);
});

Deno.test("images are uploaded, processed and published; the same post again is refused", async () => {
  await using t = await testService();
  const li = await sandboxClient(t, "linkedin");
  const author = li.grant.externalId;
  const { bytes } = await publicImage(t, 900, 900);
  const waiting = await li.post("/rest/images?action=initializeUpload", {
    initializeUploadRequest: { owner: author },
  });
  const early = newPost(author, "Early", { media: { id: waiting.body.value.image } });
  assertRefused(await li.post("/rest/posts", early), 400, "MEDIA_ASSET_WAITING_UPLOAD");
  const images = [await upload(t, li, bytes), await upload(t, li, bytes)];
  const state = async () => (await li.call(`/rest/images/${enc(images[0]!)}`)).body.status;
  assertEquals([await state(), await state()], ["PROCESSING", "AVAILABLE"]);

  const post = newPost(author, "Look \\(here\\) #launch {hashtag|\\#|today}", {
    multiImage: { images: images.map((id) => ({ id, altText: "A wall" })) },
  });
  const made = await li.post("/rest/posts", post);
  const urn = made.headers.get("x-restli-id")!;
  assertEquals([made.status, made.body], [201, ""]);
  const [newest, ...others] = await li.truth();
  assertEquals([newest!.id, newest!.caption], [urn, "Look (here) #launch #today"]);
  assertEquals(others.length, 40);
  assertEquals(await (await t.app.request(newest!.media[0]!)).bytes(), bytes);
  const node = await li.call(`/rest/posts/${enc(urn)}`);
  assertEquals(node.body.content.multiImage.images.map(({ id }: Json) => id), images);

  const again = await li.post("/rest/posts", post);
  assertEquals(again.status, 422);
  assertStringIncludes(again.body.message, `Content is a duplicate of ${urn}`);
  t.turn(10 * MINUTE);
  assertEquals((await li.post("/rest/posts", post)).status, 201);
});

Deno.test("a GIF is taken, as on LinkedIn, and served as a GIF", async () => {
  await using t = await testService();
  const li = await sandboxClient(t, "linkedin");
  const gif = Uint8Array.fromBase64("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=");
  const id = await upload(t, li, gif);
  await li.call(`/rest/images/${enc(id)}`);
  const { body } = await li.call(`/rest/images/${enc(id)}`);
  const served = await t.app.request(body.downloadUrl);
  assertEquals([body.status, served.headers.get("content-type")], ["AVAILABLE", "image/gif"]);
  assertEquals(await served.bytes(), gif);
});

Deno.test("invalid texts, authors and images are refused with LinkedIn's errors", async () => {
  await using t = await testService();
  const li = await sandboxClient(t, "linkedin");
  const author = li.grant.externalId;
  const send = (body: unknown) => li.post("/rest/posts", body);
  for (const text of ["raw (brackets)", "50% * off", "a|b", "me@home"]) {
    assertRefused(await send(newPost(author, text)), 400, "INVALID_VALUE_FOR_FIELD");
  }
  assertRefused(await send(newPost(author, "x".repeat(3_001))), 400, "FIELD_LENGTH_TOO_LONG");
  assertRefused(await send(newPost("urn:li:organization:1", "x")), 403, "ACCESS_DENIED");
  const { visibility: _, ...hidden } = newPost(author, "x");
  assertRefused(await send(hidden), 400, "INVALID_VALUE_FOR_FIELD");
  const foreign = newPost(author, "x", { media: { id: "urn:li:image:D4E10AQ00" } });
  assertRefused(await send(foreign), 400, "INVALID_IMAGE_ID");
  const broken = await upload(t, li, new TextEncoder().encode("not a picture"));
  const bad = newPost(author, "x", { media: { id: broken } });
  assertRefused(await send(bad), 400, "MEDIA_ASSET_PROCESSING_FAILED");
  assertEquals((await li.truth()).length, 40);
});

Deno.test("a code gives two tokens, and the refresh token ends after a year even if it is used", async () => {
  await using t = await testService();
  const redirect = "http://127.0.0.1:9/back";
  const agreed = await t.app.request(
    `/sandbox/linkedin/oauth/v2/authorization?response_type=code&client_id=app&redirect_uri=${
      enc(redirect)
    }&state=s&scope=openid%20r_organization_social%20r_basicprofile&handle=acme`,
  );
  const code = new URL(agreed.headers.get("location")!).searchParams.get("code")!;
  const li = await sandboxClient(t, "linkedin", "acme");
  const app = { client_id: "app", client_secret: "s" };
  const exchange = () =>
    li.form("/oauth/v2/accessToken", {
      ...app,
      grant_type: "authorization_code",
      code,
      redirect_uri: redirect,
    });
  const { body } = await exchange();
  assertEquals([body.expires_in, body.refresh_token_expires_in], [5_184_000, 31_536_000]);
  assertEquals(body.scope, "openid,r_organization_social");
  assertEquals((await exchange()).body.error, "invalid_request");
  const refresh = () =>
    li.form("/oauth/v2/accessToken", {
      ...app,
      grant_type: "refresh_token",
      refresh_token: body.refresh_token,
    });
  t.turn(364 * DAY);
  assertEquals((await refresh()).body.refresh_token_expires_in, 86_400);
  t.turn(DAY);
  assertEquals((await refresh()).status, 400);
});
