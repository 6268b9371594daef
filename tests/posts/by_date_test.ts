/** Promises of the keys by date and the count: exact whoever wrote, and enough for a cold first page. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { newId } from "../../domain/foundation/ids.ts";
import { orderAllByDate } from "../../domain/posts/by_date.ts";
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import {
  countKey,
  datePrefix,
  type PostCount,
  postPrefix,
  type StoredPost,
  versionKey,
} from "../../domain/posts/records.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { madePosts } from "../support/corpus.ts";
import { countedKv } from "../support/counted_kv.ts";
import { type TestService, testService } from "../support/service.ts";

const FIRST = PostQuery.parse({});

/** A service that has read nothing yet. */
function cold(t: TestService) {
  const { kv, reads } = countedKv(t.service.kv);
  return { posts: new PostIndexes(kv, t.service.now), reads };
}

/** What the store holds by date and by count, beside what its posts say. */
async function byDate({ kv }: { kv: Deno.Kv }, brandId: string) {
  const stored = await Array.fromAsync(kv.list<StoredPost>({ prefix: postPrefix(brandId) }));
  const posts = stored.filter(({ key }) => key.length === 3).map(({ value }) => value);
  posts.sort((a, b) =>
    Date.parse(b.publishedAt) - Date.parse(a.publishedAt) || (a.id < b.id ? -1 : 1)
  );
  const keys = await Array.fromAsync(kv.list({ prefix: datePrefix(brandId) }));
  const [version, count] = await kv.getMany<[number, PostCount]>([
    versionKey(brandId),
    countKey(brandId),
  ]);
  return {
    expected: {
      ids: posts.map(({ id }) => id),
      count: { posts: posts.length, version: version.value ?? 0 },
    },
    stored: { ids: keys.map(({ key }) => String(key.at(-1))), count: count.value },
  };
}

async function assertExact(t: TestService, brandId: string): Promise<void> {
  const { expected, stored } = await byDate(t.service, brandId);
  assertEquals(stored, expected);
}

Deno.test("a cold first page reads what it shows, and is byte for byte the index's", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(1_500));
  const index = await new PostIndexes(t.service.kv, t.service.now).of(brand.id);
  for (const perPage of [1, 20, 100]) {
    const { posts, reads } = cold(t);
    const query = PostQuery.parse({ perPage });
    const page = await posts.page(brand.id, query);
    assertEquals(JSON.stringify(page), JSON.stringify(index.page(query)));
    // The page's keys and posts, and the versions and the count before and after.
    assert(reads() <= 2 * perPage + 4, `${reads()} values read for ${perPage} posts`);
  }
  const answers = [];
  // The first from the store, the third from the index.
  for (let sent = 0; sent < 3; sent++) {
    answers.push(await (await t.call(secret, "/v1/posts")).text());
    await t.service.posts.of(brand.id);
  }
  assertEquals(new Set(answers).size, 1);
  assertEquals(JSON.parse(answers[0]!).pagination.total, 1_500);
});

Deno.test("other pages are the index's, and a second first page has it built meanwhile", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(1_500));
  for (const other of [{ page: 2 }, { dir: "asc" }, { sort: "views" }, { q: "coffee" }]) {
    const { posts, reads } = cold(t);
    await posts.page(brand.id, PostQuery.parse(other));
    assert(reads() > 1_500, JSON.stringify(other));
  }
  const { posts, reads } = cold(t);
  const first = await posts.page(brand.id, FIRST);
  const again = await posts.page(brand.id, FIRST);
  assertEquals(JSON.stringify(again), JSON.stringify(first));
  await posts.of(brand.id);
  const built = reads();
  await posts.page(brand.id, FIRST);
  assertEquals(reads(), built);
});

Deno.test("an empty brand, and one of posts too large for one value, have a first page", async () => {
  await using t = await testService();
  const [empty, large] = [await t.brand(), await t.brand()];
  const [post, ...others] = madePosts(30);
  const caption = "🔥".repeat(20_000);
  await upsertPosts(t.service, large.brand.id, [{ ...post!, caption }, ...others]);
  for (const { brand } of [empty, large]) {
    const page = await cold(t).posts.page(brand.id, PostQuery.parse({ perPage: 100 }));
    const index = await t.service.posts.of(brand.id);
    const same = index.page(PostQuery.parse({ perPage: 100 }));
    assertEquals(JSON.stringify(page), JSON.stringify(same));
  }
});

