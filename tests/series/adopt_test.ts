/** Reviews on the wire, and the return to an earlier playbook. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY, WEEK } from "../../domain/foundation/calendar.ts";
import { reader } from "../../domain/kv/transact.ts";
import { readStrategy, seriesKey } from "../../domain/series/records.ts";
import { listSlots } from "../../domain/series/slot_list.ts";
import { reviewSeries } from "../../domain/series/running/review.ts";
import { reviewKey } from "../../domain/series/reviews.ts";
import { testService } from "../support/service.ts";
import { postOf, storeSeries, storeSlot } from "../support/stored_series.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";

Deno.test("an earlier playbook is adopted again, for a week, and drops planned slots without images", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const series = await storeSeries(t.service, brand.id);
  const first = await reviewSeries(t.service, brand, series);
  t.turn(WEEK);
  const second = await reviewSeries(t.service, brand, series);
  t.turn(DAY);
  await storeSlot(t.service, series, t.service.now() + DAY);
  const path = `/v1/series/${series.id}/reviews/${first.id}/adopt`;
  const answer = await t.request(secret, path, { method: "POST" });
  const adopted = await answer.json();
  assertEquals([answer.status, adopted.playbook], [200, first.playbook]);
  const strategy = await readStrategy(reader(t.service.kv), brand.id, series.id);
  assertEquals([strategy!.reviewId, strategy!.reviewedAt], [first.id, t.service.now()]);
  assertEquals(await listSlots(t.service.kv, brand.id, series.id), []);
  const { reviews } = await (await t.request(secret, `/v1/series/${series.id}`)).json();
  assertEquals(reviews.map(({ id }: { id: string }) => id), [second.id, first.id]);
  assertEquals([reviews[1].diff, reviews[1].score.judged, reviews[0].evidence.length], [
    null,
    0,
    4,
  ]);
});

Deno.test("a playbook that is unknown, of a manual series or of another goal is not adopted", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const series = await storeSeries(t.service, brand.id);
  const { id } = await reviewSeries(t.service, brand, series);
  const adopt = async (reviewId: string) => {
    const path = `/v1/series/${series.id}/reviews/${reviewId}/adopt`;
    const answer = await t.request(secret, path, { method: "POST" });
    const { error } = await answer.json();
    return [answer.status, error.code, error.message] as const;
  };
  assertEquals((await adopt("rev_1")).slice(0, 2), [404, "notFound"]);
  assertEquals((await adopt(series.id)).slice(0, 2), [404, "notFound"]);
  const key = seriesKey(brand.id, series.id);
  await t.service.kv.set(key, { ...series, goal: "Fill our jazz concerts" });
  const [status, code, message] = await adopt(id);
  assertEquals([status, code], [409, "conflict"]);
  assertStringIncludes(message, "another goal");
  await t.service.kv.set(key, { ...series, mode: "manual" });
  assertEquals((await adopt(id)).slice(0, 2), [409, "conflict"]);
});

Deno.test("a review judges those of four weeks before, each once, and keeps the record", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const series = await storeSeries(t.service, brand.id);
  const start = t.service.now();
  const posts = [];
  for (let n = 0; n < 56; n++) {
    const at = start + n * DAY;
    const direction = ["A", "B"][n % 2]!;
    posts.push(postOf(`ig-${n}`, at, direction === "A" ? 200 + n % 5 : 120 + n % 7));
    await storeSlot(t.service, series, at, {
      ...{ status: "published", platform: "instagram", externalPostId: `ig-${n}` },
      decision: { direction, overlayTemplate: "none", rationale: "" },
    });
  }
  await upsertPosts(t.service, brand.id, posts);
  const judged = [];
  for (const weeks of [4, 4, 1]) {
    t.turn(weeks * WEEK);
    const { score, rationale } = await reviewSeries(t.service, brand, series);
    judged.push(score!.judged);
    if (score!.judged > 0) assertStringIncludes(rationale, "Brier score");
  }
  assertEquals(judged[0], 0);
  assert(judged[1]! >= 2, `${judged}`);
  assertEquals(judged[2], judged[1], "the second review is not four weeks old");
});

Deno.test("a review stored before there were diff, evidence and score is shown with empty ones", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const series = await storeSeries(t.service, brand.id);
  const { diff: _, evidence: _e, score: _s, ...old } = await reviewSeries(t.service, brand, series);
  await t.service.kv.set(reviewKey(brand.id, series.id, old.id), old);
  const { reviews: [shown] } = await (await t.request(secret, `/v1/series/${series.id}`)).json();
  assertEquals([shown.diff, shown.evidence, shown.score.brier], [null, [], null]);
});
