/** All readings of a post's first 72 hours are kept apart, small, for comparing posts at equal age. */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import { deleteBrand } from "../../domain/operations/brands/delete.ts";
import {
  EARLY_BYTES,
  earlyKey,
  earlyReadings,
  valueAtAge,
  withEarlyReadings,
} from "../../domain/posts/early.ts";
import { exportPosts } from "../../domain/posts/exporter.ts";
import { importPosts } from "../../domain/posts/importer.ts";
import type { IncomingPost, PostFormat, Reading } from "../../domain/posts/shape.ts";
import { findPost } from "../../domain/posts/store.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { measure } from "../../domain/series/strategist/evidence.ts";
import { NOON, type TestService, testService } from "../support/service.ts";

function reading(at: number, views: number, change: Partial<Reading> = {}): Reading {
  return {
    capturedAt: iso(at),
    views,
    impressions: views,
    reach: Math.floor(views * 0.8),
    likes: Math.floor(views * 0.1),
    comments: 1,
    shares: 2,
    saves: 3,
    clicks: null,
    ...change,
  };
}

function incoming(
  externalId: string,
  format: PostFormat,
  publishedAt: number,
  readings: Reading[],
): IncomingPost {
  return {
    externalId,
    platform: "instagram",
    format,
    title: null,
    url: `https://www.instagram.com/p/${externalId}/`,
    caption: externalId,
    hashtags: [],
    thumbnailUrl: null,
    mediaUrls: [],
    publishedAt: iso(publishedAt),
    readings,
  };
}

async function stored(t: TestService, brandId: string, externalId: string) {
  return (await findPost(t.service.kv, brandId, "instagram", externalId))!;
}

Deno.test("each pass of the first 72 hours is kept as it was read; the snapshots stay one a day", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const { kv } = t.service;
  const readings: Reading[] = [];
  // As the passes bring them, one at a time: numbers rise, fall, are null and are huge.
  for (let pass = 0; pass < 150; pass++) {
    const at = NOON + pass * 30 * MINUTE + 7_000;
    const views = pass === 40 ? 900 : 1_000 + pass * 7_919 + (pass > 100 ? 2 ** 52 : 0);
    readings.push(reading(at, views, pass % 9 === 0 ? { reach: null, saves: null } : {}));
  }
  for (const one of readings) {
    await upsertPosts(t.service, brand.id, [incoming("1", "image", NOON, [one])]);
  }
  const { id, snapshots } = await stored(t, brand.id, "1");
  assertEquals(snapshots.length, 4);
  const within = readings.filter(({ capturedAt }) => Date.parse(capturedAt) - NOON <= 72 * HOUR);
  assertEquals(await earlyReadings(kv, brand.id, id), within);
  const packed = (await kv.get<Uint8Array>(earlyKey(brand.id, id))).value!;
  assert(packed.length < EARLY_BYTES / 2, `${packed.length} bytes`);

  // The same once more changes nothing, and of one half hour the last reading stays.
  const version = async () => (await kv.get<number>(["postVersion", brand.id])).value;
  const before = await version();
  await upsertPosts(t.service, brand.id, [incoming("1", "image", NOON, readings)]);
  assertEquals(await version(), before);
  const later = reading(NOON + 8 * MINUTE, 1_500);
  await upsertPosts(t.service, brand.id, [incoming("1", "image", NOON, [later])]);
  assertEquals((await earlyReadings(kv, brand.id, id))[0], later);
  assertEquals((await stored(t, brand.id, "1")).snapshots, snapshots);
});

Deno.test("a story's value at 20 hours doesn't depend on the hour at which it was posted", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const grown = (age: number) => Math.round(100_000 * (1 - Math.exp(-age / (6 * HOUR))));
  const truth = grown(20 * HOUR) * 0.1 + 6;
  const start = Math.floor(NOON / DAY) * DAY;
  const stories = Array.from({ length: 24 }, (_, hour) => {
    const publishedAt = start + hour * HOUR;
    const passes = Array.from({ length: 47 }, (_, pass) => (pass + 0.9) * 30 * MINUTE);
    const readings = passes.map((age) => reading(publishedAt + age, grown(age)));
    return incoming(String(hour), "story", publishedAt, readings);
  });
  await upsertPosts(t.service, brand.id, stories);
  const found = await Promise.all(stories.map(({ externalId }) => stored(t, brand.id, externalId)));
  const worst = (posts: typeof found) =>
    Math.max(...posts.map((post) => Math.abs((measure(post)?.engagement ?? 0) / truth - 1)));
  assert(worst(found) > 0.1, "by day snapshots it is far off");
  const compared = await withEarlyReadings(t.service.kv, brand.id, found);
  assert(worst(compared) < 0.01, `off by ${worst(compared)}`);
  const [first] = compared;
  const views = valueAtAge(first!.snapshots, start, 20 * HOUR, ({ views }) => views)!;
  assert(Math.abs(views / grown(20 * HOUR) - 1) < 0.01);
});

Deno.test("a value at an age is told only by readings around it", () => {
  const readings = [reading(NOON + 10 * HOUR, 100), reading(NOON + 20 * HOUR, 200)];
  const at = (age: number) => valueAtAge(readings, NOON, age, ({ views }) => views);
  assertEquals(
    [at(0), at(5 * HOUR), at(15 * HOUR), at(20 * HOUR), at(21 * HOUR)],
    [0, 50, 150, 200, null],
  );
  const sparse = [reading(NOON + 100 * HOUR, 100)];
  assertEquals(valueAtAge(sparse, NOON, 48 * HOUR, ({ views }) => views), null);
});

Deno.test("early readings move with an export and go with their brand", async () => {
  await using t = await testService();
  const { kv, settings } = t.service;
  const [own, other] = [await t.brand(), await t.brand()];
  const readings = [1, 2, 3].map((step) => reading(NOON + step * HOUR, step * 100));
  await upsertPosts(t.service, own.brand.id, [incoming("1", "reel", NOON, readings)]);
  const lines: string[] = [];
  for await (const post of exportPosts(kv, own.brand.id)) lines.push(JSON.stringify(post) + "\n");
  const path = `${settings.DATA_DIR}/posts.jsonl`;
  await Deno.writeTextFile(path, lines.join(""));
  const again = { imported: 0, updated: 0, rejected: [] };
  assertEquals(await importPosts(t.service, other.brand.id, path), { ...again, imported: 1 });
  assertEquals(await importPosts(t.service, other.brand.id, path), again);
  const { id } = await stored(t, other.brand.id, "1");
  assertEquals(await earlyReadings(kv, other.brand.id, id), readings);
  await deleteBrand(t.service, other.brand.id);
  assertEquals(await earlyReadings(kv, other.brand.id, id), []);
});
