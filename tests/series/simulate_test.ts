/** `simulate` shows beforehand what the passes then do, and stores nothing. */
import { assert, assertEquals } from "@std/assert";
import { DAY, dayOf, HOUR, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import type { StoredSeries } from "../../domain/series/records.ts";
import { AUTOPILOT, MANUAL, pass, seriesKit } from "../support/series.ts";
import { NOON, type TestService, testService } from "../support/service.ts";
import { storeSeries } from "../support/stored_series.ts";
import type { Json } from "../support/json.ts";

/** Every key of the store with its version, except the counts of requests. */
async function storeOf(t: TestService): Promise<string[]> {
  const entries: string[] = [];
  for await (const { key, versionstamp } of t.service.kv.list({ prefix: [] })) {
    const [collection] = key;
    if (collection !== "meter" && collection !== "apiKeyLastUsed") {
      entries.push(JSON.stringify([key, versionstamp]));
    }
  }
  return entries;
}

const shown = (slots: Json[]) =>
  slots.map(({ scheduledFor, format, direction, overlayTemplate, decision }) => [
    scheduledFor,
    format,
    direction ?? decision.direction,
    overlayTemplate ?? decision.overlayTemplate,
  ]);

const DAILY: Partial<StoredSeries> = {
  mode: "manual",
  theme: "Cake",
  goal: null,
  format: "post",
  formats: [],
  cadenceDays: 1,
};

const CASES: [string, object][] = [
  ["manual", { ...MANUAL, cadenceDays: 3, format: "carousel" }],
  ["autopilot with its own cadence", { ...AUTOPILOT, formats: ["post", "carousel", "story"] }],
  ["autopilot with a budget", {
    ...AUTOPILOT,
    formats: ["post", "carousel"],
    postsPerWeek: 14,
    creditBudgetMonthly: 17,
  }],
];

for (const [name, fields] of CASES) {
  Deno.test(`what was simulated for a series (${name}) is what the passes then do`, async () => {
    await using t = await testService({ at: Date.parse("2026-11-23T07:00:00Z") });
    const { call, create, items, slots, secret } = await seriesKit(t);
    const { id } = await create(fields);
    const before = await storeOf(t);
    const simulated = (await call("POST", `/v1/series/${id}/simulate`, { days: 13 })).body;
    assertEquals(await storeOf(t), before);
    const started = Date.parse(simulated.from);
    const debits = new Map<string, number>();
    let used = 0;
    const passes = 6 * 24 + 1; // before the second review, which no simulation can know
    for (let count = 0; count < passes; count++) {
      await pass(t);
      const now = (await (await t.request(secret, "/v1/credits")).json()).used;
      if (now > used) {
        debits.set(dayOf(t.service.now()), (debits.get(dayOf(t.service.now())) ?? 0) + now - used);
      }
      used = now;
      t.turn(HOUR);
    }
    const planned = await items(id);
    const seen = (at: string) => Date.parse(at) <= started + 13 * DAY;
    assertEquals(
      shown(planned.filter((item: Json) => seen(item.scheduledFor))),
      shown(simulated.slots),
    );
    assert(simulated.slots.length > 2);
    const made = new Set((await slots(id)).filter((slot) => slot.generation > 0).map((s) => s.id));
    assert(made.size > 0);
    const last = [...debits.keys()].at(-1)!;
    const predicted = simulated.creditsPerDay.filter(({ day }: Json) => day < last);
    assertEquals(
      predicted,
      [...debits].filter(([day]) => day < last).map(([day, credits]) => ({ day, credits })),
    );
  });
}

Deno.test("slots planned before a change are simulated, and paid for, as they will be made", async () => {
  await using t = await testService();
  const { call, create, items } = await seriesKit(t);
  const { id } = await create({
    ...AUTOPILOT,
    formats: ["carousel"],
    postsPerWeek: 7,
    creditBudgetMonthly: 20,
  });
  await pass(t);
  const change = {
    guidance: "Always 6 slides.",
    overlay: { template: "quoteCard", text: "AAA" },
    aspectRatio: "square",
  };
  assertEquals((await call("PATCH", `/v1/series/${id}`, change)).status, 200);
  const { slots } = (await call("POST", `/v1/series/${id}/simulate`, { days: 7 })).body;
  const known = slots.filter(({ id }: Json) => id !== null);
  const open = known.filter(({ credits }: Json) => credits > 0);
  assert(
    open.length > 0 && known.length < (await items(id)).length,
    "20 credits are 4, then 6 each",
  );
  for (const { aspectRatio, overlayTemplate, credits } of open) {
    assertEquals([aspectRatio, overlayTemplate, credits], ["square", "quoteCard", 6]);
  }
  await pass(t);
  const planned = (await items(id)).filter(({ status }: Json) => status === "planned");
  assertEquals(planned.map(({ id }: Json) => id), open.map(({ id }: Json) => id));
});

Deno.test("a simulation names the day the budget ends and spends no more than it in a month", async () => {
  await using t = await testService({ at: Date.parse("2026-12-01T00:00:00Z") });
  const { call, create } = await seriesKit(t);
  const { id } = await create({ ...AUTOPILOT, postsPerWeek: 7, creditBudgetMonthly: 10 });
  const { body } = await call("POST", `/v1/series/${id}/simulate`, { days: 60 });
  const inMonth = (month: string) =>
    body.creditsPerDay.filter(({ day }: Json) => day.startsWith(month))
      .reduce((sum: number, { credits }: Json) => sum + credits, 0);
  assertEquals([inMonth("2026-12"), inMonth("2027-01")], [10, 10]);
  assert(body.budgetEndsOn >= "2026-12-10" && body.budgetEndsOn <= "2026-12-13", body.budgetEndsOn);
  const free = await create({ ...AUTOPILOT, postsPerWeek: 7 });
  const unbounded = await call("POST", `/v1/series/${free.id}/simulate`, { days: 60 });
  assertEquals(unbounded.body.budgetEndsOn, null);
  assertEquals(unbounded.body.creditsEndOn, null);
});

Deno.test("collisions name the other series and whether it posts on the same account", async () => {
  await using t = await testService();
  const { call, connect, create } = await seriesKit(t);
  const account = await connect();
  const mine = await create({ cadenceDays: 2, socialAccountId: account.id });
  const other = await create({ name: "Cake", cadenceDays: 4, socialAccountId: account.id });
  await create({ hourUtc: 15 });
  const paused = await create();
  await call("PATCH", `/v1/series/${paused.id}`, { active: false });
  const { body } = await call("POST", `/v1/series/${mine.id}/simulate`, { days: 8 });
  assertEquals(body.slots.length, 4);
  assertEquals(
    body.collisions,
    ["2026-11-21T09:00:00.000Z", "2026-11-25T09:00:00.000Z"].map(
      (scheduledFor) => ({
        scheduledFor,
        seriesId: other.id,
        seriesName: "Cake",
        otherScheduledFor: scheduledFor,
        sameAccount: true,
      }),
    ),
  );
});

Deno.test("of many other series fifty are compared, those on the account first, and 200 collisions shown", async () => {
  await using t = await testService();
  const { brand, call, connect, create } = await seriesKit(t);
  const account = await connect();
  const sharing = await storeSeries(t.service, brand.id, { ...DAILY, socialAccountId: account.id });
  t.turn(MINUTE);
  for (let count = 0; count < 55; count++) await storeSeries(t.service, brand.id, DAILY);
  const mine = await create({ socialAccountId: account.id });
  const { body } = await call("POST", `/v1/series/${mine.id}/simulate`, { days: 5 });
  assertEquals(body.collisions.length, 200);
  const ids = new Set(body.collisions.map(({ seriesId }: Json) => seriesId));
  assertEquals([ids.size, ids.has(sharing.id)], [50, true]);
  const days = Map.groupBy(
    body.collisions,
    ({ scheduledFor }: Json) => dayOf(Date.parse(scheduledFor)),
  );
  assertEquals([...days.values()].map((found) => found.length), [50, 50, 50, 50]);
  assertEquals(body.assumptions, [
    "Only 50 of 56 other series are checked for collisions.",
    "The first 200 of 250 collisions are shown.",
  ]);
});

Deno.test("days go from 1 to 60, 30 when left out; a key that may read is enough", async () => {
  await using t = await testService();
  const { brand, create, call } = await seriesKit(t);
  const { id } = await create();
  for (const days of [0, 61, 1.5, "7"]) {
    assertEquals((await call("POST", `/v1/series/${id}/simulate`, { days })).status, 400);
  }
  const { body } = await call("POST", `/v1/series/${id}/simulate`, {});
  assertEquals(Date.parse(body.to) - Date.parse(body.from), 30 * DAY);
  assertEquals(body.slots.length, 30);
  const { secret } = await t.key(brand.id, ["createRead"]);
  const answer = await t.call(secret, `/v1/series/${id}/simulate`, {
    method: "POST",
    body: { days: 1 },
  });
  assertEquals(answer.status, 200);
  assertEquals((await answer.json()).slots[0].scheduledFor, iso(NOON + 21 * HOUR));
});
