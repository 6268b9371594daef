/** Scheduled passes: each begun once, begun again where a process was lost, the digest behind the metrics. */
import { assertEquals } from "@std/assert";
import { DAY, MINUTE } from "../domain/calendar.ts";
import { putBrandKit } from "../domain/kit.ts";
import type { Context } from "../domain/operation.ts";
import { claimPass, finishPass, LONGEST, notePassAdded, readPass } from "../domain/passes.ts";
import { upsertPosts } from "../domain/posts/upsert.ts";
import type { Service } from "../domain/service.ts";
import { runDuePasses, runPass } from "../jobs/passes.ts";
import { Discord } from "./discord.ts";
import { type TestService, testService } from "./service.ts";
import { postOf } from "./stored_series.ts";

const MONDAY = Date.parse("2026-11-23T08:00:00Z");

/** A brand that has something to tell, on Monday at eight. */
async function onMonday(discord: Discord): Promise<TestService> {
  const t = await testService({ at: MONDAY, environ: { ALLOW_PRIVATE_HOSTS: discord.host } });
  const { brand } = await t.brand();
  const context = { ...t.service, brand } as Context;
  await putBrandKit.run(context, { baseStylePrompt: "", discordWebhookUrl: discord.url });
  await upsertPosts(t.service, brand.id, [postOf("hit", MONDAY - 4 * DAY, 300)]);
  return t;
}

const claim = ({ service }: TestService, name: "metrics" | "digest") =>
  claimPass(service.kv, name, service.now());

/** The service, with a store that breaks while it is asked for what lies under `prefix`. */
function broken(service: Service, prefix: string): Service {
  const kv = new Proxy(service.kv, {
    get(store, name) {
      const value: unknown = Reflect.get(store, name, store);
      if (name !== "list") return typeof value === "function" ? value.bind(store) : value;
      return (selector: { prefix: Deno.KvKey }, options?: Deno.KvListOptions) => {
        if (selector.prefix[0] === prefix) throw new Error("The store is away.");
        return store.list(selector, options);
      };
    },
  });
  return { ...service, kv };
}

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
  await runDuePasses(broken(t.service, "series"), t.worker);
  assertEquals(await finished(), null);
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
