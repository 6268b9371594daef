/** Alerts: durable, delivered at least once under a stable id, within Discord's limits. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SYSTEM } from "../../domain/kv/audit.ts";
import { type AlertKind, creditAlert, raiseAlert } from "../../domain/events/alerts.ts";
import type { Brand } from "../../domain/brands/brands.ts";
import { buildService } from "../../domain/service/build.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { debitCredits } from "../../domain/brands/credits.ts";
import { readDelivery } from "../../domain/events/deliveries.ts";
import { readKit, shownKit, writeKit } from "../../domain/brands/kit.ts";
import { reader, transact } from "../../domain/kv/transact.ts";
import { silent } from "../../domain/foundation/log.ts";
import type { Service } from "../../domain/service/service.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { Worker } from "../../jobs/worker.ts";
import { Discord } from "../support/discord.ts";
import { startProcess } from "../support/process.ts";
import { type TestService, testService } from "../support/service.ts";

async function setWebhook(service: Service, brand: Brand, url: string): Promise<void> {
  await writeKit(service, brand.id, { baseStylePrompt: "", discordWebhookUrl: url });
}

async function withWebhook(discord: Discord): Promise<{ t: TestService; brand: Brand }> {
  const t = await testService({ environ: { ALLOW_PRIVATE_HOSTS: discord.host } });
  const { brand } = await t.brand();
  await setWebhook(t.service, brand, discord.url);
  return { t, brand };
}

function raise(
  service: Service,
  brand: Brand,
  id: string,
  text = "Something happened.",
  kind: AlertKind = "slotHeld",
): Promise<void> {
  return transact(
    service.kv,
    (commit) => raiseAlert(service, commit, { brandId: brand.id, kind, id, text }),
  );
}

Deno.test("an alert reaches the webhook once, with its id, mentions off, and waits for the answer", async () => {
  await using discord = new Discord();
  const { t, brand } = await withWebhook(discord);
  await using _ = t;
  await raise(t.service, brand, "held:1", "Hello @everyone, the images failed.");
  await t.worker.drain();
  await raise(t.service, brand, "held:1", "Hello @everyone, the images failed.");
  await t.worker.drain();
  assertEquals(discord.posted.length, 1);
  const [{ body, query }] = discord.posted as [typeof discord.posted[0]];
  assertEquals(body.allowed_mentions, { parse: [] });
  assertEquals(body.embeds[0].footer.text, "held:1");
  assertStringIncludes(body.embeds[0].description, "the images failed");
  assertEquals(query, "?wait=true");
  assertEquals(await t.service.jobs.list(), []);
});

Deno.test("without a webhook an alert adds no job", async () => {
  await using t = await testService();
  const { brand } = await t.brand();
  await raise(t.service, brand, "held:1");
  assertEquals(await t.service.jobs.list(), []);
});

Deno.test("the longest texts stay within Discord's limits, emoji included", async () => {
  await using discord = new Discord();
  const { t, brand } = await withWebhook(discord);
  await using _ = t;
  await raise(t.service, brand, "held:long", "😀 long ".repeat(3_000));
  await t.worker.drain();
  assertEquals(discord.posted.length, 1);
});

Deno.test("a webhook that fails is tried again after 10 s, 1 min, 5 min, 30 min and 2 h, then the job is dead", async () => {
  await using discord = new Discord();
  const { t, brand } = await withWebhook(discord);
  await using _ = t;
  discord.faults.push(...Array.from({ length: 6 }, () => ({ status: 502 })));
  await raise(t.service, brand, "held:1");
  await t.worker.drain();
  for (const seconds of [10, 60, 300, 1_800, 7_200]) {
    const calls = discord.calls;
    t.turn((seconds - 1) * 1_000);
    await t.worker.drain();
    assertEquals(discord.calls, calls, `too early for the try after ${seconds} s`);
    t.turn(1_000);
    await t.worker.drain();
    assertEquals(discord.calls, calls + 1, `no try after ${seconds} s`);
  }
  const [dead] = await t.service.jobs.list("dead");
  assertStringIncludes(dead!.error!, "502");
  const stored = () => transact(t.service.kv, (commit) => readDelivery(commit, brand.id, "held:1"));
  const given = (await stored())!;
  assertEquals([given.state, given.error], ["failed", dead!.error], "it doesn't say why");
  await t.service.jobs.retry(SYSTEM, dead!.id);
  await t.worker.drain();
  assertEquals(discord.posted.length, 1);
  const sent = (await stored())!;
  assertEquals([sent.state, sent.error], ["delivered", null]);
});

Deno.test("a rate limit is kept to the millisecond Discord names, and spends no try", async () => {
  await using discord = new Discord();
  const { t, brand } = await withWebhook(discord);
  await using _ = t;
  discord.faults.push({ status: 429, body: { message: "limited", retry_after: 64.57 } });
  await raise(t.service, brand, "held:1");
  await t.worker.drain();
  assertEquals((await t.service.jobs.list())[0]!.attempts, 0);
  t.turn(64_569);
  await t.worker.drain();
  assertEquals(discord.calls, 1);
  t.turn(1);
  await t.worker.drain();
  assertEquals(discord.posted.length, 1);
});

Deno.test("while a webhook is rate-limited no job and no process sends it another message", async () => {
  await using discord = new Discord();
  const { t, brand } = await withWebhook(discord);
  await using _ = t;
  const other = { ...t.service, posts: new PostIndexes(t.service.kv, t.service.now) };
  const sharing = await t.brand();
  await setWebhook(t.service, sharing.brand, discord.url.replace("webhooks", "v10/webhooks"));
  await using free = new Discord();
  t.service.settings.ALLOW_PRIVATE_HOSTS.push(free.host);
  const elsewhere = await t.brand();
  await setWebhook(t.service, elsewhere.brand, free.url.replace("a-token", "another"));
  discord.faults.push({ status: 429, body: { retry_after: 30 } });
  for (const id of ["held:1", "held:2", "held:3"]) await raise(t.service, brand, id);
  await t.worker.drain();
  assertEquals(discord.calls, 1, "messages that were due together");

  t.turn(234);
  await raise(t.service, brand, "held:4");
  await raise(t.service, sharing.brand, "held:5");
  await raise(t.service, elsewhere.brand, "held:6");
  await new Worker(other, HANDLERS).drain();
  assertEquals([discord.calls, free.calls], [1, 1], "messages that came later");
  assertEquals((await t.service.jobs.list()).map(({ attempts }) => attempts), [0, 0, 0, 0, 0]);
  t.turn(30_000 - 235);
  await t.worker.drain();
  assertEquals(discord.calls, 1, "too early");
  t.turn(1);
  await t.worker.drain();
  assertEquals(discord.posted.length, 5);
  assertEquals(await t.service.jobs.list(), []);
});

for (const status of [404, 401]) {
  Deno.test(`a webhook that answers ${status} is switched off, keeps its address, and comes back with a new kit`, async () => {
    await using discord = new Discord();
    const { t, brand } = await withWebhook(discord);
    await using _ = t;
    discord.faults.push({ status, body: { code: status === 404 ? 10015 : 50027 } });
    await raise(t.service, brand, "held:1");
    await t.worker.drain();
    const kit = await readKit(reader(t.service.kv), brand.id);
    const { discordWebhookUrl } = await shownKit(t.service.secrets, brand.id, kit);
    assertEquals([kit.webhookStatus, discordWebhookUrl], ["off", discord.url]);
    assertEquals(await t.service.jobs.list(), []);
    await raise(t.service, brand, "held:2");
    await t.worker.drain();
    assertEquals(discord.calls, 1, "a dead webhook was called again");
    await setWebhook(t.service, brand, discord.url);
    await raise(t.service, brand, "held:3");
    await t.worker.drain();
    assertEquals(discord.posted.length, 1);
  });
}

Deno.test("a message that Discord will never take leaves a dead job behind, at once", async () => {
  await using discord = new Discord();
  const { t, brand } = await withWebhook(discord);
  await using _ = t;
  discord.faults.push({ status: 400, body: { code: 50035 } });
  await raise(t.service, brand, "held:1");
  await t.worker.drain();
  assertEquals((await t.service.jobs.list("dead")).length, 1);
  assertEquals(discord.calls, 1);
});

Deno.test("an address that is no longer allowed gets nothing", async () => {
  await using discord = new Discord();
  const { t, brand } = await withWebhook(discord);
  await using _ = t;
  t.service.settings.ALLOW_PRIVATE_HOSTS.length = 0;
  await raise(t.service, brand, "held:1");
  await t.worker.drain();
  assertEquals(discord.calls, 0);
});

Deno.test("credits alert at 80 % and at 100 %, each once", async () => {
  await using discord = new Discord();
  const { t, brand } = await withWebhook(discord);
  await using _ = t;
  const spend = (count: number) =>
    transact(t.service.kv, async (commit) => {
      const debit = await debitCredits(commit, brand, t.service.now(), count);
      await creditAlert(t.service, commit, brand, debit);
    });
  for (const count of [1_599, 1, 399, 1]) await spend(count);
  await t.worker.drain();
  const texts = discord.posted.map(({ body }) => body.embeds[0].description as string).sort();
  assertEquals(texts.length, 2);
  assert(texts.some((text) => text.includes("1,600 of this month's 2,000")), texts.join());
  assert(texts.some((text) => text.includes("used all 2,000")), texts.join());
});

Deno.test("a process killed between Discord's taking a message and our knowing it sends it again under the same id", async () => {
  await using discord = new Discord();
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const environ = {
    SANDBOX: "on",
    CLOCK: "2026-11-20T12:00:00Z",
    ALLOW_PRIVATE_HOSTS: discord.host,
  };
  try {
    const settings = readSettings(
      { ...environ, DATA_DIR: dataDir, SECRET_KEY: "a secret for tests only, and long enough" },
      "start",
    );
    const kv = await openStore(settings, MIGRATIONS);
    const now = () => Date.parse(environ.CLOCK);
    const service = await buildService({ settings, kv, now, log: silent });
    const brand = await createBrand({ kv, now, by: SYSTEM }, { name: "B", plan: "creator" });
    await setWebhook(service, brand, discord.url);
    await raise(service, brand, "held:1");
    kv.close();

    discord.faults.push("hang");
    const called = discord.nextCall();
    const first = await startProcess({ dataDir, environ });
    await called;
    await first.kill();
    const again = discord.nextCall();
    const second = await startProcess({
      dataDir,
      environ: { ...environ, CLOCK: "2026-11-20T12:05:00Z" },
    });
    await again;
    await second.stop();
    const ids = discord.posted.map(({ body }) => body.embeds[0].footer.text);
    assertEquals(ids, ["held:1", "held:1"]);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