Deno.test("ids of the newest posts are the same from the store and from the index", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const made = madePosts(300);
  await upsertPosts(t.service, brand.id, made);
  const from = Date.parse(made[40]!.publishedAt);
  const index = await t.service.posts.of(brand.id);
  for (const [since, most] of [[from, 1_000], [from, 7], [0, 1_000], [from + 1, 1_000]] as const) {
    const { posts, reads } = cold(t);
    const ids = await posts.newest(brand.id, since, most);
    assertEquals(ids, index.newest(since, most));
    assert(reads() <= ids.length + 3);
  }
});

Deno.test("keys by date and count stay exact under imports, changes and writers at the same time", async () => {
  const step = fc.record({
    from: fc.nat(80),
    length: fc.integer({ min: 1, max: 40 }),
    move: fc.constantFrom(0, 0, 1, -3),
    twice: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      await using t = await testService();
      const { brand } = await t.brand();
      const made = madePosts(120);
      for (const { from, length, move, twice } of steps) {
        const posts = made.slice(from, from + length).map((post) => ({
          ...post,
          publishedAt: iso(Date.parse(post.publishedAt) + move * DAY),
        }));
        const other = { ...t.service, posts: new PostIndexes(t.service.kv, t.service.now) };
        await Promise.all([
          upsertPosts(t.service, brand.id, posts),
          twice && upsertPosts(other, brand.id, posts.slice(length / 2)),
        ]);
        await assertExact(t, brand.id);
      }
    }),
    { numRuns: 15 },
  );
});

/** Makes the brand's posts as an earlier version has stored them. */
async function forget(t: TestService, brandId: string): Promise<void> {
  const { kv } = t.service;
  await kv.delete(countKey(brandId));
  for await (const { key } of kv.list({ prefix: datePrefix(brandId) })) await kv.delete(key);
}

Deno.test("posts of an earlier version get keys by date, also if the migration was interrupted", async () => {
  await using t = await testService();
  const brands = [await t.brand(), await t.brand(), await t.brand()].map(({ brand }) => brand.id);
  for (const brandId of brands) {
    await upsertPosts(t.service, brandId, madePosts(700));
    await forget(t, brandId);
  }
  const { kv } = t.service;
  let commits = 0;
  // Each brand takes a commit for every 250 keys and one for the count.
  const failing = new Proxy(kv, {
    get(target, name) {
      if (name === "atomic" && ++commits === 6) throw new Error("killed");
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  let message = "";
  await orderAllByDate(failing).catch((error) => message = error.message);
  assertEquals(message, "killed");
  await assertExact(t, brands.toSorted()[0]!);
  const { posts, reads } = cold(t);
  const [last] = brands.toSorted().reverse();
  assertEquals((await posts.page(last!, FIRST)).pagination.total, 700);
  assert(reads() > 700);
  await orderAllByDate(kv);
  for (const brandId of brands) await assertExact(t, brandId);
  const again = countedKv(kv);
  await orderAllByDate(again.kv);
  assertEquals(again.reads(), brands.length * 3);
});

Deno.test("a write by an earlier version is noticed, and put right by the next write", async () => {
  await using t = await testService();
  const { kv } = t.service;
  const { brand } = await t.brand();
  const made = madePosts(40);
  await upsertPosts(t.service, brand.id, made);
  // It moves the oldest post to the front and adds one, and knows of no keys by date.
  const { expected } = await byDate(t.service, brand.id);
  const key = [...postPrefix(brand.id), expected.ids.at(-1)!];
  const oldest = (await kv.get<StoredPost>(key)).value!;
  const added = { ...oldest, id: newId("post", t.service.now()), externalId: "added" };
  await kv.atomic()
    .set(key, { ...oldest, publishedAt: iso(t.service.now()) })
    .set([...postPrefix(brand.id), added.id], added)
    .set(versionKey(brand.id), expected.count.version + 1)
    .commit();
  const { posts } = cold(t);
  const page = await posts.page(brand.id, FIRST);
  assertEquals([page.data[0]!.id, page.pagination.total], [oldest.id, 41]);
  await upsertPosts(t.service, brand.id, madePosts(1, "another"));
  await assertExact(t, brand.id);
});
