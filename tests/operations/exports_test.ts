/** Exports: every post that matches, safe for spreadsheets, streamed, and paid for by the thousand. */
import { assert, assertEquals } from "@std/assert";
import { chargeMonth } from "../../domain/brands/meter/charge.ts";
import { readMonth } from "../../domain/brands/meter/meter.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { madePosts } from "../support/corpus.ts";
import { type TestBrand, type TestService, testService } from "../support/service.ts";

async function text(t: TestService, secret: string, path: string): Promise<string> {
  const answer = await t.call(secret, path);
  assertEquals(answer.status, 200, path);
  return await answer.text();
}

/** RFC 4180, read by hand. */
function parseCsv(csv: string): string[][] {
  const cells = [...csv.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)];
  assertEquals(cells.map(([whole]) => whole).join(""), csv);
  const rows: string[][] = [[]];
  for (const [, cell = "", end] of cells) {
    rows.at(-1)!.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === "\r\n") rows.push([]);
  }
  assertEquals(rows.pop(), []);
  return rows;
}

async function used(t: TestService, { brand }: TestBrand): Promise<number> {
  return await readMonth(t.service.kv, brand.id, t.service.now());
}

Deno.test("an export has the posts of the list with the same filters, in the same order", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(350));
  for (
    const query of ["", "sort=clicks&dir=asc", "platform=youtube&format=reel", "q=coffee news"]
  ) {
    const pages = [];
    for (let page = 1;; page++) {
      const answer = await t.call(secret, `/v1/posts?${query}&perPage=100&page=${page}`);
      const { data, pagination } = await answer.json();
      pages.push(...data);
      if (page >= pagination.pageCount) break;
    }
    const lines = await text(t, secret, `/v1/posts.ndjson?${query}`);
    assertEquals(lines.split("\n").slice(0, -1).map((line) => JSON.parse(line)), pages);
    const [head = [], ...rows] = parseCsv(await text(t, secret, `/v1/posts.csv?${query}`));
    assertEquals(rows.map(([id]) => id), pages.map(({ id }) => id));
    const clicks = head.indexOf("clicks");
    assertEquals(
      rows.map((row) => row[clicks]),
      pages.map(({ metrics }) => metrics.clicks === null ? "" : String(metrics.clicks)),
    );
    const readings = await text(t, secret, `/v1/readings.ndjson?${query}`);
    const told = readings.split("\n").slice(0, -1).map((line) => JSON.parse(line));
    assertEquals([...new Set(told.map(({ postId }) => postId))], pages.map(({ id }) => id));
    assertEquals(told.length, 3 * pages.length);
  }
  assertEquals((await t.call(secret, "/v1/posts.csv?sort=likes")).status, 400);
});

Deno.test("the readings of one post are exported as a row each, empty where a number is missing", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(30));
  const { data } = await (await t.call(secret, "/v1/posts?platform=youtube&perPage=1")).json();
  const [{ id }] = data;
  const { data: readings } = await (await t.call(secret, `/v1/posts/${id}/readings`)).json();
  assert(readings.length > 1);
  const answer = await t.call(secret, `/v1/posts/${id}/readings.csv`);
  assertEquals(answer.headers.get("content-type"), "text/csv");
  const [head = [], ...rows] = parseCsv(await answer.text());
  const numbers = ["views", "impressions", "reach", "likes", "comments", "shares", "saves"];
  const columns = ["postId", "platform", "capturedAt", ...numbers, "clicks", "engagementRate"];
  assertEquals(head, columns);
  const cells = (reading: Record<string, unknown>) =>
    columns.slice(2).map((name) => reading[name] === null ? "" : String(reading[name]));
  assertEquals(
    rows,
    readings.map((reading: Record<string, unknown>) => [id, "youtube", ...cells(reading)]),
  );
  assert(rows.every((row) => row[head.indexOf("reach")] === ""), "YouTube reports no reach");
  for (const row of rows) {
    const [at = ""] = row.slice(2);
    assertEquals(new Date(at).toISOString(), at, "UTC");
  }
  const day = readings[0].capturedAt.slice(0, 10);
  const early = parseCsv(await text(t, secret, `/v1/posts/${id}/readings.csv?asOf=${day}`));
  assertEquals(early.length, 2);
  assertEquals((await t.call(secret, "/v1/posts/post_x/readings.csv")).status, 404);
  assertEquals((await t.call(secret, `/v1/posts/${id}/readings.csv?asOf=1`)).status, 400);
  const other = await t.brand();
  assertEquals((await t.call(other.secret, `/v1/posts/${id}/readings.csv`)).status, 404);
  const blind = await t.key(brand.id, ["createRead"]);
  assertEquals((await t.call(blind.secret, `/v1/posts/${id}/readings.csv`)).status, 403);
});

