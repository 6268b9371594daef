/** Studio's numbers: Insights shows what the operations answer, and each published post has its page. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import type { NullReason } from "../../domain/insights/readings.ts";
import { Platform } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { runPass } from "../../jobs/passes.ts";
import { missingWords } from "../../routes/studio/numbers.ts";
import { PlainWords } from "../../routes/studio/parts/post_links.tsx";
import type { Studio } from "../../routes/studio/studio.ts";
import { pastPosts } from "../support/published.ts";
import { type TestService, testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";
import { furnished } from "../support/studio_brand.ts";

async function withPast(t: TestService, posts = 120) {
  const person = await studioPerson(t);
  const past = pastPosts({ now: t.service.now(), posts, days: 100 });
  await upsertPosts(t.service, person.brand.id, past);
  const { secret } = await t.key(person.brand.id, ["postsRead"]);
  const ask = async (path: string) => await (await t.call(secret, path)).json();
  return { person, secret, ask };
}

/** What a person reads, without markup. */
const wordsOf = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, " ").replaceAll("&nbsp;", " ").replaceAll(/\s+/g, " ");

const PERIOD = "from=2026-10-20&to=2026-11-16";

Deno.test("Insights shows the numbers of the period, day by day and against the days before", async () => {
  await using t = await testService();
  const { person, ask } = await withPast(t);
  const summary = await ask(`/v1/insights/summary?${PERIOD}`);
  const before = "from=2026-09-22&to=2026-10-19";
  const now = await ask(`/v1/insights/timeline?metric=likes&${PERIOD}`);
  const then = await ask(`/v1/insights/timeline?metric=likes&${before}`);
  const { text } = await person.open(`/insights?${PERIOD}&metric=likes`);
  assertStringIncludes(text, `title="${summary.likes.toLocaleString("en-US")}"`);
  const change = Math.round((summary.likes / summary.previous.likes - 1) * 100);
  assertStringIncludes(wordsOf(text), `${change > 0 ? "+" : "−"}${Math.abs(change)}%`);
  const rows = [...text.matchAll(/<tr data-day="([^"]+)">(.*?)<\/tr>/gs)];
  assertEquals(
    rows.map(([, date, cells]) => [
      date,
      ...[...(cells ?? "").matchAll(/data-v="(\d*)"/g)].map(([, value]) => Number(value)),
    ]),
    now.data.map(({ date, value }: { date: string; value: number }, at: number) => [
      ...[date, value, then.data[at].value],
    ]),
  );
});

