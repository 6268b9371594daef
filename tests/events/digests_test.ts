/** Digests: true, sent once a week by schedule or at any time by hand, and not sent without news. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SYSTEM } from "../../domain/kv/audit.ts";
import { DAY, HOUR } from "../../domain/foundation/calendar.ts";
import { readDelivery } from "../../domain/events/deliveries.ts";
import { composeDigest, weekOf } from "../../domain/series/running/digest.ts";
import { writeKit } from "../../domain/brands/kit.ts";
import { transact } from "../../domain/kv/transact.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import type { Reading } from "../../domain/posts/shape.ts";
import { isOf } from "../../domain/kv/jobs/job.ts";
import { runDuePasses, runPass } from "../../jobs/passes.ts";
import { complaintAbout, Discord } from "../support/discord.ts";
import { type TestBrand, type TestService, testService } from "../support/service.ts";
import { postOf, storeSeries, storeSlot } from "../support/stored_series.ts";

/** A brand with a webhook at `discord`, and a running worker. */
async function withWebhook(t: TestService, discord: Discord): Promise<TestBrand> {
  const own = await t.brand();
  await writeKit(t.service, own.brand.id, { baseStylePrompt: "", discordWebhookUrl: discord.url });
  return own;
}

const service = (discord: Discord) =>
  testService({ environ: { ALLOW_PRIVATE_HOSTS: discord.host } });

function byHand(t: TestService, brandId?: string) {
  return runPass(t.service, t.worker, "digest", { brandId, byHand: true });
}

const reading = (at: number, likes: number): Reading => ({
  capturedAt: new Date(at).toISOString(),
  ...{ views: likes * 10, impressions: likes * 10, reach: null, likes, comments: 0, shares: 0 },
  ...{ saves: null, clicks: null },
});

Deno.test("a digest names top posts, the change, what is scheduled and what is held", async () => {
  await using discord = new Discord();
  await using t = await service(discord);
  const { brand } = await withWebhook(t, discord);
  const now = t.service.now();
  const series = await storeSeries(t.service, brand.id);
  await storeSlot(t.service, series, now + DAY);
  await storeSlot(t.service, series, now - 2 * DAY, { status: "held", error: "Out of credits." });
  await storeSlot(t.service, series, now + 2 * DAY, { status: "skipped" });
  await upsertPosts(t.service, brand.id, [postOf("hit", now - 4 * DAY, 300)]);
  const report = await byHand(t);
  assertEquals([report["sent"], report["skipped"]], [1, 0]);
  const [embed] = discord.posted[0]!.body.embeds;
  const fields = Object.fromEntries(
    embed.fields.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  assertStringIncludes(fields["Top posts"], "300 interactions from 3,000 views");
  assertEquals(fields["Scheduled"].split("\n").length, 1);
  assertStringIncludes(fields["Held until you decide"], "Out of credits.");
  assertStringIncludes(embed.description, "You published 1 post.");
});

Deno.test("the change compares what all posts earned in the two weeks, and says when it can't", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const now = t.service.now();
  const post = postOf("old", now - 20 * DAY, 0);
  const readings = [[-14, 100], [-7, 140], [0, 190]].map(([day, likes]) =>
    reading(now + day! * DAY - HOUR, likes!)
  );
  await upsertPosts(t.service, brand.id, [{ ...post, readings }]);
  assertEquals((await weekOf(t.service, brand.id, now)).engagement, { now: 50, before: 40 });
  const message = await composeDigest(t.service, brand, now);
  assertStringIncludes(message!.text, "25% more than in the week before (40)");
  const young = await t.brand();
  await upsertPosts(t.service, young.brand.id, [{ ...post, readings: readings.slice(1) }]);
  const week = await weekOf(t.service, young.brand.id, now);
  assertEquals(week.engagement, { now: 50, before: null });
  // A post of the last week has no figures for the week before.
  await upsertPosts(t.service, young.brand.id, [postOf("fresh", now - 2 * DAY, 10)]);
  assertEquals((await weekOf(t.service, young.brand.id, now)).engagement.before, null);
});

Deno.test("nothing to say is not sent, and neither is anything without a webhook", async () => {
  await using discord = new Discord();
  await using t = await service(discord);
  await withWebhook(t, discord);
  await t.brand();
  const report = await byHand(t);
  assertEquals([report["sent"], report["skipped"]], [0, 2]);
  assertEquals(discord.calls, 0);
});

