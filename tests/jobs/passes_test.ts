/** Scheduled passes: each begun once, begun again where a process was lost, the digest behind the metrics. */
import { assertEquals, assertRejects } from "@std/assert";
import { DAY, MINUTE } from "../../domain/foundation/calendar.ts";
import { writeKit } from "../../domain/brands/kit.ts";
import { claimPass, finishPass, LONGEST, notePassAdded, readPass } from "../../domain/kv/passes.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { runDuePasses, runPass } from "../../jobs/passes.ts";
import { Discord } from "../support/discord.ts";
import { withKv } from "../support/jobs.ts";
import { type TestService, testService } from "../support/service.ts";
import { postOf } from "../support/stored_series.ts";

const MONDAY = Date.parse("2026-11-23T08:00:00Z");

/** A brand that has something to tell, on Monday at eight. */
async function onMonday(discord: Discord): Promise<TestService> {
  const t = await testService({ at: MONDAY, environ: { ALLOW_PRIVATE_HOSTS: discord.host } });
  const { brand } = await t.brand();
  await writeKit(t.service, brand.id, { baseStylePrompt: "", discordWebhookUrl: discord.url });
  await upsertPosts(t.service, brand.id, [postOf("hit", MONDAY - 4 * DAY, 300)]);
  return t;
}

const claim = ({ service }: TestService, name: "metrics" | "digest") =>
  claimPass(service.kv, name, service.now());

Deno.test("Monday's digest waits for the metrics pass, whoever runs that", async () => {
  await using discord = new Discord();
  await using t = await onMonday(discord);
  assertEquals(await claim(t, "metrics"), true);
  await notePassAdded(t.service.kv, "metrics");
  t.turn(MINUTE);
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.calls, 0, "sent before the metrics were read");
  await finishPass(t.service.kv, "metrics", t.service.now());
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.posted.length, 1);
});

Deno.test("Monday's digest does not wait forever for a metrics pass that never ends", async () => {
  await using discord = new Discord();
  await using t = await onMonday(discord);
  await claim(t, "metrics");
  await notePassAdded(t.service.kv, "metrics");
  t.turn(LONGEST - 1);
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.calls, 0);
  t.turn(1);
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.posted.length, 1);
});

Deno.test("a pass whose process was killed before its jobs were added is begun again in minutes", async () => {
  await using discord = new Discord();
  await using t = await onMonday(discord);
  assertEquals(await claim(t, "digest"), true);
  t.turn(4 * MINUTE);
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.calls, 0, "the one who began it may be at it");
  t.turn(MINUTE);
  await runDuePasses(t.service, t.worker);
  assertEquals(discord.posted.length, 1);
  t.turn(5 * MINUTE);
  assertEquals(await claim(t, "digest"), false, "begun again although its jobs were added");
});

Deno.test("a pass whose fan-out fails is begun again in minutes, not in the next period", async () => {
  await using t = await testService();
  const finished = async () => (await readPass(t.service.kv, "series")).lastFinishedAt;
  const broken = withKv(t.service, "atomic", () => {
    throw new Error("The store is away.");
  });
  assertEquals(await claimPass(t.service.kv, "series", t.service.now()), true);
  await assertRejects(() => runPass(broken, t.worker, "series"), Error, "away");
  await runDuePasses(t.service, t.worker);
  assertEquals(await finished(), null, "the one who began it may be at it");
  t.turn(5 * MINUTE);
  await runDuePasses(t.service, t.worker);
  assertEquals(await finished(), t.service.now());
});

Deno.test("a digest whose pass was begun twice goes out once", async () => {
  await using discord = new Discord();
  await using t = await onMonday(discord);
  await Promise.all([1, 2, 3].map(() => runPass(t.service, t.worker, "digest")));
  assertEquals(discord.calls, 1);
});

Deno.test("what an earlier version began is not begun again", async () => {
  await using t = await testService();
  const record = { lastStartedAt: t.service.now(), lastFinishedAt: null };
  await t.service.kv.set(["pass", "metrics"], record);
  t.turn(20 * MINUTE);
  assertEquals(await claim(t, "metrics"), false);
});

Deno.test("a pass over one brand does not count as the scheduled one", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  const finished = async () => (await readPass(t.service.kv, "metrics")).lastFinishedAt;
  await runPass(t.service, t.worker, "metrics", { brandId: brand.id, byHand: true });
  await runPass(t.service, t.worker, "metrics", { brandId: brand.id });
  assertEquals(await finished(), null);
  await runPass(t.service, t.worker, "metrics", { byHand: true });
  assertEquals(await finished(), t.service.now());
  assertEquals(await claim(t, "metrics"), true, "by hand uses nothing up");
});
