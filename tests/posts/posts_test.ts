/** `GET /v1/posts` and `GET /v1/posts/{id}`: their results, order and freshness. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { listPosts } from "../../domain/operations/posts.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import type { IncomingPost, Post } from "../../domain/posts/shape.ts";
import { findPost, latestReadings } from "../../domain/posts/store.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { madePosts, REAL_POSTS, realPosts } from "../support/corpus.ts";
import { type Asked, type Known, naive, questions, shown } from "../support/posts_model.ts";
import { type TestBrand, type TestService, testService } from "../support/service.ts";

interface Answer {
  data: Post[];
  pagination: { page: number; perPage: number; total: number; pageCount: number };
}

async function ask(t: TestService, secret: string, asked: Asked): Promise<Answer> {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const answer = await t.call(secret, `/v1/posts?${query}`);
  const body = await answer.json();
  assertEquals(answer.status, 200, `${query}: ${JSON.stringify(body)}`);
  return body;
}

/** Every post as the service lists it, joined with what was brought in. */
async function known(
  t: TestService,
  { secret }: TestBrand,
  incoming: IncomingPost[],
): Promise<Known[]> {
  const byUrl = new Map(incoming.map((post) => [post.url, post]));
  const all: Known[] = [];
  for (let page = 1;; page++) {
    const { data, pagination } = await ask(t, secret, { page, perPage: 100 });
    all.push(...data.map((post) => ({ post, incoming: byUrl.get(post.url)! })));
    if (page >= pagination.pageCount) return all;
  }
}

async function agreesWithModel(incoming: IncomingPost[], runs: number): Promise<void> {
  await using t = await testService();
  const brand = await t.brand();
  await upsertPosts(t.service, brand.brand.id, incoming);
  const all = await known(t, brand, incoming);
  assertEquals(all.length, incoming.length);
  await fc.assert(
    fc.asyncProperty(questions(incoming), async (asked) => {
      const { data, pagination } = await ask(t, brand.secret, asked);
      const expected = naive(all, asked);
      assertEquals(data.map((post) => post.id), expected.ids);
      assertEquals(pagination.total, expected.total);
      assertEquals(pagination.pageCount, Math.ceil(expected.total / pagination.perPage));
    }),
    { numRuns: runs },
  );
}

Deno.test("any filter, sort and page of generated posts matches a naive model", () =>
  agreesWithModel(madePosts(400), 500));

Deno.test({
  name: "any filter, sort and page of 3,000 real posts matches a naive model" +
    (REAL_POSTS ? "" : " (skipped: the real posts are not beside the project)"),
  ignore: !REAL_POSTS,
  fn: async () => agreesWithModel(await realPosts(3_000), 300),
});

Deno.test("paging in any order returns every post exactly once", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(157));
  for (const sort of PostQuery.shape.sort.unwrap().options) {
    for (const dir of ["asc", "desc"]) {
      const ids: string[] = [];
      for (let page = 1; page <= 8; page++) {
        const { data, pagination } = await ask(t, secret, { sort, dir, page, perPage: 20 });
        assertEquals(pagination, { page, perPage: 20, total: 157, pageCount: 8 });
        ids.push(...data.map((post) => post.id));
      }
      assertEquals([ids.length, new Set(ids).size], [157, 157], `${sort} ${dir}`);
    }
  }
});

Deno.test("free text finds words in any script, without regard to case and marks", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const texts = [
    "قَهْوَة الصباح",
    "朝のコーヒーと猫",
    "Утренний КОФЕ",
    "Ο καφές της ΟΔΟΣ",
    "Crème brûlée à la carte",
    "🧁 50% off & more",
    "커피 한 잔",
    "𝐁𝐨𝐥𝐝 news",
  ];
  const base = madePosts(texts.length);
  const posts = texts.map((caption, at) => ({
    ...base[at]!,
    title: null,
    coverText: null,
    caption,
  }));
  await upsertPosts(t.service, brand.id, posts);
  const found = async (q: string) =>
    (await ask(t, secret, { q, sort: "published" })).data.map((post) => texts.indexOf(post.caption))
      .sort();
  for (
    const [q, expected] of [
      ["قهوة", [0]],
      ["コーヒー", [1]],
      ["猫", [1]],
      ["кофе утренний", [2]],
      ["ΚΑΦΕΣ", [3]],
      ["οδο", [3]],
      ["CREME brulee", [4]],
      ["🧁", [5]],
      ["0% &", [5]],
      ["커피", [6]],
      ["bold", [7]],
      ["a", [4]],
      ["carte xyz", []],
      ["  ", [0, 1, 2, 3, 4, 5, 6, 7]],
    ] as const
  ) {
    assertEquals(await found(q), [...expected], q);
  }
});

