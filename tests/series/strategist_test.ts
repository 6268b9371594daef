/** Reviews: they read what really happened, and their words never claim more than the figures. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { reader } from "../../domain/kv/transact.ts";
import { ModelError, type TextModel, type WritingTask } from "../../domain/models/model.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { normal, seededRandom } from "../../domain/foundation/chance.ts";
import { readStrategy, seriesKey, type StoredSeries } from "../../domain/series/records.ts";
import { listSlots } from "../../domain/series/slot_list.ts";
import { Playbook, type StoredReview } from "../../domain/series/playbook.ts";
import { listReviews } from "../../domain/series/reviews.ts";
import { reviewSeries } from "../../domain/series/running/review.ts";
import type { Words } from "../../domain/series/strategist/writing.ts";
import { pass } from "../support/series.ts";
import { type TestService, testService } from "../support/service.ts";
import { postOf, storeSeries, storeSlot } from "../support/stored_series.ts";

/** A series with published posts, of which those of direction B earn 50 % more. */
async function seriesWithPosts(t: TestService, brandId: string, count = 24): Promise<StoredSeries> {
  const start = t.service.now();
  const series = await storeSeries(t.service, brandId);
  const random = seededRandom("wire");
  const incoming = [];
  for (let n = 0; n < count; n++) {
    const publishedAt = start + n * DAY + 9 * HOUR;
    const direction = ["Direction A", "Direction B"][n % 2]!;
    const engagement = Math.round(200 * (n % 2 === 1 ? 1.5 : 1) * Math.exp(0.1 * normal(random)));
    incoming.push(postOf(`ig-${n}`, publishedAt, engagement));
    await storeSlot(t.service, series, publishedAt, {
      status: "published",
      platform: "instagram",
      externalPostId: `ig-${n}`,
      publishedAt: iso(publishedAt),
      decision: { direction, overlayTemplate: "none", rationale: "" },
    });
  }
  t.turn((count + 4) * DAY);
  await upsertPosts(t.service, brandId, incoming);
  return series;
}

function review(t: TestService, brandId: string, series: StoredSeries): Promise<StoredReview> {
  return reviewSeries(t.service, { id: brandId }, series);
}

Deno.test("the first review, before any data, proposes directions from goal and guidance and says so", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const series = await storeSeries(t.service, brand.id, { hourUtc: 14 });
  const first = await review(t, brand.id, series);
  Playbook.parse(first.playbook);
  assertEquals(first.scoredItems, 0);
  assertStringIncludes(first.playbook.summary, "No posts have been scored yet");
  assertEquals(first.playbook.postHoursUtc, [14]);
  assertEquals(first.playbook.directions.length, 4);
  for (const { direction, action } of first.playbook.directions) {
    assertStringIncludes(direction, "weekend pottery classes");
    assertEquals(action, "test");
  }
  assertEquals((await readStrategy(reader(t.service.kv), brand.id, series.id))!.reviewId, first.id);
  assertEquals((await listReviews(t.service.kv, brand.id, series.id, 50)).map(({ id }) => id), [
    first.id,
  ]);
});

Deno.test("a review reads posts and readings, adopts the playbook and drops planned slots without images", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const series = await seriesWithPosts(t, brand.id);
  const planned = await storeSlot(t.service, series, t.service.now() + DAY);
  const made = await storeSlot(t.service, series, t.service.now() + 2 * DAY, { generation: 1 });
  const done = await review(t, brand.id, series);
  assertEquals(done.scoredItems, 24);
  const better = done.figures.find(({ arm }) => arm === "Direction B")!;
  assertEquals([better.posts, better.action], [12, "push"]);
  assert(better.low < 0.5 && better.high > 0.4, JSON.stringify(better));
  const left = await listSlots(t.service.kv, brand.id, series.id, { from: t.service.now() });
  assertEquals(left.map(({ id }) => id), [made.id]);
  assert(planned.id !== made.id);
});

Deno.test("a post that is too young to compare is not scored, and the review says so", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const series = await seriesWithPosts(t, brand.id, 12);
  const at = t.service.now() - DAY;
  await storeSlot(t.service, series, at, {
    status: "published",
    platform: "instagram",
    externalPostId: "ig-young",
  });
  await upsertPosts(t.service, brand.id, [{
    ...postOf("ig-young", at, 500),
    readings: [postOf("x", at, 500).readings[0]!],
  }]);
  const done = await review(t, brand.id, series);
  assertEquals(done.scoredItems, 12);
  assertStringIncludes(done.playbook.summary, "1 more post can't be compared yet");
});

Deno.test("a change of goal brings new directions", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const series = await storeSeries(t.service, brand.id);
  await review(t, brand.id, series);
  const goal = "Fill the seats of our jazz concerts";
  const next = await review(
    t,
    brand.id,
    await storeSeries(t.service, brand.id, { ...series, goal }),
  );
  assert(next.playbook.directions.every(({ direction }) => direction.includes("jazz concerts")));
});

/** A text model that returns the local words with `change` applied. */
function modelThat(change: (words: Words) => Words): TextModel {
  return {
    name: "test",
    write: <T>(task: WritingTask<T>) => Promise.resolve(change(task.local() as Words) as T),
  };
}

