/** Promises of the memory for indexes: small for small brands, bounded for all, spent where it is worth most. */
import { assert, assertEquals } from "@std/assert";
import { repeated } from "../../domain/foundation/repeats.ts";
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import type { PostIndex } from "../../domain/posts/index/post_index.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { indexMemory } from "../../domain/service/memory.ts";
import { madePosts } from "../support/corpus.ts";
import { type TestService, testService } from "../support/service.ts";

async function brandOf(t: TestService, posts: number): Promise<string> {
  const { brand } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(posts));
  return brand.id;
}

/** Every post of an index, as the API shows it. */
function allJson(index: PostIndex): string {
  const { data } = index.page(PostQuery.parse({ perPage: 100 }));
  return JSON.stringify(data);
}

Deno.test("an index of 100 posts takes at most 40 KB beside their JSON, and 50 KB once it is searched", async () => {
  await using t = await testService();
  const index = await t.service.posts.of(await brandOf(t, 100));
  const json = new TextEncoder().encode(allJson(index)).length;
  index.page(PostQuery.parse({ sort: "views", platform: "instagram" }));
  assert(index.bytes > json);
  assert(index.bytes - json <= 40_000, `${index.bytes - json} bytes`);
  await index.search(PostQuery.parse({ q: "coffee harbour" }));
  assert(index.bytes - json <= 50_000, `${index.bytes - json} bytes`);
});

Deno.test("an index of few posts is built anew before its former states outgrow it", async () => {
  await using t = await testService();
  const brandId = await brandOf(t, 100);
  const before = (await t.service.posts.of(brandId)).bytes;
  const made = madePosts(100);
  for (let day = 1; day <= 12; day++) {
    const changed = made.map((post) => ({ ...post, caption: `${post.caption} ${day}` }));
    await upsertPosts(t.service, brandId, changed);
    const { bytes } = await t.service.posts.of(brandId);
    assert(bytes < before * 5, `day ${day}: ${bytes} bytes after ${before}`);
  }
});

Deno.test("over the budget, caches leave before the indexes they belong to", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  const [one, other] = [await brandOf(t, 300), await brandOf(t, 300)];
  const readAll = async (posts: PostIndexes, brandId: string) => {
    for (let page = 1; page <= 3; page++) {
      const query = repeated(PostQuery.parse({ page, perPage: 100, sort: "views" }));
      for (let sent = 0; sent < 2; sent++) await posts.page(brandId, query);
    }
    // The memory is counted again when the version is looked up.
    t.turn(50);
    return await posts.of(brandId);
  };
  const bare = (await t.service.posts.of(one)).bytes;
  const full = (await readAll(t.service.posts, one)).bytes;
  assert(full > bare * 2);
  const posts = new PostIndexes(kv, now, { memoryBytes: bare + full * 1.2 });
  const [first, second] = [await readAll(posts, one), await readAll(posts, other)];
  assertEquals(posts.size, 2);
  assertEquals(await posts.of(one), first);
  assert(first.bytes <= bare * 1.1, "the caches of the brand that was read earlier are released");
  assert(second.bytes > bare * 2);
});

Deno.test("an index that is read stays, however large, and those that are not read leave", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  const large = await brandOf(t, 2_000);
  const small: string[] = [];
  for (let count = 0; count < 6; count++) small.push(await brandOf(t, 100));
  const [of, each] = [await t.service.posts.of(large), await t.service.posts.of(small[0]!)];
  const posts = new PostIndexes(kv, now, { memoryBytes: of.bytes + each.bytes * 3.5 });
  const first = await posts.of(large);
  for (const brandId of small) {
    await posts.of(brandId);
    assertEquals(await posts.of(large), first);
  }
  assertEquals(posts.size, 4);
});

Deno.test("the budget is what INDEX_MEMORY_MB says, or a third of the smallest limit", () => {
  const MB = 1024 * 1024;
  const budget = (limits: number[], given: { INDEX_MEMORY_MB?: number; onDeploy?: boolean } = {}) =>
    indexMemory({ INDEX_MEMORY_MB: undefined, onDeploy: false, ...given }, limits) / MB;
  assertEquals(budget([24_576 * MB], { INDEX_MEMORY_MB: 100 }), 100);
  assertEquals(budget([24_576 * MB]), 1_024);
  assertEquals(budget([24_576 * MB, 1_536 * MB]), 512);
  assertEquals(budget([24_576 * MB], { onDeploy: true }), 256);
  assertEquals(budget([24_576 * MB, 384 * MB], { onDeploy: true }), 128);
  assertEquals(budget([100 * MB]), 64);
});
