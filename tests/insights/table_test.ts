/** Gains by day, values at equal age, and the table that keeps both up to date. */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { seededRandom } from "../../domain/foundation/chance.ts";
import { AGES, valueAtAge } from "../../domain/insights/age.ts";
import { DayGains } from "../../domain/insights/gains.ts";
import { METRICS, toHistory, valueOf, WIDTH } from "../../domain/insights/history.ts";
import { pack, unpack } from "../../domain/insights/packed.ts";
import { Insights } from "../../domain/insights/tables.ts";
import type { IncomingPost, Reading } from "../../domain/posts/shape.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { madePosts } from "../support/corpus.ts";
import { NOON, testService } from "../support/service.ts";

const MIDNIGHT = NOON - 12 * HOUR;
const day = (number: number) => MIDNIGHT / DAY + number;

function reading(at: number, likes: number, more: Partial<Reading> = {}): Reading {
  const none = { views: 0, impressions: 0, comments: 0, shares: 0 };
  return {
    ...{ ...none, reach: null, saves: null, clicks: null },
    ...{ likes, capturedAt: iso(at) },
    ...more,
  };
}

Deno.test("a gain is spread evenly over the time between two readings, and corrections are kept", () => {
  const gains = new DayGains();
  const history = toHistory([
    reading(MIDNIGHT + 12 * HOUR, 40),
    reading(MIDNIGHT + 36 * HOUR, 100),
    reading(MIDNIGHT + 60 * HOUR, 90),
  ]);
  gains.count(0, MIDNIGHT, history, 1);
  assertEquals([0, 1, 2, 3].map((at) => gains.on(day(at), "likes", 0)), [70, 25, -5, null]);
  assertEquals(gains.on(day(0), "saves", 0), null);
  assertEquals(gains.on(day(0), "likes", 1), null);
  gains.count(0, MIDNIGHT, history, -1);
  assertEquals(gains.on(day(0), "likes", null), null);
});

Deno.test("what a post had before a late first reading counts for no day", () => {
  const gains = new DayGains();
  const history = toHistory([reading(MIDNIGHT, 500), reading(MIDNIGHT + DAY, 510)]);
  gains.count(0, MIDNIGHT - 73 * HOUR, history, 1);
  assertEquals(gains.firstDay(null), day(0));
  assertEquals(gains.on(day(0), "likes", null), 10);
});

Deno.test("engagement at an age is told only where readings are near it", () => {
  const at = (ages: [hours: number, likes: number][], age: number, format: "image" | "story") =>
    valueAtAge(
      toHistory(ages.map(([hours, likes]) => reading(NOON + hours * HOUR, likes))),
      NOON,
      age * HOUR,
      format,
    );
  assertEquals(at([[24, 100], [72, 200]], 48, "image"), 150);
  assertEquals(at([[24, 100], [97, 200]], 48, "image"), NaN);
  assertEquals(at([[60, 90]], 48, "image"), 72);
  assertEquals(at([[60, 90]], 2, "image"), NaN);
  assertEquals(at([[8, 90]], 2, "image"), 45);
  assertEquals(at([[2, 30]], 2, "image"), 30);
  assertEquals(at([[2, 30]], 3, "image"), NaN);
  assertEquals(at([[22, 30]], 48, "story"), 30);
  assertEquals(at([[19, 30]], 48, "story"), NaN);
});

Deno.test("packed histories are the same when unpacked: gaps, nulls, corrections, large numbers", () => {
  const random = seededRandom("packed");
  for (let round = 0; round < 50; round++) {
    const history = toHistory(Array.from({ length: round }, (_, at) => {
      const number = () => Math.floor(random() * 10 ** (1 + Math.floor(random() * 12)));
      const orNull = () => random() < 0.3 ? null : number();
      return reading(NOON + at * DAY + Math.floor(random() * DAY), number(), {
        ...{ views: number(), reach: orNull(), saves: orNull(), clicks: orNull() },
      });
    }));
    assertEquals(unpack(pack(history)), history);
    if (round > 0) assertEquals(valueOf(history, 0, METRICS.indexOf("views")), history.values[0]);
    assertEquals(history.values.length, round * WIDTH);
  }
});

Deno.test("a table that takes over changes is the same as a new one", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const { kv } = t.service;
  const posts = madePosts(300);
  await upsertPosts(t.service, brand.id, posts.slice(0, 250));
  const kept = new Insights(kv);
  const table = await kept.of(brand.id);
  const random = seededRandom("changes");
  for (let round = 0; round < 4; round++) {
    await upsertPosts(t.service, brand.id, posts.filter(() => random() < 0.4).map(changed));
    assertEquals(await kept.of(brand.id), table);
    const fresh = await new Insights(kv).of(brand.id);
    assertEquals(table.size, fresh.size);
    const ids = (await t.service.posts.newest(brand.id, 0, 300)).toSorted();
    for (const id of ids) {
      const [one, other] = [table.rowOf(id) ?? NaN, fresh.rowOf(id) ?? NaN];
      const told = (of: typeof table, row: number) => [
        of.kinds.at(row),
        of.published.at(row),
        ...AGES.map((_, age) => of.at(row, age)),
        ...Array.from(of.tagsOf(row), (tag) => of.tagNames[tag]),
      ];
      assertEquals(told(table, one), told(fresh, other));
    }
    const first = fresh.gains.firstDay(null);
    for (let at = first; at < first + 60; at++) {
      for (const metric of METRICS) {
        const [one, other] = [table, fresh].map(({ gains }) => gains.on(at, metric, 1));
        assertEquals(one === null, other === null);
        assertAlmostEquals(one ?? 0, other ?? 0, 1e-6);
      }
    }
  }

  function changed(post: IncomingPost): IncomingPost {
    return {
      ...post,
      format: random() < 0.2 ? "image" : post.format,
      hashtags: random() < 0.2 ? ["new", ...post.hashtags] : post.hashtags,
      readings: post.readings.map((one) => ({
        ...one,
        likes: Math.floor(random() * 1_000),
        clicks: random() < 0.5 ? null : 3,
      })),
    };
  }
});

Deno.test("tables that were read longest ago are released under the memory limit", async () => {
  await using t = await testService();
  const brands = [await t.brand(), await t.brand(), await t.brand()];
  for (const { brand } of brands) await upsertPosts(t.service, brand.id, madePosts(50));
  const insights = new Insights(t.service.kv, { memoryBytes: 1 });
  for (const { brand } of brands) {
    assertEquals((await insights.of(brand.id)).size, 50);
    assertEquals(insights.size, 1);
  }
});
