/** The planner as a pure function: grids, weeks, shares and budgets over many generated series. */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, iso, monthOf, startOfWeek, WEEK } from "../../domain/foundation/calendar.ts";
import { planSlots } from "../../domain/series/planning/planner.ts";
import { PLAN_AHEAD } from "../../domain/series/timing.ts";
import {
  assertShares,
  autopilot,
  generator,
  manual,
  passes,
  type Planned,
  stored,
  strategyOf,
} from "../support/planning.ts";
import { NOON } from "../support/service.ts";
import { SWEEPS_ALL } from "../support/sweep.ts";

const ROUNDS = SWEEPS_ALL ? 150 : 30;
/** Rounds of tests that run long series. */
const LONG_ROUNDS = SWEEPS_ALL ? 40 : 10;

Deno.test("a manual series has the next hour after its creation and then every cadenceDays", () => {
  const any = generator(1);
  for (let round = 0; round < ROUNDS; round++) {
    const createdAt = NOON + any(40 * 24) * HOUR + any(3_600_000);
    const hourUtc = any(24);
    const cadenceDays = 1 + any(90);
    const series = manual({ createdAt: iso(createdAt), hourUtc, cadenceDays });
    const slots = passes({ series, strategy: null, days: 100, step: 6 * HOUR });
    const first = slots[0]!.at;
    assert(first > createdAt && first - createdAt <= DAY, "the first is the next such hour");
    for (const [index, slot] of slots.entries()) {
      assertEquals(slot.at, first + index * cadenceDays * DAY);
      assertEquals(new Date(slot.at).getUTCHours(), hourUtc);
    }
    assertEquals(slots.length, Math.floor((createdAt + 107 * DAY - first) / DAY / cadenceDays) + 1);
  }
});

Deno.test("a pause leaves holes in a manual grid and does not shift it", () => {
  const series = manual({ cadenceDays: 3, hourUtc: 18 });
  const before = planSlots({
    series,
    strategy: null,
    slots: [],
    spent: new Map(),
    now: NOON,
    until: NOON + PLAN_AHEAD,
  }).add;
  const resumed = NOON + 31 * DAY;
  const after = planSlots({
    series,
    strategy: null,
    slots: before.map(stored),
    spent: new Map(),
    now: resumed,
    until: resumed + PLAN_AHEAD,
  }).add;
  assert(after.length > 0);
  for (const slot of after) {
    assert(slot.at > resumed);
    assertEquals((slot.at - before[0]!.at) % (3 * DAY), 0);
  }
});

Deno.test("over 200 slots every share is within 5 points of its weight, whatever the weights", () => {
  const any = generator(2);
  for (let round = 0; round < LONG_ROUNDS; round++) {
    const weigh = (arms: string[]) => Object.fromEntries(arms.map((arm) => [arm, 1 + any(10)]));
    const weights = {
      formats: weigh(["post", "carousel", "story"]),
      directions: weigh(["A", "B", "C", "D", "E"].slice(0, 1 + any(5))),
      hours: weigh(["8", "12", "20"].slice(0, 1 + any(3))),
      cadence: 1 + any(7),
    };
    const series = autopilot({
      id: `ser_${round}`,
      formats: ["post", "carousel", "story"],
      createdAt: iso(startOfWeek(NOON)),
    });
    const strategy = strategyOf(weights);
    const days = Math.ceil(210 * 7 / weights.cadence);
    const slots = passes({ series, strategy, days, step: DAY }).slice(0, 200);
    assertEquals(slots.length, 200);
    const { formats, directions, hours } = strategy.allocation;
    assertShares(slots.map(({ format }) => format), formats);
    assertShares(slots.map(({ decision }) => decision.direction), directions);
    assertShares(slots.map(({ at }) => String(new Date(at).getUTCHours())), hours);
  }
});

