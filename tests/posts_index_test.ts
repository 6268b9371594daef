/** Promises of the index in memory: built once, as fresh as the store, never in others' way. */
import { assert, assertEquals } from "@std/assert";
import { PostIndexes } from "../domain/posts/indexes.ts";
import { PostQuery } from "../domain/posts/query.ts";
import type { IncomingPost } from "../domain/posts/shape.ts";
import { upsertPosts } from "../domain/posts/upsert.ts";
import { madePosts } from "./corpus.ts";
import { testService } from "./service.ts";

Deno.test("requests that meet a cold index share one build, and the memory budget lets old ones go", async () => {
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

Deno.test("what another process writes is read a moment later, also by who has just read", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const other = new PostIndexes(t.service.kv, t.service.now);
  assertEquals((await other.of(brand.id)).size, 0);
  await upsertPosts(t.service, brand.id, madePosts(30));
  t.turn(50);
  assertEquals((await other.of(brand.id)).size, 30);
});

Deno.test("two processes that write to one brand in turn each read all of it", async () => {
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

Deno.test("the first search of many posts lets others be served in between", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(5_000));
  const index = await t.service.posts.of(brand.id);
  let served = 0;
  const others = setInterval(() => served++);
  await Promise.all([index.prepareSearch(), index.prepareSearch()]);
  clearInterval(others);
  assert(served > 0);
  const hold = ({ title, caption, coverText }: IncomingPost) =>
    /coffee/i.test(`${title} ${caption} ${coverText}`);
  const { pagination } = index.page(PostQuery.parse({ q: "coffee" }));
  assertEquals(pagination.total, madePosts(5_000).filter(hold).length);
});
