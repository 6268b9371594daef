/** A year of three series, the clock turned: every slot once, budgets kept, shares met, weekly reviews. */
import { assert, assertEquals } from "@std/assert";
import { DAY, HOUR, iso, monthOf, WEEK } from "../domain/calendar.ts";
import { grantCredits } from "../domain/credits.ts";
import { loadSharp } from "../domain/images/sharp.ts";
import type { ImageModel } from "../domain/models/model.ts";
import { MAKE_AHEAD } from "../domain/series/planner.ts";
import type { StoredSlot } from "../domain/series/records.ts";
import { listReviews } from "../domain/strategist/strategist.ts";
import { PASSES } from "../jobs/passes.ts";
import { MANUAL, seriesKit, truth } from "./series.ts";
import { type TestService, testService } from "./service.ts";

const START = Date.parse("2027-01-01T00:30:00Z");
/** The first pass, a little after the series were made. */
const FIRST = START + HOUR / 2;
const YEAR = 365 * DAY;
const STEP = 12 * HOUR;
const BUDGET = 9;

/** Answers one small picture at once: the year is about slots, not about painting. */
async function quickModel(): Promise<ImageModel> {
  const sharp = await loadSharp();
  const create = { width: 270, height: 338, channels: 3, background: "#385f71" } as const;
  const bytes = new Uint8Array(await sharp({ create }).jpeg().toBuffer());
  return { name: "quick", paint: () => Promise.resolve({ bytes, contentType: "image/jpeg" }) };
}

/** A pass and all that it sets off, without the pauses of one that waits for other processes. */
async function run(t: TestService, name: "series" | "metrics"): Promise<void> {
  const passRun = { passId: crypto.randomUUID(), brandId: null, byHand: false };
  await PASSES[name].fanOut(t.service, passRun, {});
  await t.worker.drain();
}

Deno.test("a year of three series: every slot once, budgets kept, shares met, weekly reviews", async () => {
  await using t = await testService({
    at: START,
    // The sandbox is done with a file at once, so nobody has to wait for it.
    doors: { imageModel: await quickModel(), patience: { callMs: 10_000, pollMs: 5 } },
  });
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
  // Stories are public for a day only, so the public looks while they are.
  const look = async (at: number) => {
    for (const platform of ["instagram", "linkedin"] as const) {
      for (const { id } of await truth(t, platform, "bakery", at)) seen[platform].add(id);
    }
  };
  for (let at = FIRST; at < FIRST + YEAR; at += STEP) {
    t.turnTo(iso(at));
    if (monthOf(at) !== monthOf(at - STEP)) {
      await grantCredits(t.service.kv, brand, at, 1_000);
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
      // A platform may ask for another try, which the next step brings; never more than a day.
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
  for (const [at, slot] of grid.entries()) {
    assertEquals(Date.parse(slot.scheduledFor), Date.parse(grid[0]!.scheduledFor) + at * 3 * DAY);
  }
  assertEquals(
    grid.length,
    Math.floor((end + WEEK - Date.parse(grid[0]!.scheduledFor)) / DAY / 3) + 1,
  );

  assertEquals(spent.size, 12);
  for (const [month, credits] of spent) {
    assert(credits > 0 && credits <= BUDGET, `${month}: ${credits} credits`);
  }

  for (const { id } of [free, frugal]) {
    const reviews = (await listReviews(t.service.kv, brand.id, id, 100)).reverse();
    assertEquals(reviews.length, 53);
    for (const [at, review] of reviews.entries()) {
      assertEquals(Date.parse(review.createdAt), FIRST + at * WEEK);
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
      if (own.length >= 200) assert(Math.abs(got - wanted) <= 0.05, `${format}: ${got}, ${wanted}`);
    }
  }
  assert(all.filter(({ seriesId }) => seriesId === free.id).length >= 200);
});

/** Images that were ordered for the series so far. */
async function made(slots: (id: string) => Promise<StoredSlot[]>, id: string): Promise<number> {
  return (await slots(id)).reduce((sum, { creationIds }) => sum + creationIds.length, 0);
}

function mean<T>(values: T[], of: (value: T) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0) / values.length;
}
