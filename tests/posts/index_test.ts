/** The index in memory: built once, up to date, and never blocking other requests. */
import { assert, assertEquals } from "@std/assert";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { seededRandom } from "../../domain/foundation/chance.ts";
import { madePosts } from "../support/corpus.ts";
import { testService } from "../support/service.ts";

Deno.test("requests for a new index share one build, and the memory limit drops old indexes", async () => {
  await using t = await testService();
  const { posts } = t.service;
  const brands = [await t.brand(), await t.brand(), await t.brand()];
  for (const { brand } of brands) await upsertPosts(t.service, brand.id, madePosts(300));
  const [first] = brands;
  const indexes = await Promise.all(Array.from({ length: 20 }, () => posts.of(first!.brand.id)));
  assertEquals(new Set(indexes).size, 1);
  const small = new PostIndexes(t.service.kv, t.service.now, {
    memoryBytes: indexes[0]!.bytes * 2,
  });
  for (const { brand } of brands) assertEquals((await small.of(brand.id)).size, 300);
  assertEquals(small.size, 2);
  assertEquals((await small.of(first!.brand.id)).size, 300);
});

Deno.test("posts that another process writes are read a moment later", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const other = new PostIndexes(t.service.kv, t.service.now);
  assertEquals((await other.of(brand.id)).size, 0);
  await upsertPosts(t.service, brand.id, madePosts(30));
  t.turn(50);
  assertEquals((await other.of(brand.id)).size, 30);
});

Deno.test("two processes that write to one brand in turn both read all posts", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const other = { ...t.service, posts: new PostIndexes(t.service.kv, t.service.now) };
  const posts = madePosts(60);
  const sizes: number[][] = [];
  for (let at = 0; at < 60; at += 20) {
    await upsertPosts(t.service, brand.id, posts.slice(at, at + 10));
    await upsertPosts(other, brand.id, posts.slice(at + 10, at + 20));
    // The first has not looked yet and may be behind; the second reads its own writes at once.
    assertEquals((await other.posts.of(brand.id)).size, at + 20);
    t.turn(50);
    const both = [t.service, other].map(async (one) => (await one.posts.of(brand.id)).size);
    sizes.push(await Promise.all(both));
  }
  assertEquals(sizes, [[20, 20], [40, 40], [60, 60]]);
});

Deno.test("an index with applied changes answers like a new one", async () => {
  await using t = await testService();
  const { kv, now, posts } = t.service;
  const { brand } = await t.brand();
  const made = madePosts(240);
  const random = seededRandom("changes");
  const queries = ["published", "views", "engagementRate"].flatMap((sort) => [
    PostQuery.parse({ sort, dir: "asc", perPage: 100 }),
    PostQuery.parse({ sort, platform: "instagram", perPage: 100 }),
    PostQuery.parse({ sort, q: "changed" }),
    PostQuery.parse({ sort, hashtag: "moved", from: "2025-01-01" }),
  ]);
  const agree = async () => {
    const [patched, fresh] = [posts, new PostIndexes(kv, now)].map((from) => from.of(brand.id));
    for (const query of queries) {
      assertEquals((await patched!).page(query).data, (await fresh!).page(query).data);
    }
    return await patched!;
  };
  await upsertPosts(t.service, brand.id, made.slice(0, 200));
  const index = await agree();
  for (let round = 1; round <= 12; round++) {
    // Most rounds bring new numbers and words only; some bring posts, some move a post in time.
    const known = 200 + Math.floor(round / 4) * 12;
    const changed = made.slice(0, known).filter(() => random() < 0.1).map((post) => ({
      ...post,
      readings: [{ ...post.readings.at(-1)!, capturedAt: iso(now()), views: round * 1_000_000 }],
      ...(random() < 0.3 && { caption: `changed ${round}`, hashtags: ["moved"] }),
      ...(round % 3 === 0 && { publishedAt: iso(now() - round * DAY) }),
    }));
    await upsertPosts(t.service, brand.id, changed);
    assert(await agree() === index);
    t.turn(DAY);
  }
});

Deno.test("other requests are served while the first search is prepared", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(5_000));
  const index = await t.service.posts.of(brand.id);
  let served = 0;
  const others = setInterval(() => served++);
  const query = PostQuery.parse({ q: "coffee" });
  const [{ pagination }] = await Promise.all([index.search(query), index.search(query)]);
  clearInterval(others);
  assert(served > 0);
  const hold = ({ title, caption, coverText }: IncomingPost) =>
    /coffee/i.test(`${title} ${caption} ${coverText}`);
  assertEquals(pagination.total, madePosts(5_000).filter(hold).length);
});
