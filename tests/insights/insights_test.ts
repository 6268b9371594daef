/** Insights as a client asks for them: periods, a post's standing, readings with reasons. */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { normal, seededRandom } from "../../domain/foundation/chance.ts";
import { localTime } from "../../domain/insights/local_time.ts";
import type { IncomingPost, Platform, PostFormat, Reading } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { NOON, type TestService, testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

function reading(at: number, likes: number, more: Partial<Reading> = {}): Reading {
  return {
    ...{ views: likes * 10, impressions: likes * 10, reach: null, likes, comments: 0, shares: 0 },
    ...{ saves: null, clicks: null, capturedAt: iso(at) },
    ...more,
  };
}

function post(
  externalId: string,
  publishedAt: number,
  readings: Reading[],
  more: { platform?: Platform; format?: PostFormat; caption?: string } = {},
): IncomingPost {
  return {
    ...{ externalId, platform: "linkedin", format: "image", title: null, caption: "Bread" },
    ...{ url: `https://posts.example/${externalId}`, hashtags: [], thumbnailUrl: null },
    ...{ mediaUrls: [], publishedAt: iso(publishedAt), readings },
    ...more,
  };
}

async function get(t: TestService, secret: string, path: string): Promise<Json> {
  const answer = await t.call(secret, path);
  assertEquals(answer.status, 200, path);
  return await answer.json();
}

async function withPosts(posts: IncomingPost[]) {
  const t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, posts);
  const { data } = await get(t, secret, "/v1/posts?perPage=100");
  return {
    t,
    secret,
    brand,
    idOf: (url: string) => data.find((one: { url: string }) => one.url === url).id,
  };
}

Deno.test("a period is summed up against the one before and the usual, and its days add up to it", async () => {
  const start = NOON - 12 * HOUR - 60 * DAY;
  const posts = Array.from({ length: 55 }, (_, at) => {
    const published = start + at * DAY + 5 * HOUR;
    const steps = [7, 31, 55].map((hours, nth) =>
      reading(published + hours * HOUR, (nth + 1) * 33)
    );
    return post(`p${at}`, published, steps);
  });
  const { t, secret } = await withPosts(posts);
  await using _ = t;
  const [from, to] = [iso(start + 40 * DAY).slice(0, 10), iso(start + 46 * DAY).slice(0, 10)];
  const summary = await get(t, secret, `/v1/insights/summary?from=${from}&to=${to}`);
  // Each day one post is in its first, one in its second and one in its third day: 99 likes a day.
  assertEquals(summary.posts, 7);
  assertEquals(summary.likes, 693);
  assertEquals(summary.engagement, 693);
  assertEquals(summary.engagementRate, 0.1);
  assertEquals([summary.reach, summary.saves, summary.clicks], [null, null, null]);
  assertEquals(summary.previous.likes, 693);
  assertEquals(summary.usual.engagement.mid, 693);
  const query = `metric=likes&from=${from}&to=${to}`;
  const { data } = await get(t, secret, `/v1/insights/timeline?${query}`);
  assertEquals(data.length, 7);
  assertEquals(data.reduce((sum: number, { value }: { value: number }) => sum + value, 0), 693);
  const saves = await get(t, secret, `/v1/insights/timeline?metric=saves&from=${from}&to=${to}`);
  assert(saves.data.every(({ value }: { value: unknown }) => value === null));
  const other = await get(t, secret, `/v1/insights/summary?from=${from}&to=${to}&platform=youtube`);
  assertEquals([other.posts, other.views, other.usual], [0, 0, null]);
});

