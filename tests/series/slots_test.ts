/** Every operation on a slot of every status, and races between them. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { DAY, HOUR } from "../../domain/foundation/calendar.ts";
import { ModelError } from "../../domain/models/model.ts";
import { writer } from "../../domain/models/choose.ts";
import { SlotStatus, type StoredSlot } from "../../domain/series/records.ts";
import { breakable, used } from "../support/creations.ts";
import { AUTOPILOT, caller, pass, seriesKit, truth } from "../support/series.ts";
import { NOON, type TestService, testService } from "../support/service.ts";
import { SLOT_MATRIX } from "../support/slot_matrix.ts";

/** A brand whose series has a ready slot for tomorrow and planned ones after it. */
async function withSlots(t: TestService, fields: object = {}) {
  const kit = await seriesKit(t);
  const account = await kit.connect();
  const { id } = await kit.create({ socialAccountId: account.id, ...fields });
  await kit.pass();
  return { ...kit, account, id };
}

for (const status of SlotStatus.options) {
  Deno.test(`what each operation does to a slot that is ${status}`, async () => {
    await using t = await testService();
    const { id, slots, put, act, items } = await withSlots(t);
    const [ready] = await slots(id);
    t.worker.start();
    for (const [verb, [answered, after]] of Object.entries(SLOT_MATRIX[status])) {
      const made = status === "planned" ? { generation: 0, creationIds: [] } : {};
      await put(ready!, { status, ...made });
      const answer = await act(id, ready!.id, verb);
      assertEquals(answer.status, answered, `${verb}: ${JSON.stringify(answer.body)}`);
      if (answered === 409) {
        assertEquals(answer.body.error.code, "conflict");
        assertStringIncludes(answer.body.error.message, status);
      }
      const [shown] = await items(id);
      assertEquals(shown.status, after, verb);
    }
  });
}

Deno.test("skip is for good: the next passes never make that instant again", async () => {
  await using t = await testService();
  const { id, items, act, pass } = await withSlots(t);
  const [, second] = await items(id);
  await act(id, second.id, "skip");
  for (let day = 0; day < 3; day++) {
    t.turn(DAY);
    await pass();
  }
  const same = (await items(id)).filter((item) => item.scheduledFor === second.scheduledFor);
  assertEquals(same.map(({ id, status }) => [id, status]), [[second.id, "skipped"]]);
});

Deno.test("regenerate keeps old images in the history and publishes only the last generation", async () => {
  await using t = await testService();
  const { id, items, act, pass, secret } = await withSlots(t, { format: "carousel" });
  const [before] = await items(id);
  assertEquals(before.creations.length, 4);
  assertEquals((await act(id, before.id, "regenerate")).status, 204);
  const [planned] = await items(id);
  assertEquals([planned.status, planned.creations.length], ["planned", 4]);
  await pass();
  const [after] = await items(id);
  assertEquals([after.status, after.creations.length], ["ready", 8]);
  assertEquals(after.creations.slice(0, 4), before.creations);
  assertNotEquals(after.decision.topic, before.decision.topic);
  assertNotEquals(after.caption, before.caption, "it tells the new topic");
  assertEquals(await used(t, secret), 8);
  t.worker.start();
  assertEquals((await act(id, after.id, "publish")).status, 204);
  const [post] = await truth(t, "instagram", "bakery", NOON);
  assertEquals(post.media.length, 4);
});

Deno.test("a regenerated slot is made by the next pass, however far off its time is, and is not dropped", async () => {
  await using t = await testService();
  const { id, slots, put, items, act, pass, call } = await withSlots(t);
  const last = (await slots(id)).at(-1)!;
  await put(last, { status: "held", heldFor: "creditsExhausted" });
  assertEquals((await act(id, last.id, "regenerate")).status, 204);
  await call("PATCH", `/v1/series/${id}`, { theme: "Cake" });
  assert((await items(id)).some((item) => item.id === last.id));
  await pass();
  assertEquals((await items(id)).find((item) => item.id === last.id).status, "ready");
});

Deno.test("a caption is rewritten within limits, differs, keeps the images and costs nothing", async () => {
  await using t = await testService();
  const { id, items, act, secret } = await withSlots(t, AUTOPILOT);
  const [before] = await items(id);
  const spent = await used(t, secret);
  const answer = await act(id, before.id, "caption");
  assertEquals(answer.status, 200);
  assertEquals(Object.keys(answer.body).sort(), ["caption", "hashtags", "id"]);
  assertNotEquals(answer.body.caption, before.caption);
  const [after] = await items(id);
  assertEquals([after.caption, after.hashtags], [answer.body.caption, answer.body.hashtags]);
  assertEquals(after.creations, before.creations);
  assertEquals(await used(t, secret), spent);
});