Deno.test("Monday's digest goes out once a week; by hand it can be sent at will and uses nothing up", async () => {
  await using discord = new Discord();
  await using t = await service(discord);
  const { brand } = await withWebhook(t, discord);
  t.turnTo("2026-11-23T08:00:00Z");
  await upsertPosts(t.service, brand.id, [postOf("hit", t.service.now() - 4 * DAY, 300)]);
  await byHand(t, brand.id);
  await byHand(t, brand.id);
  assertEquals(discord.posted.length, 2);
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.posted.length, 3);
  await runDuePasses(t.service, t.worker);
  await runPass(t.service, t.worker, "digest");
  assertEquals(discord.posted.length, 3, "Monday's digest went out twice");
  const ids = discord.posted.map(({ body }) => body.embeds[0].footer.text);
  assertEquals(new Set(ids).size, 3);
  t.turnTo("2026-11-30T08:00:00Z");
  await upsertPosts(t.service, brand.id, [postOf("next", t.service.now() - 4 * DAY, 100)]);
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.posted.length, 4);
});

Deno.test("a digest that is made up for early on a Monday does not use up that Monday's", async () => {
  await using discord = new Discord();
  await using t = await service(discord);
  const { brand } = await withWebhook(t, discord);
  t.turnTo("2026-11-23T03:00:00Z");
  await upsertPosts(t.service, brand.id, [postOf("hit", t.service.now() - 4 * DAY, 300)]);
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.posted.length, 1);
  t.turnTo("2026-11-23T08:00:00Z");
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.posted.length, 2);
});

Deno.test("a digest that Discord did not take is sent later, as it was composed", async () => {
  await using discord = new Discord();
  await using t = await service(discord);
  const { brand } = await withWebhook(t, discord);
  const now = t.service.now();
  await upsertPosts(t.service, brand.id, [postOf("hit", now - 4 * DAY, 300)]);
  discord.faults.push({ status: 500 });
  const report = await byHand(t);
  assertEquals([report["sent"], report["skipped"]], [0, 0]);
  await upsertPosts(t.service, brand.id, [postOf("late", now - 4 * DAY, 900)]);
  t.turn(10_000);
  await t.worker.drain();
  assertEquals(discord.posted.length, 1);
  assert(!JSON.stringify(discord.posted[0]!.body).includes("late"));
});

Deno.test("a digest that Discord refuses says so, and a retry of its job sends it", async () => {
  await using discord = new Discord();
  await using t = await service(discord);
  const { brand } = await withWebhook(t, discord);
  await upsertPosts(t.service, brand.id, [postOf("hit", t.service.now() - 4 * DAY, 300)]);
  discord.faults.push({ status: 400, body: { code: 50035 } });
  const report = await byHand(t);
  assertEquals([report["sent"], report["skipped"]], [0, 0]);
  const [dead] = (await t.service.jobs.list("dead")).filter((job) => isOf("digest", job));
  const { digestId } = dead!.subject;
  const stored = () => transact(t.service.kv, (commit) => readDelivery(commit, brand.id, digestId));
  const refused = (await stored())!;
  assertEquals([refused.state, refused.error], ["failed", dead!.error]);
  await t.service.jobs.retry(SYSTEM, dead!.id);
  await t.worker.drain();
  assertEquals(discord.posted.length, 1);
  assertEquals((await stored())!.state, "delivered");
});

Deno.test("a digest of the longest texts stays within Discord's limits", async () => {
  await using discord = new Discord();
  await using t = await service(discord);
  const { brand } = await withWebhook(t, discord);
  const now = t.service.now();
  const series = await storeSeries(t.service, brand.id, { name: "😀".repeat(120) });
  for (let hour = 1; hour <= 30; hour++) {
    const decision = { direction: "😀".repeat(120), overlayTemplate: "none", rationale: "" };
    await storeSlot(t.service, series, now + hour * HOUR, { decision });
    await storeSlot(t.service, series, now - hour * HOUR, {
      status: "held",
      error: "😀 ".repeat(500),
    });
  }
  await upsertPosts(
    t.service,
    brand.id,
    Array.from({ length: 5 }, (_, n) => ({
      ...postOf(`p${n}`, now - 4 * DAY, 300),
      caption: "😀".repeat(2_000),
      url: `https://instagram.example/p/${"x".repeat(1_500)}`,
    })),
  );
  await byHand(t);
  assertEquals(discord.posted.length, 1);
  assertEquals(complaintAbout(discord.posted[0]!.body), null);
});
