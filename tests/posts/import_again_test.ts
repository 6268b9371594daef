/** `posts import` of posts with several lines in a file: the last line wins. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { dayOf } from "../../domain/foundation/calendar.ts";
import { importPosts } from "../../domain/posts/importer.ts";
import type { IncomingPost } from "../../domain/posts/shape.ts";
import { findPost } from "../../domain/posts/store.ts";
import { Tally } from "../../domain/posts/tally.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { madePosts } from "../support/corpus.ts";
import { fileOf, jsonl } from "../support/import_files.ts";
import { shown } from "../support/posts_model.ts";
import { type TestService, testService } from "../support/service.ts";

/** Everything in the store with the commit that wrote it. */
async function written(t: TestService): Promise<unknown[]> {
  const entries = await Array.fromAsync(t.service.kv.list({ prefix: [] }));
  return entries.map(({ key, versionstamp }) => [key, versionstamp]);
}

/** The same post with another caption, and other views at the instants of the same readings. */
function corrected(post: IncomingPost, caption: string): IncomingPost {
  const readings = post.readings.map((reading) => ({ ...reading, views: reading.views + 1 }));
  return { ...post, caption, coverText: undefined, hashtags: [], readings };
}

Deno.test("a post on two lines is stored as on the last one, and importing again updates nothing", async () => {
  await using t = await testService();
  const posts = madePosts(450);
  const [first] = posts as [IncomingPost];
  const last = corrected(first, "The last line");
  // In one portion of the file, and in three.
  for (const lines of [[first, last, ...posts.slice(1, 9)], [...posts, last]]) {
    const { brand } = await t.brand();
    await using file = await fileOf(jsonl(lines));
    const fresh = new Set(lines.map(({ externalId }) => externalId)).size;
    const once = await importPosts(t.service, brand.id, file.path);
    assertEquals(once, { imported: fresh, updated: 0, rejected: [] });
    for (let again = 0; again < 2; again++) {
      const before = await written(t);
      const report = await importPosts(t.service, brand.id, file.path);
      assertEquals(report, { imported: 0, updated: 0, rejected: [] });
      if (lines.length < 200) assertEquals(await written(t), before);
      const found = await findPost(t.service.kv, brand.id, first.platform, first.externalId);
      assertEquals(found!.caption, "The last line");
      assertEquals(found!.metrics, shown(last.platform, last.readings));
      assertEquals(found!.snapshots.length, 3);
    }
  }
});

Deno.test("a known post that several lines change counts as updated once, or not at all if it ends unchanged", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const posts = madePosts(450);
  const [back, changed, later] = posts as [IncomingPost, IncomingPost, IncomingPost];
  await upsertPosts(t.service, brand.id, posts);
  const tomorrow = { ...later.readings[2]!, capturedAt: "2027-01-01T00:00:00Z" };
  const lines = [
    ...[corrected(back, "elsewhere"), corrected(changed, "one"), corrected(later, later.caption)],
    ...posts.slice(3),
    ...[back, corrected(changed, "two"), { ...later, readings: [...later.readings, tomorrow] }],
  ];
  await using file = await fileOf(jsonl(lines));
  const report = await importPosts(t.service, brand.id, file.path);
  assertEquals(report, { imported: 0, updated: 2, rejected: [] });
  const again = await importPosts(t.service, brand.id, file.path);
  assertEquals(again, { imported: 0, updated: 0, rejected: [] });
});

/** One of three posts, with readings at one of a few instants of three days. */
const line = fc.record({
  post: fc.nat(2),
  caption: fc.constantFrom("a", "b"),
  coverText: fc.constantFrom(undefined, null, "cover"),
  readings: fc.array(fc.record({ at: fc.nat(8), views: fc.nat(2) }), {
    minLength: 1,
    maxLength: 4,
  }),
}).map(({ post, readings, ...fields }): IncomingPost => {
  const [base] = madePosts(1) as [IncomingPost];
  return {
    ...base,
    ...fields,
    externalId: `post ${post}`,
    readings: readings.map(({ at, views }) => ({
      ...base.readings[0]!,
      views,
      capturedAt: new Date(Date.UTC(2026, 5, 1, at * 8)).toISOString(),
    })),
  };
});

/** What posts come to when lines are brought one after the other. */
function outcome(lines: IncomingPost[]): Map<string, { caption: string; views: number[] }> {
  const posts = new Map<
    string,
    { caption: string; days: Map<string, [at: string, views: number]> }
  >();
  for (const { externalId, caption, readings } of lines) {
    const days = posts.get(externalId)?.days ?? new Map();
    for (const { capturedAt, views } of readings) {
      const day = dayOf(Date.parse(capturedAt));
      if (capturedAt >= (days.get(day)?.[0] ?? "")) days.set(day, [capturedAt, views]);
    }
    posts.set(externalId, { caption, days });
  }
  return new Map([...posts].map(([id, { caption, days }]) => {
    const views = [...days.values()].sort().map(([, views]) => views);
    return [id, { caption, views }];
  }));
}

Deno.test("in any order and batching the last line of a post wins, and importing again updates nothing", async () => {
  await using t = await testService();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(line, { maxLength: 4 }), { maxLength: 4 }),
      async (portions) => {
        const { brand } = await t.brand();
        const bring = async () => {
          const tally = new Tally();
          for (const portion of portions) {
            await upsertPosts(t.service, brand.id, portion, { tally });
          }
          return [tally.imported, tally.updated];
        };
        const expected = outcome(portions.flat());
        assertEquals(await bring(), [expected.size, 0]);
        for (let again = 0; again < 2; again++) {
          for (const [externalId, { caption, views }] of expected) {
            const { platform } = portions.flat()[0]!;
            const found = (await findPost(t.service.kv, brand.id, platform, externalId))!;
            assertEquals(found.caption, caption);
            assertEquals(found.snapshots.map((snapshot) => snapshot.views), views);
            assertEquals(found.metrics.views, views.at(-1));
          }
          assertEquals(await bring(), [0, 0]);
        }
      },
    ),
    { numRuns: 100 },
  );
});
