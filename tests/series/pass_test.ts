/** The pass in the whole service: plan, make, publish, hold; brands, pauses, budgets, cast. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY, HOUR, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import { grantCredits } from "../../domain/brands/credits.ts";
import { runPass } from "../../jobs/passes.ts";
import { Worker } from "../../jobs/worker.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { used } from "../support/creations.ts";
import { AUTOPILOT, seriesKit, truth } from "../support/series.ts";
import { NOON, testService } from "../support/service.ts";

type Item = {
  id: string;
  status: string;
  scheduledFor: string;
  format: string;
  caption: string;
  error: string | null;
  externalPostId: string | null;
  decision: { direction: string; overlayTemplate: string; rationale: string };
  creations: {
    prompt: string;
    castMemberId: string | null;
    overlay: { template: string; text: string } | null;
  }[];
};

Deno.test("a pass plans 7 days, makes what is due within 24 hours and publishes what is due", async () => {
  await using t = await testService();
  const { connect, create, items, pass } = await seriesKit(t);
  const account = await connect();
  const { id } = await create({ socialAccountId: account.id, hourUtc: 18 });
  const first = await pass();
  assertEquals(
    [first.series, first.planned, first.generated, first.published, first.held],
    [1, 7, 1, 0, 0],
  );
  const planned: Item[] = await items(id);
  assertEquals(planned.map(({ scheduledFor }) => scheduledFor.slice(8, 16)), [
    "20T18:00",
    "21T18:00",
    "22T18:00",
    "23T18:00",
    "24T18:00",
    "25T18:00",
    "26T18:00",
  ]);
  assertEquals(planned.map(({ status }) => status), ["ready", ...Array(6).fill("planned")]);
  assertEquals(planned[0]!.decision.direction, "Bread fresh from the oven");
  assertEquals(planned[1]!.caption, "");
  assertEquals((await pass()).planned, 0);
  t.turnTo("2026-11-20T18:00:00Z");
  const second = await pass();
  assertEquals([second.planned, second.generated, second.published], [1, 1, 1]);
  const [published]: Item[] = await items(id);
  assertEquals(published!.status, "published");
  const posts = await truth(t, "instagram", "bakery", NOON);
  assertEquals(posts.map(({ id }) => id), [published!.externalPostId]);
});

Deno.test("without an account slots stop at ready, however late", async () => {
  await using t = await testService();
  const { create, items, pass, why } = await seriesKit(t);
  const { id } = await create();
  await pass();
  t.turn(3 * DAY);
  await pass();
  const [first]: Item[] = await items(id);
  assertEquals(first!.status, "ready");
  assertEquals((await why(id, first!.id)).waitingFor, "account");
});

Deno.test("a paused series is left alone by the pass, and resumes on its grid", async () => {
  await using t = await testService();
  const { call, create, items, pass, act } = await seriesKit(t);
  const { id } = await create({ cadenceDays: 2 });
  await pass();
  await call("PATCH", `/v1/series/${id}`, { active: false });
  const before: Item[] = await items(id);
  t.turn(20 * DAY);
  assertEquals((await pass()).series, 0);
  assertEquals(await items(id), before);
  assertEquals((await act(id, before[0]!.id, "caption")).status, 200);
  await call("PATCH", `/v1/series/${id}`, { active: true });
  await pass();
  const after: Item[] = await items(id);
  const first = Date.parse(before[0]!.scheduledFor);
  for (const { scheduledFor } of after) {
    assertEquals((Date.parse(scheduledFor) - first) % (2 * DAY), 0);
  }
  const gap = after.filter(({ scheduledFor }) => {
    const at = Date.parse(scheduledFor);
    return at > NOON + 7 * DAY && at < NOON + 20 * DAY;
  });
  assertEquals(gap, [], "a pause leaves holes");
});

Deno.test("a deleted series is neither planned nor made nor published", async () => {
  await using t = await testService();
  const { call, connect, create, pass, slots } = await seriesKit(t);
  const account = await connect();
  const { id } = await create({ socialAccountId: account.id });
  await pass();
  await call("DELETE", `/v1/series/${id}`);
  const before = await slots(id);
  t.turn(DAY);
  assertEquals((await pass()).series, 0);
  assertEquals(await slots(id), before);
  assertEquals(await truth(t, "instagram", "bakery", NOON), []);
});

Deno.test("an autopilot is reviewed before its first plan, then weekly", async () => {
  await using t = await testService();
  const { create, get, pass, call } = await seriesKit(t);
  const { id } = await create(AUTOPILOT);
  await pass();
  const first = await get(id);
  assertEquals(first.reviews.length, 1);
  assert(first.items.length > 0);
  for (const item of first.items) {
    assertStringIncludes(item.decision.rationale, first.reviews[0].id);
  }
  t.turn(6 * DAY);
  await pass();
  assertEquals((await get(id)).reviews.length, 1);
  t.turn(DAY);
  await pass();
  assertEquals((await get(id)).reviews.length, 2);
  const planned = (await get(id)).items.filter((item: Item) => item.status === "planned");
  const review = await call("POST", `/v1/series/${id}/reviews`);
  assertEquals(review.status, 201);
  for (const item of planned) {
    assertEquals((await call("GET", `/v1/series/${id}/items/${item.id}/why`)).status, 404);
  }
  await pass();
  const anew = (await get(id)).items.filter((item: Item) => item.status === "planned");
  assert(anew.length > 0);
  for (const item of anew) assertStringIncludes(item.decision.rationale, review.body.id);
});

Deno.test("a carousel tells one story in steps, with base style, look, goal and overlay", async () => {
  await using t = await testService();
  const { call, create, items, pass } = await seriesKit(t);
  await call("PUT", "/v1/brand-kit", {
    baseStylePrompt: "Warm film photography",
    discordWebhookUrl: "",
  });
  const look = "Ana, curly red hair, green apron";
  const cast = (await call("POST", "/v1/cast-members", { name: "Ana", lookPrompt: look })).body;
  const { id } = await create({
    format: "carousel",
    castMemberId: cast.id,
    overlay: { template: "lowerThird", text: "Fresh" },
  });
  await pass();
  const [item]: Item[] = await items(id);
  assertEquals([item!.status, item!.creations.length], ["ready", 4]);
  const prompts = item!.creations.map(({ prompt }) => prompt);
  assertEquals(new Set(prompts).size, 4);
  for (const { prompt, castMemberId, overlay } of item!.creations) {
    assert(prompt.startsWith("Warm film photography"), prompt);
    assertStringIncludes(prompt, look);
    assertEquals(castMemberId, cast.id);
    assertEquals(overlay?.template, "lowerThird");
    assert(!/Image \d of/.test(prompt), prompt);
  }
  const words = item!.creations.map(({ overlay }) => overlay?.text);
  assertEquals([words[0], new Set(words).size], ["Fresh", 4]);
  assertEquals(new Set(prompts.map((prompt) => prompt.split(" Seen ")[0])).size, 1, "one scene");
});

Deno.test("a retired cast member's series goes on without the member", async () => {
  await using t = await testService();
  const { call, create, items, pass } = await seriesKit(t);
  const cast =
    (await call("POST", "/v1/cast-members", { name: "Ana", lookPrompt: "Red hair" })).body;
  const { id } = await create({ castMemberId: cast.id });
  await call("DELETE", `/v1/cast-members/${cast.id}`);
  await pass();
  const [item]: Item[] = await items(id);
  assertEquals(item!.status, "ready");
  assertEquals(item!.creations[0]!.castMemberId, null);
  assert(!item!.creations[0]!.prompt.includes("Red hair"));
});

Deno.test("a slot is held, not published, when its time passed by more than 24 hours", async () => {
  await using t = await testService();
  const { connect, create, items, pass, act } = await seriesKit(t);
  const account = await connect();
  const { id } = await create({ socialAccountId: account.id });
  await pass();
  t.turn(3 * DAY);
  await pass();
  const [first, second, third, fourth]: Item[] = await items(id);
  assertEquals([first!.status, second!.status, third!.status], ["held", "held", "published"]);
  assertEquals(second!.creations, [], "nothing is spent on a slot that is too late");
  assertStringIncludes(first!.error!, "Publish it by hand");
  assertEquals(fourth!.status, "ready");
  t.worker.start();
  assertEquals((await act(id, first!.id, "publish")).status, 204);
});

Deno.test("a month's budget is kept, regenerations included, and held slots say so", async () => {
  await using t = await testService({ at: Date.parse("2026-11-02T00:30:00Z") });
  const { create, items, pass, act, secret, call } = await seriesKit(t);
  const { id } = await create({ ...AUTOPILOT, postsPerWeek: 7, creditBudgetMonthly: 3 });
  await pass();
  assertEquals((await items(id)).length, 3);
  const [first]: Item[] = await items(id);
  await act(id, first!.id, "regenerate");
  for (let day = 0; day < 27; day++) {
    await pass();
    t.turn(DAY);
  }
  assertEquals(await used(t, secret), 3);
  const shown: Item[] = await items(id);
  assertEquals(shown.filter(({ status }) => status === "ready").length, 2);
  const [again] = shown.filter(({ status }) => status === "ready");
  await act(id, again!.id, "regenerate");
  await pass();
  const held = (await items(id)).find((item) => item.id === again!.id);
  assertEquals(held.status, "held");
  assertStringIncludes(held.error, "creditBudgetMonthly");
  await call("PATCH", `/v1/series/${id}`, { creditBudgetMonthly: 4 });
  await act(id, again!.id, "regenerate");
  await pass();
  assertEquals((await items(id)).find((item) => item.id === again!.id).status, "ready");
  assertEquals(await used(t, secret), 4);
});

Deno.test("a pass by hand for one brand leaves the others alone", async () => {
  await using t = await testService();
  const mine = await seriesKit(t);
  const other = await seriesKit(t);
  const { id } = await mine.create();
  const theirs = await other.create();
  const report = await runPass(t.service, t.worker, "series", { brandId: mine.brand.id });
  assertEquals(report.series, 1);
  assert((await mine.items(id)).length > 0);
  assertEquals(await other.items(theirs.id), []);
});

Deno.test("two passes at once, with two workers on one store, make each slot and post once", async () => {
  await using t = await testService();
  const { brand, connect, create, items, secret } = await seriesKit(t);
  await grantCredits(t.service, brand, 1_000);
  const account = await connect();
  const ids: string[] = [];
  for (let count = 0; count < 6; count++) {
    const fields = count % 2 === 0 ? {} : { ...AUTOPILOT, postsPerWeek: 7 };
    ids.push((await create({ ...fields, hourUtc: 9 + count, socialAccountId: account.id })).id);
  }
  const second = new Worker(t.service, HANDLERS);
  try {
    for (let round = 0; round < 4; round++) {
      await Promise.all([
        runPass(t.service, t.worker, "series"),
        runPass(t.service, second, "series"),
      ]);
      await t.worker.drain();
      t.turn(12 * HOUR);
    }
  } finally {
    await second.stop(0);
  }
  let images = 0;
  const published: string[] = [];
  for (const id of ids) {
    const shown: Item[] = await items(id);
    assertEquals(new Set(shown.map(({ scheduledFor }) => scheduledFor)).size, shown.length);
    for (const { creations, externalPostId } of shown) {
      assert(creations.length <= 1);
      images += creations.length;
      if (externalPostId !== null) published.push(externalPostId);
    }
  }
  assertEquals(await used(t, secret), images);
  const posts = await truth(t, "instagram", "bakery", NOON);
  assertEquals(posts.map(({ id }) => id).sort(), published.sort());
  assert(published.length > 0);
});

Deno.test("the slot's story names the next pass and what the slot waits for", async () => {
  await using t = await testService();
  const { call, create, items, pass, why } = await seriesKit(t);
  const { id } = await create();
  await pass();
  const [, second]: Item[] = await items(id);
  const makeAt = Date.parse(second!.scheduledFor) - DAY;
  const waiting = await why(id, second!.id);
  assertEquals([waiting.waitingFor, waiting.waitingUntil], ["time", iso(makeAt)]);
  t.turn(makeAt - t.service.now() + 5 * MINUTE);
  const due = await why(id, second!.id);
  assertEquals(due.waitingFor, "pass");
  assert(Date.parse(due.waitingUntil) - t.service.now() <= 15 * MINUTE);
  await call("PATCH", `/v1/series/${id}`, { active: false });
  const paused = await why(id, second!.id);
  assertEquals([paused.waitingFor, paused.todo.operation], ["resume", "updateSeries"]);
});