Deno.test("a manual series' own caption is used as it is; without one captions are written", async () => {
  await using t = await testService();
  const { id, items, act, call } = await withSlots(t, { caption: "Fresh every day. #bread" });
  const [item] = await items(id);
  assertEquals([item.caption, item.hashtags], ["Fresh every day. #bread", []]);
  await call("PATCH", `/v1/series/${id}`, { caption: "" });
  const written = (await act(id, item.id, "caption")).body;
  assertNotEquals(written.caption, item.caption);
});

Deno.test("caption answers 503 and changes nothing when the text model does not answer", async () => {
  const away = { now: false };
  await using t = await testService({
    dependencies: {
      textModel: {
        name: "sometimes away",
        write: (task, signal) =>
          away.now
            ? Promise.reject(new ModelError("No answer.", { transient: true }))
            : writer.write(task, signal),
      },
    },
  });
  const { id, items, act } = await withSlots(t);
  const [before] = await items(id);
  away.now = true;
  const answer = await act(id, before.id, "caption");
  assertEquals([answer.status, answer.body.error.code], [503, "serviceUnavailable"]);
  assert(answer.headers.get("retry-after"));
  assertEquals((await items(id))[0], before);
});

Deno.test("a failed image holds the slot with cause and cure; a retry that succeeds frees it", async () => {
  const { broken, imageModel } = breakable();
  await using t = await testService({ dependencies: { imageModel } });
  const { id, items, why, call, act } = await withSlots(t, { format: "carousel" });
  const [held] = await items(id);
  assertEquals(held.status, "held");
  assertStringIncludes(held.error, "The model refused the prompt.");
  assertStringIncludes(held.error, "regenerate");
  assertEquals((await why(id, held.id)).heldFor, "generationFailed");
  assertEquals((await act(id, held.id, "publish")).status, 409);
  broken.now = false;
  for (const [index, creation] of held.creations.entries()) {
    assertEquals((await call("POST", `/v1/creations/${creation.id}/retry`)).status, 202);
    await t.worker.drain();
    const [item] = await items(id);
    assertEquals(item.status, index < held.creations.length - 1 ? "held" : "ready");
  }
  const [ready] = await items(id);
  assertEquals(ready.error, null);
  assertNotEquals(ready.caption, "");
});

Deno.test("spent credits hold the slot, all or none of a carousel, until it is regenerated", async () => {
  await using t = await testService();
  const { secret } = await t.brand("free");
  const call = caller(t, secret);
  const { body: series } = await call("POST", "/v1/series", {
    name: "C",
    mode: "manual",
    theme: "Ten slides about bread",
    format: "carousel",
    cadenceDays: 1,
  });
  await pass(t);
  t.turn(DAY);
  await pass(t);
  t.turn(DAY);
  const report = await pass(t);
  assertEquals(report.held, 1);
  const { items } = (await call("GET", `/v1/series/${series.id}`)).body;
  const statuses = items.slice(0, 3).map((item: { status: string }) => item.status);
  assertEquals(statuses, ["ready", "ready", "held"]);
  assertStringIncludes(items[2].error, "credits");
  assertEquals(items[2].creations, []);
  assertEquals(await used(t, secret), 8);
});

Deno.test("of concurrent verbs on one slot one wins and the others conflict or agree", async () => {
  await using t = await testService();
  const { id, items, secret } = await withSlots(t);
  const [item] = await items(id);
  t.turn(HOUR);
  const verbs = ["skip", "regenerate", "skip", "regenerate", "caption", "caption"];
  const answers = await Promise.all(
    verbs.map((verb) =>
      t.request(secret, `/v1/series/${id}/items/${item.id}/${verb}`, { method: "POST" })
    ),
  );
  for (const answer of answers) {
    assert([200, 204, 409].includes(answer.status), String(answer.status));
    await answer.body?.cancel();
  }
  assertEquals((await items(id))[0].status, "skipped");
});

Deno.test("every move leaves a step in the slot's story, and why tells it", async () => {
  await using t = await testService();
  const { id, slots, items, why, act, pass } = await withSlots(t);
  const [first, second] = await slots(id) as [StoredSlot, StoredSlot];
  const told = await why(id, first.id);
  assertEquals(told.chain.map((step: { to: string }) => step.to), [
    "planned",
    "generating",
    "ready",
  ]);
  assertEquals([told.waitingFor, told.waitingUntil, told.todo], [
    "time",
    first.scheduledFor,
    null,
  ]);
  assertEquals((await why(id, second.id)).waitingFor, "time");
  t.turn(DAY);
  await pass();
  assertEquals((await why(id, first.id)).waitingFor, null);
  await act(id, second.id, "skip");
  const skipped = await why(id, second.id);
  assertEquals(skipped.chain.at(-1).cause, "Skipped by hand.");
  assertEquals((await items(id))[1].status, "skipped");
});