Deno.test("a field that a spreadsheet would run begins with an apostrophe; others stay as they are", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const captions: Record<string, string> = {
    '=HYPERLINK("http://x","y")': `'=HYPERLINK("http://x","y")`,
    "+1 for bread": "'+1 for bread",
    "-1+cmd|' /C calc'!A0": "'-1+cmd|' /C calc'!A0",
    "@SUM(1)": "'@SUM(1)",
    "\t=1": "'\t=1",
    "  =1": "'  =1",
    "＝1": "'＝1",
    'a=1, or "b"\r\nnext': 'a=1, or "b"\r\nnext',
    "日本語 🥐": "日本語 🥐",
  };
  const [made] = madePosts(1);
  const posts = Object.keys(captions).map((caption, at): IncomingPost => ({
    ...made!,
    externalId: `caption-${at}`,
    publishedAt: new Date(Date.parse(made!.publishedAt) - at * 1_000).toISOString(),
    title: "=1+1",
    caption,
  }));
  await upsertPosts(t.service, brand.id, posts.map((post) => ({ ...post, platform: "youtube" })));
  const answer = await t.call(secret, "/v1/posts.csv");
  assertEquals(answer.headers.get("content-type"), "text/csv");
  const [head = [], ...rows] = parseCsv(await answer.text());
  const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
  assertEquals(column("caption"), Object.values(captions));
  assertEquals(new Set(column("title")), new Set(["'=1+1"]));
});

Deno.test("an export counts as one request for every 1,000 rows begun", async () => {
  await using t = await testService();
  const own = await t.brand();
  await upsertPosts(t.service, own.brand.id, madePosts(1_001));
  let before = await used(t, own);
  const answer = await t.call(own.secret, "/v1/posts.ndjson");
  assertEquals(answer.headers.get("x-quota-remaining"), String(250_000 - before - 2));
  await answer.text();
  assertEquals(await used(t, own), before + 2);
  before = await used(t, own);
  await text(t, own.secret, "/v1/readings.ndjson");
  assertEquals(await used(t, own), before + 4, "3,003 readings");
  before = await used(t, own);
  await text(t, own.secret, "/v1/posts.csv?platform=youtube");
  assertEquals(await used(t, own), before + 1);
});

Deno.test("an export that the quota does not suffice for is refused; one of readings breaks off", async () => {
  await using t = await testService();
  const own = await t.brand("free");
  await upsertPosts(t.service, own.brand.id, madePosts(1_001));
  const about = { what: "This test", at: t.service.now() };
  await chargeMonth(t.service.kv, own.brand, 497, about);
  const refused = await t.call(own.secret, "/v1/posts.ndjson?perPage=5");
  assertEquals(refused.status, 200, "2 of 3 are needed");
  await refused.text();
  const last = await t.call(own.secret, "/v1/posts.ndjson");
  assertEquals(last.status, 429);
  assertEquals((await last.json()).error.code, "quotaExceeded");
  assert(Number(last.headers.get("retry-after")) > 0);
  assertEquals(await used(t, own), 500);
  t.turnTo("2026-12-01T00:00:00Z");
  await chargeMonth(t.service.kv, own.brand, 498, { ...about, at: t.service.now() });
  const readings = await t.call(own.secret, "/v1/readings.ndjson");
  let told = "";
  let broke = false;
  try {
    for await (const piece of readings.body!.pipeThrough(new TextDecoderStream())) told += piece;
  } catch {
    broke = true;
  }
  assert(broke);
  assertEquals(told.split("\n").length - 1, 2_000);
  assertEquals(await used(t, own), 500);
});

Deno.test("two exports of a brand run at once, a third is refused until one ends", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(500));
  const ask = () => t.call(secret, "/v1/posts.ndjson");
  const [first, second] = [await ask(), await ask()];
  assertEquals((await ask()).status, 503);
  await first.body!.cancel();
  await second.text();
  await (await ask()).text();
  const head = await t.call(secret, "/v1/posts.ndjson", { method: "HEAD" });
  assertEquals([head.status, head.body], [200, null]);
  await (await ask()).text();
});