Deno.test("the table of posts is sorted as asked, and says why a number is missing", async () => {
  await using t = await testService();
  const { person, ask } = await withPast(t);
  const { data } = await ask(`/v1/posts?${PERIOD}&platform=youtube&sort=views&perPage=12`);
  const { text } = await person.open(`/insights?${PERIOD}&platform=youtube&sort=views`);
  const shown = [...text.matchAll(/\/published\/(post_\w+)"/g)].map(([, id]) => id);
  assertEquals(shown, data.map(({ id }: { id: string }) => id));
  assertMatch(text, /aria-sort="descending"><a[^>]*id="sort-views"/);
  for (const { metrics } of data) {
    for (const name of ["views", "impressions", "likes", "comments", "shares"]) {
      assertStringIncludes(
        text,
        `<td class="number">${metrics[name].toLocaleString("en-US")}</td>`,
      );
    }
    const rate = `<td class="number">${(metrics.engagementRate * 100).toFixed(2)}%</td>`;
    assertStringIncludes(text, rate);
  }
  assertStringIncludes(text, "YouTube has no such number for this post.");
  assertStringIncludes(text, "The post has no link that could be clicked.");
});

Deno.test("the reasons in the table are those of the posts' own readings, where a number was retired, too", async () => {
  await using t = await testService();
  const { person, ask } = await withPast(t);
  const past = pastPosts({ now: t.service.now(), posts: 120, days: 100 });
  const [story] = past.filter(({ platform, format }) =>
    platform === "instagram" && format === "story"
  );
  const isStory = ({ externalId }: typeof past[number]) => externalId === story?.externalId;
  const last = past.find(isStory)!.readings.at(-1)!;
  const capturedAt = iso(Date.parse(last.capturedAt) + DAY);
  const readings = [{ ...last, capturedAt, saves: null, reach: null, clicks: null }];
  const news = past.filter(isStory).map((post) => ({ ...post, readings }));
  await upsertPosts(t.service, person.brand.id, news);
  const told = new Set<string>();
  for (const platform of Platform.options) {
    const { data } = await ask(`/v1/posts?platform=${platform}&from=2026-08-01&perPage=100`);
    const pages = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((page) =>
        person.open(`/insights?from=2026-08-01&to=2026-11-20&platform=${platform}&page=${page}`)
      ),
    );
    const rows = new Map(
      pages.flatMap(({ text }) => [...text.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)])
        .map(([row]) => [/\/published\/(post_\w+)"/.exec(row)?.[1], row]),
    );
    for (const { id } of data) {
      const { nulls } = (await ask(`/v1/posts/${id}/readings`)).data.at(-1);
      const reasons = Object.values<NullReason>(nulls);
      const shown = [...(rows.get(id) ?? "").matchAll(/class="none" title="([^"]+)"/g)];
      assertEquals(
        shown.map(([, why]) => why),
        reasons.map((one) => missingWords(one, platform).why),
      );
      for (const one of reasons) told.add(one);
    }
  }
  assert(told.has("retired") && told.has("noLink") && told.has("notReported"), [...told].join());
});

Deno.test("an export has the filters of the page, and is the export of the API", async () => {
  await using t = await testService();
  const { person, secret } = await withPast(t);
  const filters = `${PERIOD}&platform=instagram&sort=views&dir=asc`;
  const page = await person.open(`/insights?${filters}&metric=reach&page=2`);
  const links = [...page.text.matchAll(/href="([^"]+\/insights\/posts\.\w+\?[^"]+)" download/g)]
    .map(([, link]) => (link ?? "").replaceAll("&amp;", "&"));
  assertEquals(links.length, 2);
  for (const link of links) {
    const { status, text, headers } = await person.open(link);
    const [, ending] = /\.(\w+)\?/.exec(link) ?? [];
    const expected = await (await t.call(secret, `/v1/posts.${ending}?${filters}`)).text();
    assertEquals(status, 200);
    assert(expected.split("\n").length > 5);
    assertEquals(text, expected);
    assertMatch(
      headers.get("content-disposition") ?? "",
      /^attachment; filename="\d{4}-\d\d-\d\d-posts\.\w+"$/,
    );
  }
  const other = await studioPerson(t, { email: "other@example.com" });
  assertEquals((await other.open(links[0]!)).status, 404);
  assertEquals((await t.request(null, links[0]!)).status, 401);
});

Deno.test("dates that make no period are refused in words, and the page still shows numbers", async () => {
  await using t = await testService();
  const { person } = await withPast(t);
  const { status, text } = await person.open("/insights?from=2026-11-16&to=2026-10-20");
  assertEquals(status, 200);
  assertStringIncludes(text, "The first day must not be after the last");
  assertStringIncludes(text, `name="from" type="date" value="2026-11-16"`);
  assertStringIncludes(text, 'id="kpi-views"');
  assertStringIncludes(
    (await person.open("/insights?from=2020-01-01&to=2026-10-20")).text,
    "The last day must be at most",
  );
});

Deno.test("what works is told with its interval and in words, and hours with their counts", async () => {
  await using t = await testService();
  const { person, ask } = await withPast(t, 400);
  const { groups } = await ask("/v1/insights/compare?by=format");
  const carousel = groups.find(({ value }: { value: string }) => value === "carousel");
  assertEquals(carousel.verdict, "better");
  const words = wordsOf((await person.open("/insights?by=format")).text);
  const percent = (ratio: number) => {
    const change = Math.round((ratio - 1) * 100);
    return change === 0 ? "±0%" : `${change > 0 ? "+" : "−"}${Math.abs(change)}%`;
  };
  const { low, mid, high } = carousel.effect;
  assertStringIncludes(words, `Better than your usual: Carousels (${percent(mid)})`);
  assertStringIncludes(words, `${percent(mid)} (${percent(low)} to ${percent(high)})`);
  const { cells } = await ask("/v1/insights/when");
  const [{ posts, hour }] = cells;
  assertStringIncludes(
    (await person.open("/insights")).text,
    `title="Monday ${String(hour).padStart(2, "0")}:00: ${posts} post`,
  );
});

Deno.test("a published post has a page: its standing in a sentence, its curve and its readings", async () => {
  await using t = await testService();
  const { person, ask } = await withPast(t, 400);
  const { data: [post] } = await ask("/v1/posts?platform=instagram&to=2026-11-10&perPage=1");
  const { percentile, among, own } = await ask(`/v1/posts/${post.id}/standing`);
  const { data: readings } = await ask(`/v1/posts/${post.id}/readings`);
  const { text, status } = await person.open(`/published/${post.id}`);
  assertEquals(status, 200);
  const words = wordsOf(text);
  assertMatch(
    words,
    new RegExp(`Better than ${Math.round(percentile)}% of your Instagram \\w+.* at the same age`),
  );
  assertStringIncludes(words, `Compared with ${among} other posts`);
  assertStringIncludes(words, `${readings.length} readings, newest first`);
  assertStringIncludes(text, `href="${post.url}"`);
  assertStringIncludes(words, `Views ${post.metrics.views.toLocaleString("en-US")} `);
  assertStringIncludes(words, `Saves ${post.metrics.saves.toLocaleString("en-US")} `);
  assertStringIncludes(words, "Show ");
  const all = await person.open(`/published/${post.id}?readings=all`);
  const [, table = ""] = all.text.split('id="readings"');
  assertEquals(table.match(/<th scope="row">/g)?.length, readings.length);
  assert(own.length > 0);
  assert(!text.includes("Why it was published"), "nobody planned it in Marquee");
  assertStringIncludes((await person.open("")).text, "/published/post_");
});

Deno.test("a published post's readings are downloaded from its page, as the API exports them", async () => {
  await using t = await testService();
  const { person, secret, ask } = await withPast(t);
  const { data: [post] } = await ask("/v1/posts?perPage=1");
  const page = (await person.open(`/published/${post.id}`)).text;
  const link = /href="([^"]+\/readings\.csv)" download/.exec(page)?.[1] ?? "";
  const { status, text, headers } = await person.open(link);
  assertEquals(status, 200);
  const expected = await (await t.call(secret, `/v1/posts/${post.id}/readings.csv`)).text();
  assert(expected.split("\r\n").length > 3);
  assertEquals(text, expected);
  assertMatch(
    headers.get("content-disposition") ?? "",
    /^attachment; filename="\d{4}-\d\d-\d\d-readings\.csv"$/,
  );
  const other = await studioPerson(t, { email: "other@example.com" });
  assertEquals((await other.open(link)).status, 404);
  assertEquals((await other.open(`/published/${post.id}/readings.csv`)).status, 404);
  assertEquals((await t.request(null, link)).status, 401);
});

