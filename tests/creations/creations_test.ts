/** Posting creations: shapes, credits and replays (spec 4.6). */
import { assert, assertEquals } from "@std/assert";
import { DAY } from "../../domain/foundation/calendar.ts";
import { addCreations } from "../../domain/creations/add.ts";
import { transact } from "../../domain/kv/transact.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { Worker } from "../../jobs/worker.ts";
import { BODY, post, read, used } from "../support/creations.ts";
import { testService } from "../support/service.ts";

Deno.test("a posted creation is pending, costs one credit and becomes complete when it is painted", async () => {
  await using t = await testService({ paints: true });
  const { secret } = await t.brand();
  const { status, creation } = await post(t, secret);
  assertEquals(status, 202);
  assertEquals(creation.status, "pending");
  for (const field of ["url", "rawUrl", "error", "completedAt", "castMemberId", "overlay"]) {
    assertEquals(creation[field], null, field);
  }
  assertEquals([creation.creditCost, creation.prompt], [1, BODY.prompt]);
  await t.worker.drain();
  const done = await read(t, secret, creation.id);
  assertEquals(done.status, "complete");
  assert(done.url !== null && done.rawUrl !== null && done.completedAt !== null);
  assertEquals((await t.service.jobs.list()).length, 0);
  assertEquals(await used(t, secret), 1);
});

Deno.test("a brand sees nothing of another brand's creations", async () => {
  await using t = await testService();
  const [ours, theirs] = [await t.brand(), await t.brand()];
  const { creation } = await post(t, ours.secret);
  const path = `/v1/creations/${creation.id}`;
  for (const [verb, at] of [["GET", path], ["DELETE", path], ["POST", `${path}/retry`]] as const) {
    assertEquals((await t.call(theirs.secret, at, { method: verb })).status, 404, `${verb} ${at}`);
  }
  const list = await (await t.call(theirs.secret, "/v1/creations")).json();
  assertEquals(list, {
    data: [],
    pagination: { page: 1, perPage: 24, total: 0, pageCount: 0 },
  });
});

Deno.test("a body that breaks a rule is refused and debits nothing", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const bad: [string, object][] = [
    ["prompt", { prompt: "  " }],
    ["prompt", { prompt: "x".repeat(8_001) }],
    ["prompt", { prompt: undefined }],
    ["idea", { idea: "x".repeat(2_001) }],
    ["idea", { idea: undefined }],
    ["aspectRatio", { aspectRatio: "wide" }],
    ["castMemberId", { castMemberId: "cst_00000000000000000000000000" }],
    ["castMemberId", { castMemberId: 5 }],
    ["overlay.template", { overlay: { template: "none", text: "x" } }],
    ["overlay.text", { overlay: { template: "captionBar", text: "" } }],
  ];
  for (const [field, change] of bad) {
    const { status, creation } = await post(t, secret, change);
    assertEquals([status, creation.error.code], [400, "validationError"], field);
    assert(creation.error.message.startsWith(`${field}:`), creation.error.message);
  }
  assertEquals(await used(t, secret), 0);
});

Deno.test("texts of the greatest length are kept in any script", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const look = "🧑".repeat(2_000);
  const kit = { baseStylePrompt: "🎨".repeat(4_000), discordWebhookUrl: "" };
  assertEquals((await t.call(secret, "/v1/brand-kit", { method: "PUT", body: kit })).status, 200);
  const member = { name: "Ada", lookPrompt: look, lifestylePrompt: "🏃".repeat(2_000) };
  const cast = await (await t.call(secret, "/v1/cast-members", { method: "POST", body: member }))
    .json();
  const longest = { prompt: "🌆".repeat(8_000), idea: "🌇".repeat(2_000), castMemberId: cast.id };
  const { status, creation } = await post(t, secret, longest);
  assertEquals(status, 202);
  assertEquals(creation.prompt, [kit.baseStylePrompt, look, longest.prompt].join("\n\n"));
  await t.worker.drain();
  assertEquals((await read(t, secret, creation.id)).status, "complete");
});

