/** The items and reviews of a series, and what happens to them when the series is changed. */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { slotId } from "../../domain/series/records.ts";
import { AUTOPILOT, caller, seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

Deno.test("a review of a manual series is a conflict; an autopilot's sets its playbook", async () => {
  await using t = await testService();
  const { call, create, get } = await seriesKit(t);
  const manual = await create();
  assertEquals((await call("POST", `/v1/series/${manual.id}/reviews`)).status, 409);
  const { id } = await create(AUTOPILOT);
  const review = await call("POST", `/v1/series/${id}/reviews`);
  assertEquals(review.status, 201);
  const detail = await get(id);
  assertEquals(detail.playbook, review.body.playbook);
  assertEquals(detail.reviews, [review.body]);
  assertEquals(detail.items, []);
});

Deno.test("a change of hour, cadence, theme, goal, formats or account drops planned slots only", async () => {
  await using t = await testService();
  const { call, create, items, pass, act, connect } = await seriesKit(t);
  const account = await connect();
  const changes = [
    { hourUtc: 15 },
    { cadenceDays: 2 },
    { theme: "Cake" },
    { format: "carousel" },
    { socialAccountId: account.id },
  ];
  for (const change of changes) {
    const { id } = await create();
    await pass();
    const [ready, next, ...rest] = await items(id);
    assertEquals([ready.status, next.status], ["ready", "planned"]);
    await act(id, next.id, "skip");
    assertEquals((await call("PATCH", `/v1/series/${id}`, { name: "Same plan" })).status, 200);
    assertEquals((await items(id)).length, 2 + rest.length);
    assertEquals((await call("PATCH", `/v1/series/${id}`, change)).status, 200);
    const kept = (await items(id)).map((item: { id: string }) => item.id);
    assertEquals(kept, [ready.id, next.id], JSON.stringify(change));
    assertEquals((await act(id, rest[0].id, "skip")).status, 404);
    await pass();
    const planned = (await items(id)).filter(({ status }: { status: string }) =>
      status === "planned"
    );
    assert(planned.length > 0);
    for (const item of planned) {
      assert(!rest.some((dropped) => dropped.id === item.id), "a new plan has new ids");
    }
    await call("DELETE", `/v1/series/${id}`);
  }
});

Deno.test("items go back 30 days, ascending, and are at most 200", async () => {
  await using t = await testService();
  const { create, items, pass, slots, put } = await seriesKit(t);
  const { id } = await create();
  await pass();
  const [slot] = await slots(id);
  for (let hours = 1; hours <= 800; hours++) {
    const at = t.service.now() - hours * HOUR;
    const old = slotId({ id, drops: 0 }, at);
    await put({ ...slot!, id: old }, { scheduledFor: iso(at), status: "published" });
  }
  const shown = await items(id);
  assertEquals(shown.length, 200);
  const times = shown.map(({ scheduledFor }: { scheduledFor: string }) => scheduledFor);
  assertEquals(times, times.toSorted());
  t.turn(29 * DAY);
  const later = await items(id);
  assert(later.length < 200);
  assert(later.every((item) => Date.parse(item.scheduledFor) >= t.service.now() - 30 * DAY));
});

Deno.test("a key of another brand reaches no slot", async () => {
  await using t = await testService();
  const mine = await seriesKit(t);
  const other = await t.brand();
  const { id } = await mine.create();
  await mine.pass();
  const [item] = await mine.items(id);
  const theirs = caller(t, other.secret);
  for (const verb of ["skip", "regenerate", "caption", "publish"]) {
    const answer = await theirs("POST", `/v1/series/${id}/items/${item.id}/${verb}`);
    assertEquals(answer.status, 404);
  }
  assertEquals((await theirs("GET", `/v1/series/${id}/items/${item.id}/why`)).status, 404);
  const second = await mine.create();
  assertEquals((await mine.act(second.id, item.id, "skip")).status, 404);
});