Deno.test("a text model's lies are refused, its honest words kept, and no word moves a share", async () => {
  const shares = async (textModel?: TextModel) => {
    await using t = await testService({
      dependencies: textModel === undefined ? {} : { textModel },
    });
    const { brand } = await t.brand();
    const series = await seriesWithPosts(t, brand.id);
    await review(t, brand.id, series);
    return await review(t, brand.id, series);
  };
  const told = await shares(modelThat((words) => ({
    ...words,
    summary: "Engagement doubled, and 97% of the posts went viral.",
    overlayGuidance: "Let the clay speak: few words.",
    experiments: ["Try 400 posts a week.", "Try a quieter opening line."],
    rationales: words.rationales.map(({ direction }) => ({
      direction,
      rationale: "Earned 99% more over 4,000 posts.",
    })),
    newDirections: ["  ", "The kiln at night", "x".repeat(500)],
  })));
  const local = await shares();
  assertEquals(told.playbook.summary, local.playbook.summary);
  assertEquals(told.playbook.overlayGuidance, "Let the clay speak: few words.");
  assertEquals(told.playbook.experiments, ["Try a quieter opening line."]);
  assert(!JSON.stringify(told.playbook).includes("99%"));
  assert(told.playbook.directions.some(({ direction }) => direction === "The kiln at night"));
  assert(told.playbook.directions.every(({ direction }) => direction.length <= 120));
  assertEquals(
    told.playbook.formatWeights.map(({ format }) => format),
    local.playbook.formatWeights.map(({ format }) => format),
  );
});

Deno.test("words of a model stand before the figures they rest on", async () => {
  const textModel = modelThat((words) => ({
    ...words,
    rationales: words.rationales.map(({ direction }) => ({
      direction,
      rationale: "People love it.",
    })),
  }));
  await using t = await testService({ dependencies: { textModel } });
  const { brand } = await t.brand();
  const series = await seriesWithPosts(t, brand.id);
  await review(t, brand.id, series);
  const done = await review(t, brand.id, series);
  for (const { rationale } of done.playbook.directions) {
    assertMatch(rationale, /^People love it\. .*posts?/);
  }
});

Deno.test("when the text model does not answer, a review is a 503 with Retry-After and changes nothing", async () => {
  const textModel: TextModel = {
    name: "down",
    write: () =>
      Promise.reject(new ModelError("It is overloaded.", { transient: true, retryAfter: 7 })),
  };
  await using t = await testService({ dependencies: { textModel } });
  const { brand } = await t.brand();
  const series = await storeSeries(t.service, brand.id);
  await storeSlot(t.service, series, t.service.now() + DAY);
  const refused = await assertRejects(
    () => review(t, brand.id, series),
    ServiceError,
    "overloaded",
  );
  assertEquals([refused.code, refused.retryAfter], ["serviceUnavailable", 7]);
  assertEquals(await listReviews(t.service.kv, brand.id, series.id, 50), []);
  assertEquals((await listSlots(t.service.kv, brand.id, series.id)).length, 1);
});

Deno.test("a manual series is not reviewed", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const series = await storeSeries(t.service, brand.id, { mode: "manual" });
  const refused = await assertRejects(() => review(t, brand.id, series), ServiceError);
  assertEquals(refused.code, "conflict");
});

/** A text model that runs `meanwhile` and then returns the local words. */
function slowModel(meanwhile: { happens: () => Promise<void> }): TextModel {
  return {
    name: "slow",
    async write<T>(task: WritingTask<T>) {
      await meanwhile.happens();
      return task.local();
    },
  };
}

const MANUAL = { mode: "manual", theme: "Bread", format: "post", cadenceDays: 7 };
const MEANWHILE: [string, "PATCH" | "POST", string, object][] = [
  ["becomes manual", "PATCH", "", MANUAL],
  ["gets another goal", "PATCH", "", { goal: "Fill the seats of our jazz concerts" }],
  ["gets other guidance", "PATCH", "", { guidance: "Never show faces." }],
  ["is reviewed by another", "POST", "/reviews", {}],
];

for (const [what, method, path, body] of MEANWHILE) {
  Deno.test(`a review of a series that ${what} while it is written is a conflict and changes nothing`, async () => {
    const meanwhile = { happens: () => Promise.resolve() };
    await using t = await testService({ dependencies: { textModel: slowModel(meanwhile) } });
    const { brand, secret } = await t.brand();
    const series = await storeSeries(t.service, brand.id);
    await review(t, brand.id, series);
    const { kv, now } = t.service;
    const stored = async () => ({
      series: (await kv.get(seriesKey(brand.id, series.id))).value,
      strategy: await readStrategy(reader(kv), brand.id, series.id),
      slots: await listSlots(kv, brand.id, series.id),
      reviews: await listReviews(kv, brand.id, series.id, 50),
    });
    let left: unknown = null;
    meanwhile.happens = async () => {
      meanwhile.happens = () => Promise.resolve();
      const answer = await t.call(secret, `/v1/series/${series.id}${path}`, { method, body });
      assert(answer.ok, await answer.text());
      await storeSlot(t.service, series, now() + DAY);
      left = await stored();
    };
    const refused = await assertRejects(() => review(t, brand.id, series), ServiceError, "changed");
    assertEquals(refused.code, "conflict");
    assertEquals(await stored(), left);
  });
}

Deno.test("a pass whose review was overtaken by a change leaves the series to the next pass", async () => {
  const meanwhile = { happens: () => Promise.resolve() };
  await using t = await testService({ dependencies: { textModel: slowModel(meanwhile) } });
  const { brand, secret } = await t.brand();
  const { id } = await storeSeries(t.service, brand.id);
  meanwhile.happens = async () => {
    meanwhile.happens = () => Promise.resolve();
    const body = { goal: "Fill the seats of our jazz concerts" };
    await (await t.call(secret, `/v1/series/${id}`, { method: "PATCH", body })).text();
  };
  const series = async () => await (await t.request(secret, `/v1/series/${id}`)).json();
  await pass(t);
  const { reviews, items } = await series();
  assertEquals([reviews, items], [[], []]);
  await pass(t);
  const { playbook, items: planned } = await series();
  assertStringIncludes(playbook.directions[0].direction, "jazz concerts");
  assert(planned.length > 0);
});