Deno.test("a replayed Idempotency-Key returns the first creation and debits nothing", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const headers = { "idempotency-key": "order-1" };
  const first = await post(t, secret, {}, headers);
  await t.worker.drain();
  const again = await post(t, secret, { overlay: null, unknown: 1 }, headers);
  assertEquals([first.status, again.status], [202, 200]);
  assertEquals(again.creation.id, first.creation.id);
  assertEquals(again.creation.status, "complete");
  assertEquals(await used(t, secret), 1);

  const other = await post(t, secret, { idea: "another" }, headers);
  assertEquals([other.status, other.creation.error.code], [409, "conflict"]);

  await t.call(secret, `/v1/creations/${first.creation.id}`, { method: "DELETE" });
  assertEquals((await post(t, secret, {}, headers)).creation.id, first.creation.id);

  t.turn(DAY);
  const nextDay = await post(t, secret, {}, headers);
  assertEquals(nextDay.status, 202);
  assert(nextDay.creation.id !== first.creation.id);
  assertEquals(await used(t, secret), 2);
});

Deno.test("a refused request leaves its Idempotency-Key free, and a malformed key is refused", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const headers = { "idempotency-key": "k" };
  assertEquals((await post(t, secret, { aspectRatio: "wide" }, headers)).status, 400);
  assertEquals((await post(t, secret, {}, headers)).status, 202);
  for (const key of ["", "two words", "x".repeat(256), "tab\tbed", "é"]) {
    assertEquals((await post(t, secret, {}, { "idempotency-key": key })).status, 400, key);
  }
  // In the body it is an unknown field like any other.
  assertEquals((await post(t, secret, { idempotencyKey: "k" })).status, 202);
  assertEquals(await used(t, secret), 2);
});

Deno.test("20 concurrent replays give one creation and one debit", async () => {
  await using t = await testService();
  const { secret } = await t.brand("studio");
  t.turn(1_000);
  const call = { method: "POST", body: BODY, headers: { "idempotency-key": "same" } };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => t.request(secret, "/v1/creations", call)),
  );
  const ids = await Promise.all(answers.map(async (answer) => (await answer.json()).id));
  assertEquals(new Set(ids).size, 1);
  assertEquals(answers.map((answer) => answer.status).toSorted().at(-1), 202);
  assertEquals(answers.filter((answer) => answer.status === 202).length, 1);
  assertEquals(await used(t, secret), 1);
  assertEquals((await t.service.jobs.list()).length, 1);
});

Deno.test("credits run out exactly", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand("free");
  const answers = [];
  for (let second = 0; second < 12; second++) {
    t.turn(1_000);
    const call = { method: "POST", body: BODY };
    answers.push(await t.request(secret, "/v1/creations", call));
  }
  assertEquals(answers.filter((answer) => answer.status === 202).length, 10);
  const refused = answers.filter((answer) => answer.status === 402);
  assertEquals(refused.length, 2);
  assertEquals((await refused[0]!.json()).error.code, "creditsExhausted");
  assertEquals((await t.service.jobs.list()).filter((job) => job.brandId === brand.id).length, 10);
});

Deno.test("a month has its own credits", async () => {
  await using t = await testService({ at: Date.parse("2026-11-30T23:59:00Z") });
  const { secret } = await t.brand("free");
  for (let n = 0; n < 10; n++) assertEquals((await post(t, secret)).status, 202);
  assertEquals((await post(t, secret)).status, 402);
  t.turnTo("2026-12-01T00:00:00Z");
  assertEquals((await post(t, secret)).status, 202);
  assertEquals(await used(t, secret), 1);
});

Deno.test("a creation informs its slot when it is terminal", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const slot = { seriesId: "ser_1", slotId: "slt_1" };
  const request = { ...BODY, aspectRatio: "square" as const };
  await transact(
    t.service.kv,
    (commit) => addCreations(t.service, commit, brand, [request], slot),
  );
  const worker = new Worker(t.service, { generate: HANDLERS["generate"]! });
  await worker.drain();
  await worker.stop(0);
  const jobs = await t.service.jobs.list();
  assertEquals(jobs.map(({ kind, subject }) => ({ kind, subject })), [
    { kind: "settleSlot", subject: slot },
  ]);
});