Deno.test("format, direction and hour don't move together, so that each can be judged alone", () => {
  const strategy = strategyOf({
    formats: { post: 1, carousel: 1 },
    directions: { A: 1, B: 1 },
    hours: { 8: 1, 20: 1 },
    cadence: 7,
  });
  const series = autopilot({ formats: ["post", "carousel"], createdAt: iso(startOfWeek(NOON)) });
  const slots = passes({ series, strategy, days: 210, step: DAY }).slice(0, 200);
  const cells = new Map<string, number>();
  for (const { format, decision, at } of slots) {
    const cell = `${format} ${decision.direction} ${new Date(at).getUTCHours()}`;
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }
  assertEquals(cells.size, 8);
  for (const count of cells.values()) assert(Math.abs(count / 200 - 1 / 8) < 0.05, `${count}`);
});

Deno.test("a format that the series does not allow is never planned", () => {
  const strategy = strategyOf({ formats: { post: 1, carousel: 8, story: 1 } });
  const series = autopilot({ formats: ["post", "story"], aspectRatio: "square" });
  const slots = passes({ series, strategy, days: 100, step: DAY });
  assertEquals(new Set(slots.map(({ format }) => format)), new Set(["post", "story"]));
  for (const { format, aspectRatio } of slots) {
    assertEquals(aspectRatio, format === "story" ? "story" : "square");
  }
});

Deno.test("every full ISO week has its number of posts, the first one its part of it, rounded up", () => {
  const any = generator(3);
  for (let round = 0; round < ROUNDS; round++) {
    const createdAt = NOON + any(14 * 24) * HOUR;
    const postsPerWeek = any(2) === 0 ? null : 1 + any(21);
    const maxPerWeek = any(2) === 0 ? null : Math.max(postsPerWeek ?? 1, 1 + any(21));
    const cadence = 1 + any(21);
    const series = autopilot({ createdAt: iso(createdAt), postsPerWeek, maxPerWeek });
    const strategy = strategyOf({ cadence, hours: { [any(24)]: 1, [any(24)]: 2 } });
    const slots = passes({ series, strategy, days: 28, step: 6 * HOUR });
    const perWeek = Math.min(postsPerWeek ?? cadence, maxPerWeek ?? 21);
    const week = startOfWeek(createdAt);
    const inWeek = (number: number) =>
      slots.filter(({ at }) => startOfWeek(at) === week + number * WEEK).length;
    const share = Math.ceil(perWeek * (week + WEEK - createdAt) / WEEK);
    const room = Math.floor((week + WEEK - createdAt - 1) / HOUR);
    assertEquals(inWeek(0), Math.min(share, room), `first week of ${perWeek}, ${iso(createdAt)}`);
    for (const number of [1, 2, 3]) assertEquals(inWeek(number), perWeek);
    assertEquals(new Set(slots.map(({ at }) => at)).size, slots.length);
  }
});

Deno.test("a skipped slot does not count and never comes back at its instant", () => {
  const skipped = new Set<number>();
  const slots = passes({
    series: autopilot({ createdAt: iso(startOfWeek(NOON)), postsPerWeek: 3 }),
    strategy: strategyOf({}),
    days: 60,
    step: DAY,
    meanwhile(slots) {
      const next = slots.find(({ status, at }) => status === "planned" && at % (2 * DAY) < DAY);
      if (next === undefined || skipped.size > 10) return;
      next.status = "skipped";
      skipped.add(next.at);
    },
  });
  assert(skipped.size > 5);
  assertEquals(new Set(slots.map(({ at }) => at)).size, slots.length);
  const weeks = Map.groupBy(
    slots.filter(({ status }) => status !== "skipped"),
    ({ at }) => startOfWeek(at),
  );
  for (const [week, inWeek] of weeks) assert(inWeek.length <= 3, `week of ${iso(week)}`);
});