Deno.test("a post of two hours stands among like posts at two hours, with a projection that holds", async () => {
  const random = seededRandom("standing");
  const grown = (final: number, hours: number) => final * Math.sqrt(Math.min(1, hours / 168));
  const past = Array.from({ length: 60 }, (_, at) => {
    // Published two hours before midnight, so that the day's reading tells the first two hours.
    const published = NOON - 14 * HOUR - (at + 9) * DAY;
    const final = 300 * Math.exp(0.5 * normal(random));
    const ages = [1.9, 26, 50, 74, 98, 122, 146, 169.9];
    return post(
      `p${at}`,
      published,
      ages.map((age) =>
        reading(
          published + age * HOUR,
          Math.round(grown(final, age) * Math.exp(0.05 * normal(random))),
        )
      ),
    );
  });
  const published = NOON - 2 * HOUR;
  const young = post("young", published, [reading(NOON, 50)]);
  const { t, secret, idOf } = await withPosts([...past, young]);
  await using _ = t;
  const standing = await get(t, secret, `/v1/posts/${idOf(young.url)}/standing`);
  assertEquals(standing.ageHours, 2);
  assertEquals(standing.among, 60);
  assertEquals(standing.own, [{ ageHours: 2, engagement: 50 }]);
  assert(standing.percentile > 70 && standing.percentile <= 100, String(standing.percentile));
  const { low, mid, high, ageHours } = standing.projection;
  assertEquals(ageHours, 168);
  // It had 50 after 2 hours, when the usual has 300 * sqrt(2 / 168) = 33.
  assert(low < 458 && 458 < high && low > 300 && high < 800, JSON.stringify(standing.projection));
  assert(mid > low && mid < high);
  for (const { low, mid, high } of standing.usual) assert(low <= mid && mid <= high);
  for (const one of past) {
    const { projection, among } = await get(t, secret, `/v1/posts/${idOf(one.url)}/standing`);
    assertEquals(projection, null);
    assertEquals(among, 59);
  }
});

Deno.test("a post without like posts has no percentile, and a strange id is 404", async () => {
  const { t, secret, idOf } = await withPosts([
    post("a", NOON - 3 * DAY, [reading(NOON - 2 * DAY, 5)]),
  ]);
  await using _ = t;
  const standing = await get(t, secret, `/v1/posts/${idOf("https://posts.example/a")}/standing`);
  assertEquals([standing.percentile, standing.among, standing.projection], [null, 0, null]);
  assertEquals((await t.call(secret, "/v1/posts/post_x/standing")).status, 404);
});

Deno.test("every null has its reason, asOf answers what was known that day, corrections stay", async () => {
  const at = NOON - 10 * DAY;
  const on = (days: number) => at + days * DAY;
  const { t, secret, idOf } = await withPosts([
    post("yt", at, [reading(on(1), 9)], { platform: "youtube", format: "video" }),
    post("li", at, [
      reading(on(1), 50),
      reading(on(2), 60, { reach: 500, clicks: 4 }),
      reading(on(3), 55),
    ], { caption: "Read on: https://bread.example" }),
  ]);
  await using _ = t;
  const nulls = async (name: string) => {
    const path = `/v1/posts/${idOf(`https://posts.example/${name}`)}/readings`;
    return (await get(t, secret, path)).data.map((one: { nulls: unknown }) => one.nulls);
  };
  assertEquals(await nulls("yt"), [
    { reach: "notReported", saves: "notReported", clicks: "noLink" },
  ]);
  assertEquals(await nulls("li"), [
    { reach: "notYetRead", saves: "notReported", clicks: "notYetRead" },
    { saves: "notReported" },
    { reach: "retired", saves: "notReported", clicks: "retired" },
  ]);
  const path = `/v1/posts/${idOf("https://posts.example/li")}/readings`;
  const likes = async (asOf: string) =>
    (await get(t, secret, `${path}${asOf}`)).data.map((one: { likes: number }) => one.likes);
  assertEquals(await likes(""), [50, 60, 55]);
  assertEquals(await likes(`?asOf=${iso(on(2)).slice(0, 10)}`), [50, 60]);
  assertEquals(await likes(`?asOf=${iso(on(0)).slice(0, 10)}`), []);
});

Deno.test("hours of the week are those of the time zone, summer time included", () => {
  const berlin = localTime("Europe/Berlin");
  assertEquals(berlin(Date.parse("2026-03-29T00:30:00Z")), { weekday: 6, hour: 1 });
  assertEquals(berlin(Date.parse("2026-03-29T01:30:00Z")), { weekday: 6, hour: 3 });
  assertEquals(berlin(Date.parse("2026-07-05T22:30:00Z")), { weekday: 0, hour: 0 });
  assertEquals(localTime("Asia/Kolkata")(Date.parse("2026-11-20T18:45:00Z")), {
    weekday: 5,
    hour: 0,
  });
  assertEquals(localTime("UTC")(NOON), { weekday: 4, hour: 12 });
});
