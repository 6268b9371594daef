/** A saved index answers like one that was built from all posts, whatever happens meanwhile. */
import { assert, assertEquals } from "@std/assert";
import { seededRandom } from "../../domain/foundation/chance.ts";
import { DAY, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { FORMAT } from "../../domain/posts/index/block.ts";
import { fold, foldHashtag } from "../../domain/posts/fold.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import { type StoredPost, toPost } from "../../domain/posts/records.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import type { Service } from "../../domain/service/service.ts";
import { madePosts, REAL_POSTS, realPosts } from "../support/corpus.ts";
import { countCalls } from "../support/kv_calls.ts";
import { questions } from "../support/posts_model.ts";
import { agree, reading, rowOf, save } from "../support/saved_index.ts";
import { type TestService, testService } from "../support/service.ts";

async function brandWith(t: TestService, posts: IncomingPost[]): Promise<string> {
  const { brand } = await t.brand();
  await upsertPosts(t.service, brand.id, posts);
  return brand.id;
}

const listing = ({ kv, now }: Service) => new PostIndexes(kv, now);

/** Some of the posts with other numbers, some with other texts or in another place in time. */
function changed(posts: IncomingPost[], seed: string, at: number): IncomingPost[] {
  const random = seededRandom(seed);
  return posts.filter(() => random() < 0.05).map((post) => ({
    ...post,
    readings: [{ ...post.readings.at(-1)!, capturedAt: iso(at), views: Math.floor(random() * 99) }],
    ...(random() < 0.3 && { caption: `Ĉanged ${seed} ${post.caption}`, hashtags: ["moved"] }),
    ...(random() < 0.3 && { publishedAt: iso(at - DAY) }),
  }));
}

/** Saved as it was built, after searches have cut its texts, and after posts have changed. */
async function agreesWithList(posts: IncomingPost[], runs: number): Promise<void> {
  await using t = await testService();
  const brandId = await brandWith(t, posts);
  const asked = questions(posts);
  const process = await save(t.service, brandId);
  const compare = async () => {
    const loaded = reading(t.service);
    await loaded.posts.of(brandId);
    assert(loaded.reads() < posts.length / 4, `${loaded.reads()} values were read`);
    await agree([loaded.posts, listing(t.service)], brandId, asked, runs);
    assertEquals(loaded.logged, []);
  };
  await compare();
  const saveAgain = async () => {
    t.turn(2 * DAY);
    await process.posts.of(brandId);
    await process.files.idle();
  };
  for (const q of ["coffee harbour", "morning", "the", "new", "video"]) {
    await process.posts.page(brandId, PostQuery.parse({ q }));
  }
  for (const seed of ["one", "two"]) {
    await upsertPosts(
      { ...t.service, posts: process.posts },
      brandId,
      changed(posts, seed, t.service.now()),
    );
    await compare();
    const before = await rowOf(t.service, brandId);
    await saveAgain();
    const after = await rowOf(t.service, brandId);
    assert(after!.saved!.version > before!.saved!.version, "it was saved again");
    await compare();
  }
}

Deno.test("a saved index answers any question like one built from all posts", async () => {
  await agreesWithList(madePosts(1_200), 60);
});

const reason = REAL_POSTS ? "" : " (skipped: the real posts are not beside the project)";
Deno.test({
  name: "the same with 3,000 real posts" + reason,
  ignore: !REAL_POSTS,
  fn: async () => await agreesWithList(await realPosts(3_000), 60),
});

Deno.test("a cold process reads the saved index and the changes since, not all posts", async () => {
  await using t = await testService();
  const posts = madePosts(1_000);
  const brandId = await brandWith(t, posts);
  await save(t.service, brandId);
  const calls = countCalls(t.service.kv);
  const cold = reading(t.service);
  assertEquals((await cold.posts.of(brandId)).size, 1_000);
  // The stamp of all versions; then the version and the row together.
  assertEquals([calls.reads, calls.valuesRead], [2, 3]);
  await upsertPosts(t.service, brandId, changed(posts.slice(0, 200), "few", t.service.now()));
  const later = reading(t.service);
  await later.posts.of(brandId);
  assert(later.reads() < 40, `${later.reads()} values were read`);
});

Deno.test("posts that are written while an index is saved, or loaded, are in it", async () => {
  await using t = await testService();
  const posts = madePosts(1_000);
  const brandId = await brandWith(t, posts.slice(0, 800));
  const { storage } = t.service;
  let [round, at] = [0, 800];
  // Another process writes between any two blocks: changes, and now and then new posts.
  const other = { ...t.service, posts: listing(t.service) };
  const write = async () => {
    await upsertPosts(other, brandId, changed(posts.slice(0, 300), `${++round}`, t.service.now()));
    await upsertPosts(other, brandId, posts.slice(at, at += 8));
  };
  const busy: Service["storage"] = Object.assign(Object.create(storage), {
    put: async (...input: Parameters<typeof storage.put>) => {
      await storage.put(...input);
      await write();
    },
    get: async (key: string) => {
      await write();
      return await storage.get(key);
    },
  });
  const process = reading(t.service, { storage: busy });
  await process.posts.of(brandId);
  // The process itself goes on, too: searches, and changes that it takes over.
  const searches = (async () => {
    for (let turn = 0; turn < 20; turn++) {
      t.turn(50);
      await process.posts.page(brandId, PostQuery.parse({ q: `coffee ${turn % 3}` }));
    }
  })();
  await Promise.all([process.files.idle(), searches]);
  assertEquals(process.logged, ["index.saved"]);
  const cold = reading(t.service, { storage: busy });
  await cold.posts.of(brandId);
  assertEquals(cold.logged, []);
  assert(round > 8, `${round} writes`);
  t.turn(50);
  const all = [cold.posts, listing(t.service)] as [PostIndexes, PostIndexes];
  await agree(all, brandId, questions(posts), 60);
  assertEquals((await cold.posts.of(brandId)).size, Math.min(at, 1_000));
});

Deno.test("an index is saved again when it is worth it, and by one process at a time", async () => {
  await using t = await testService();
  const posts = madePosts(400);
  const brandId = await brandWith(t, posts);
  const processes = [reading(t.service), reading(t.service), reading(t.service)];
  const read = async () => {
    await Promise.all(processes.map(async ({ posts: own, files }) => {
      await own.of(brandId);
      await files.idle();
    }));
    return (await rowOf(t.service, brandId))!.saved!;
  };
  const first = await read();
  assertEquals(processes.flatMap(({ logged }) => logged), ["index.saved"]);
  t.turn(20 * MINUTE);
  assertEquals(await read(), first, "nothing has changed");
  await upsertPosts(t.service, brandId, changed(posts, "a", t.service.now()));
  t.turn(MINUTE);
  const second = await read();
  assert(second.version > first.version, "enough has changed");
  await upsertPosts(t.service, brandId, changed(posts, "b", t.service.now()));
  t.turn(MINUTE);
  assertEquals(await read(), second, "it was saved a minute ago");
  t.turn(DAY);
  assert((await read()).version > second.version);
});

/** Everything that goes into a saved index and is made from a post by a rule of ours. */
Deno.test("the format of saved indexes was raised when what they keep of a post changed", () => {
  const reading = {
    views: 9,
    impressions: 8,
    reach: 7,
    likes: 6,
    comments: 5,
    shares: 4,
    saves: 3,
  };
  const post: StoredPost = {
    ...{ id: "post_1", externalId: "x", platform: "instagram", format: "reel", title: "T" },
    ...{ url: "https://example.com/", caption: "C", coverText: "V", hashtags: ["h"] },
    ...{ thumbnailUrl: null, mediaUrls: [], publishedAt: "2026-01-01T00:00:00.000Z" },
    newest: { ...reading, clicks: 2, capturedAt: "2026-01-02T00:00:00.000Z" },
  };
  const kept = [toPost(post), fold("ÀB \u{1D400} Σας ｗ"), foldHashtag("#Ｆoo\u0301")];
  assertEquals([FORMAT, JSON.stringify(kept)], [1, EXPECTED]);
});

const EXPECTED =
  '[{"id":"post_1","platform":"instagram","format":"reel","title":"T","url":"https://example.com/",' +
  '"caption":"C","hashtags":["h"],"thumbnailUrl":null,"mediaUrls":[],' +
  '"publishedAt":"2026-01-01T00:00:00.000Z","metrics":{"views":9,"impressions":8,"reach":7,"likes":6,' +
  '"comments":5,"shares":4,"saves":3,"clicks":2,"engagementRate":2.25,' +
  '"capturedAt":"2026-01-02T00:00:00.000Z"}},"ab a σασ w","ｆoó"]';