Deno.test("a month's debits never pass the budget, and 0 plans nothing", () => {
  const any = generator(4);
  for (let round = 0; round < LONG_ROUNDS; round++) {
    const creditBudgetMonthly = any(40);
    const series = autopilot({
      id: `ser_${round}`,
      formats: ["post", "carousel"],
      createdAt: iso(NOON + any(30) * DAY),
      creditBudgetMonthly,
      postsPerWeek: 1 + any(14),
    });
    const strategy = strategyOf({ formats: { post: 1 + any(5), carousel: 1 + any(5) } });
    const debits = new Map<string, number>();
    const seen = new Set<string>();
    passes({
      series,
      strategy,
      days: 100,
      step: 3 * HOUR,
      meanwhile(slots, now) {
        for (const slot of slots) {
          if (slot.generation === 0 || seen.has(slot.id)) continue;
          seen.add(slot.id);
          debits.set(monthOf(now), (debits.get(monthOf(now)) ?? 0) + slot.images);
        }
      },
    });
    for (const [month, credits] of debits) {
      assert(credits <= creditBudgetMonthly, `${month}: ${credits} of ${creditBudgetMonthly}`);
    }
    if (creditBudgetMonthly === 0) assertEquals(seen.size, 0);
    if (creditBudgetMonthly >= 4) assert(seen.size > 0);
  }
});

Deno.test("a budget is spent until it can't pay for every format that is planned", () => {
  const now = NOON;
  const credits = (weights: Record<string, number>) => {
    const series = autopilot({
      createdAt: iso(now),
      postsPerWeek: 7,
      formats: ["post", "carousel"],
      creditBudgetMonthly: 20,
    });
    const strategy = strategyOf({ formats: weights });
    const spent = new Map([[monthOf(now), 18]]);
    const { add } = planSlots({ series, strategy, slots: [], spent, now, until: now + PLAN_AHEAD });
    return add.map(({ images }) => images);
  };
  assertEquals(credits({ post: 1 }), [1, 1]);
  assertEquals(
    credits({ post: 1, carousel: 0 }),
    [1, 1],
    "a format that was dropped costs nothing",
  );
  assertEquals(credits({ post: 1, carousel: 1 }), []);
});

Deno.test("a budget that shrinks drops the planned slots that it no longer covers, the latest first", () => {
  const now = startOfWeek(NOON);
  const series = autopilot({ createdAt: iso(now), postsPerWeek: 7 });
  const input = { strategy: strategyOf({}), spent: new Map<string, number>(), now };
  const until = now + PLAN_AHEAD;
  const slots = planSlots({ ...input, series, slots: [], until }).add.map(stored);
  assertEquals(slots.length, 7);
  const plan = planSlots({ ...input, series: { ...series, creditBudgetMonthly: 2 }, slots, until });
  assertEquals(plan.drop, slots.slice(2));
  assertEquals(plan.add, []);
});

Deno.test("the same inputs give the same plan, and how often passes run does not change it", () => {
  const any = generator(5);
  for (let round = 0; round < LONG_ROUNDS; round++) {
    const series = autopilot({
      id: `ser_${round}`,
      formats: ["post", "carousel"],
      createdAt: iso(NOON + any(7 * 24) * HOUR),
      postsPerWeek: 1 + any(14),
      creditBudgetMonthly: any(3) === 0 ? 20 + any(40) : null,
    });
    const strategy = strategyOf({
      formats: { post: 2, carousel: 1 },
      directions: { A: 3, B: 1 },
      hours: { 7: 1, 18: 2 },
    });
    const often = passes({ series, strategy, days: 40, step: HOUR });
    // A budget belongs to months, so a pass that comes half a day late may debit the next one.
    const step = series.creditBudgetMonthly === null ? 12 * HOUR : HOUR / 4;
    const other = passes({ series, strategy, days: 40, step });
    const shown = (slots: Planned[]) =>
      slots.filter(({ at }) => at < NOON + 40 * DAY)
        .map(({ at, format, decision }) => [iso(at), format, decision.direction]);
    assertEquals(shown(often), shown(other));
  }
});
