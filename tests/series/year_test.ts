/** Months of three series on a turned clock: each slot once, budgets and shares kept, weekly reviews. */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, iso, monthOf, WEEK } from "../../domain/foundation/calendar.ts";
import { grantCredits } from "../../domain/brands/credits.ts";
import { MAKE_AHEAD } from "../../domain/series/timing.ts";
import type { StoredSlot } from "../../domain/series/records.ts";
import { listReviews } from "../../domain/series/reviews.ts";
import { addFirstPages } from "../../jobs/pass_pages.ts";
import { MANUAL, seriesKit, truth } from "../support/series.ts";
import { SWEEPS_ALL } from "../support/sweep.ts";
import { type TestService, testService } from "../support/service.ts";

const START = Date.parse("2027-01-01T00:30:00Z");
/** The first pass, shortly after the series were created. */
const FIRST = START + HOUR / 2;
/** A year; in the gate 18 weeks of it. */
const LENGTH = SWEEPS_ALL ? 365 * DAY : 18 * WEEK;
/** A share of more slots than this is within 5 points of its weight, one of fewer within 10 slots. */
const MANY = 200;
const STEP = 12 * HOUR;
const BUDGET = 9;

/** A pass with all the work that it starts, but without waiting for other processes. */
async function run(t: TestService, name: "series" | "metrics"): Promise<void> {
  const passRun = { passId: crypto.randomUUID(), brandId: null, byHand: false, round: 1 };
  await addFirstPages(t.service, name, passRun);
  await t.worker.drain();
}

Deno.test("three series for months: every slot once, budgets kept, shares met, weekly reviews", async () => {
  await using t = await testService({ at: START });
  const { brand, connect, create, slots } = await seriesKit(t);
  const feed = await connect("instagram", "bakery");
  const page = await connect("linkedin", "bakery");
  const manual = await create({ cadenceDays: 3, hourUtc: 7, socialAccountId: feed.id });
  const free = await create({
    name: "Growth",
    mode: "autopilot",
    goal: "More guests on weekdays",
    formats: ["post", "story"],
    postsPerWeek: 4,
    socialAccountId: feed.id,
  });
  const frugal = await create({
    ...MANUAL,
    name: "Frugal",
    mode: "autopilot",
    goal: "Be known for sourdough",
    formats: ["post", "carousel"],
    creditBudgetMonthly: BUDGET,
    socialAccountId: page.id,
  });

  const spent = new Map<string, number>();
  const seen = { instagram: new Set<string>(), linkedin: new Set<string>() };
  // Looks at every step, because stories are public for one day only.
  const look = async (at: number) => {
    for (const platform of ["instagram", "linkedin"] as const) {
      for (const { id } of await truth(t, platform, "bakery", at)) seen[platform].add(id);
    }
  };
  for (let at = FIRST; at < FIRST + LENGTH; at += STEP) {
    t.turnTo(iso(at));
    if (monthOf(at) !== monthOf(at - STEP)) {
      await grantCredits(t.service, brand, 1_000);
    }
    if ((at - FIRST) % WEEK === 0) await run(t, "metrics");
    const before = await made(slots, frugal.id);
    await run(t, "series");
    await look(Math.max(START, at - DAY));
    spent.set(
      monthOf(at),
      (spent.get(monthOf(at)) ?? 0) + await made(slots, frugal.id) - before,
    );
  }

  t.turn(HOUR / 4);
  await run(t, "series");
  await look(START);
  const all = (await Promise.all([manual, free, frugal].map(({ id }) => slots(id)))).flat();
  const end = t.service.now();
  for (const slot of all) {
    const at = Date.parse(slot.scheduledFor);
    const expected = at <= end ? "published" : at - end <= MAKE_AHEAD ? "ready" : "planned";
    assertEquals([slot.status, slot.error], [expected, null], slot.scheduledFor);
    if (slot.publishedAt !== null) {
      const late = Date.parse(slot.publishedAt) - at;
      // A platform may ask for another try. The next step makes it, within a day.
      assert(late >= 0 && late <= DAY, `${slot.scheduledFor}: ${slot.publishedAt}`);
    }
  }
  const instants = all.map(({ seriesId, scheduledFor }) => `${seriesId} ${scheduledFor}`);
  assertEquals(new Set(instants).size, all.length);

  const published = all.filter(({ status }) => status === "published");
  for (const platform of ["instagram", "linkedin"] as const) {
    const ours = published.filter((slot) => slot.platform === platform)
      .map(({ externalPostId }) => externalPostId!).sort();
    assertEquals([...seen[platform]].sort(), ours, platform);
  }

  const grid = all.filter(({ seriesId }) => seriesId === manual.id);
  assertEquals(grid[0]!.scheduledFor, "2027-01-01T07:00:00.000Z");
  for (const [index, slot] of grid.entries()) {
    assertEquals(
      Date.parse(slot.scheduledFor),
      Date.parse(grid[0]!.scheduledFor) + index * 3 * DAY,
    );
  }
  assertEquals(
    grid.length,
    Math.floor((end + WEEK - Date.parse(grid[0]!.scheduledFor)) / DAY / 3) + 1,
  );

  assertEquals(spent.size, SWEEPS_ALL ? 12 : 5);
  for (const [month, credits] of spent) {
    assert(credits > 0 && credits <= BUDGET, `${month}: ${credits} credits`);
  }

  for (const { id } of [free, frugal]) {
    const reviews = (await listReviews(t.service.kv, brand.id, id, 100)).reverse();
    assertEquals(reviews.length, Math.floor((LENGTH - STEP) / WEEK) + 1);
    for (const [index, review] of reviews.entries()) {
      assertEquals(Date.parse(review.createdAt), FIRST + index * WEEK);
    }
    const weights = new Map(reviews.map((review) => [review.id, review.playbook.formatWeights]));
    const own = all.filter(({ seriesId }) => seriesId === id);
    for (const format of ["post", "story", "carousel"]) {
      const wanted = mean(
        own,
        (slot) =>
          weights.get(slot.reviewId!)!.find((entry) => entry.format === format)?.weight ?? 0,
      );
      const got = mean(own, (slot) => slot.format === format ? 1 : 0);
      const most = 0.05 * MANY / Math.min(MANY, own.length);
      assert(Math.abs(got - wanted) <= most, `${format}: ${got}, ${wanted}`);
    }
  }
  const enough = SWEEPS_ALL ? MANY : 4 * LENGTH / WEEK;
  assert(all.filter(({ seriesId }) => seriesId === free.id).length >= enough);
});

/** How many images were ordered for the series. */
async function made(slots: (id: string) => Promise<StoredSlot[]>, id: string): Promise<number> {
  return (await slots(id)).reduce((sum, { creationIds }) => sum + creationIds.length, 0);
}

function mean<T>(values: T[], of: (value: T) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0) / values.length;
}