Deno.test("posts that a plan rests on are links to their pages", () => {
  const at = (path: string) => `/studio/brd_1${path}`;
  const ids = ["post_01M81XZF28SY7JM007K2VXRVTW", "post_01M81XZF28SY7JM007K2VXRVKS"];
  const words = `2 posts at 0.92 times the brand's baseline. Posts: ${ids.join(", ")}.`;
  assertEquals(
    String(PlainWords({ studio: { at } as Studio, words })),
    `2 posts at 0.92 times the brand&#39;s baseline. Posts: ` +
      `<a href="${at(`/published/${ids[0]}`)}">post 1</a>, ` +
      `<a href="${at(`/published/${ids[1]}`)}">post 2</a>.`,
  );
});

Deno.test("a post that Marquee published leads from its plan to its numbers and back", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const { person, postId } = await furnished(t);
  const hash = /name="hash" value="([^"]+)"/.exec((await person.open(`/posts/${postId}`)).text)
    ?.[1];
  t.worker.start();
  // However long before its time it is published.
  await person.send(`/posts/${postId}/move`, { scheduledFor: "2026-12-15T09:00" });
  const { status } = await person.send(`/posts/${postId}/publish`, { hash: hash ?? "" });
  assertEquals(status, 303);
  const unread = await person.open(`/posts/${postId}`);
  assertStringIncludes(unread.text, "once they have been read");
  const { secret } = await t.key(person.brand.id, ["createRead"]);
  const item = async () => await (await t.call(secret, `/v1/items/${postId}`)).json();
  assertEquals((await item()).postId, null);
  await runPass(t.service, t.worker, "metrics", { brandId: person.brand.id });
  const planned = await person.open(`/posts/${postId}`);
  const [, address = ""] = /href="([^"]+\/published\/post_\w+)"/.exec(planned.text) ?? [];
  assertEquals((await item()).postId, address.split("/").at(-1));
  const { text } = await person.open(address);
  assertStringIncludes(text, "Why it was published");
  assertStringIncludes(text, "What happened so far");
  assertStringIncludes(text, `href="${person.at(`/posts/${postId}`)}"`);
});