Deno.test("hashtags are stored in lower case without #, and found in any spelling", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"];
  const came = [
    ["#Caf\u00e9", "café", "##TWO Words "],
    ["CAFE\u0301", "", "#", " ", " padded\u00a0"],
    ["cafe", " #Spaced"],
  ];
  const kept = [[composed, "two words "], [decomposed, " padded\u00a0"], ["cafe", " #spaced"]];
  const posts = madePosts(3).map((post, at) => ({ ...post, hashtags: came[at]! }));
  await upsertPosts(t.service, brand.id, posts);
  const tagsOf = ({ data }: Answer) => data.map(({ hashtags }) => hashtags).sort();
  assertEquals(tagsOf(await ask(t, secret, {})), kept.toSorted());
  const found = async (hashtag: string) => tagsOf(await ask(t, secret, { hashtag }));
  for (const tag of [composed, decomposed, "#CAF\u00c9", " CAFE\u0301"]) {
    assertEquals(await found(tag), [kept[0], kept[1]].toSorted(), tag);
  }
  for (const tags of kept) {
    for (const tag of tags) assert((await found(tag)).some((one) => one.includes(tag)), tag);
  }
  assertEquals(await found("Two Words"), [kept[0]]);
  assertEquals(await found("spaced"), [kept[2]]);
  assertEquals(await found("two"), []);
});

Deno.test("cover text is searched and never shown", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, [{ ...madePosts(1)[0]!, coverText: "Zeppelin" }]);
  const answer = await t.call(secret, "/v1/posts?q=zeppelin");
  const text = await answer.text();
  assertEquals(JSON.parse(text).pagination.total, 1);
  assert(!text.includes("Zeppelin"));
});

Deno.test("a post shows its newest reading and every day's last, oldest first", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const incoming = madePosts(12);
  await upsertPosts(t.service, brand.id, incoming);
  for (
    const { post, incoming: brought } of await known(t, { brand, secret, keyId: "" }, incoming)
  ) {
    assertEquals(post.metrics, shown(brought.platform, brought.readings));
    const detail = await (await t.call(secret, `/v1/posts/${post.id}`)).json();
    const { snapshots, ...rest } = detail;
    assertEquals(rest, post);
    assertEquals(snapshots, brought.readings.map((reading) => shown(brought.platform, [reading])));
  }
});

Deno.test("an id that is unknown, malformed or another brand's is not found", async () => {
  await using t = await testService();
  const [mine, other] = [await t.brand(), await t.brand()];
  await upsertPosts(t.service, other.brand.id, madePosts(1));
  const { data } = await ask(t, other.secret, {});
  for (
    const id of [data[0]!.id, "post_01M7WD7TG0V8SCFDW93GW2D29P", "1", "post_", "%00", "a%2Fb", "%"]
  ) {
    assertEquals((await t.call(mine.secret, `/v1/posts/${id}`)).status, 404, id);
  }
});

Deno.test("every write is seen by the very next request", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand("studio");
  const posts = madePosts(50);
  await upsertPosts(t.service, brand.id, posts.slice(0, 40));
  assertEquals((await ask(t, secret, {})).pagination.total, 40);
  await upsertPosts(t.service, brand.id, posts.slice(40));
  const renamed = posts.map((post, at) => at % 3 === 0 ? { ...post, caption: "renamed" } : post);
  await upsertPosts(t.service, brand.id, renamed);
  assertEquals(
    (await (await t.request(secret, "/v1/posts?q=RENAMED")).json()).pagination.total,
    17,
  );
  const all = await known(t, { brand, secret, keyId: "" }, renamed);
  for (const sort of ["views", "clicks", "published"]) {
    const { data } = await ask(t, secret, { sort, dir: "asc", perPage: 100 });
    assertEquals(data.map((post) => post.id), naive(all, { sort, dir: "asc", perPage: 100 }).ids);
  }
});

Deno.test("a caption of 20,000 four-byte characters is returned whole", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const [post] = madePosts(1);
  const long = { ...post!, caption: `${"😀".repeat(19_990)} ende` };
  await upsertPosts(t.service, brand.id, [long]);
  const { data } = await ask(t, secret, { q: "ENDE" });
  assertEquals(data[0]!.caption, long.caption);
  await upsertPosts(t.service, brand.id, [{ ...long, caption: "short" }]);
  assertEquals((await ask(t, secret, { q: "ende" })).pagination.total, 0);
  assertEquals((await ask(t, secret, {})).data[0]!.caption, "short");
});

Deno.test("connectors find a post and its latest reading by the platform's id", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const [post] = madePosts(1);
  await upsertPosts(t.service, brand.id, [post!]);
  const { kv } = t.service;
  const latest = await latestReadings(kv, brand.id, post!.platform, [post!.externalId, "nothing"]);
  assertEquals([...latest.keys()], [post!.externalId]);
  assertEquals(latest.get(post!.externalId)?.capturedAt, post!.readings[2]!.capturedAt);
  const found = await findPost(kv, brand.id, post!.platform, post!.externalId);
  assertEquals(found?.snapshots.length, 3);
  assertEquals(await findPost(kv, brand.id, post!.platform, "nothing"), null);
});

Deno.test("the list has its declared shape", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(30));
  const answer = await ask(t, secret, { perPage: 30 });
  assertEquals(listPosts.output!.parse(answer), answer);
});
