/** SECRET_KEY: what it seals, how it is changed, and what a start with a strange one does. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { createSecrets, type Secrets } from "../../domain/foundation/secrets.ts";
import { readSettings, SettingsError } from "../../domain/foundation/settings.ts";
import { readKit, webhookOf, writeKit } from "../../domain/brands/kit.ts";
import { reader } from "../../domain/kv/transact.ts";
import { readSocialAccount, readTokens } from "../../domain/platforms/accounts.ts";
import { claimSecret, secretStatus } from "../../domain/platforms/sealed.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import type { Service } from "../../domain/service/service.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { runPass } from "../../jobs/passes.ts";
import { Worker } from "../../jobs/worker.ts";
import { admin, launch, startProcess } from "../support/process.ts";
import { type TestService, testService } from "../support/service.ts";

const OLD = "the secret before, of 32 characters or more";
const NEW = "the secret after it, of 32 characters or more";
const WEBHOOK = "https://discord.com/api/webhooks/123456789012345678/abc-DEF_ghi";

/** The service as a start with these secrets would see its store. */
const withSecrets = (t: TestService, secrets: Secrets): Service => ({ ...t.service, secrets });

/** A brand with a connected account and a webhook, sealed with the service's secret. */
async function sealedBrand(service: Service, t: TestService) {
  const { brand } = await t.brand();
  const account = await connectSandboxAccount(service, brand.id, "instagram", "acme");
  await writeKit(service, brand.id, { baseStylePrompt: "", discordWebhookUrl: WEBHOOK });
  return { brand, account };
}

async function drain(service: Service): Promise<void> {
  const worker = new Worker(service, HANDLERS);
  await worker.drain();
  await worker.stop(0);
}

async function webhook({ kv, secrets }: Service, brandId: string): Promise<string | null> {
  return await webhookOf(secrets, brandId, await readKit(reader(kv), brandId));
}

Deno.test("start takes a secret of 32 characters or more, dev and admin any", () => {
  const read = (SECRET_KEY: string, mode: "start" | "dev" | "admin") =>
    readSettings({ SECRET_KEY }, mode).SECRET_KEY;
  assertEquals(read("x".repeat(32), "start"), "x".repeat(32));
  assertEquals([read("x", "dev"), read("x", "admin")], ["x", "x"]);
  assertThrows(() => read("x".repeat(31), "start"), SettingsError, "32 characters");
});

Deno.test("a sealed text names its secret; a previous secret opens and verifies, a strange one doesn't", async () => {
  const [old, fresh] = [await createSecrets(OLD), await createSecrets(NEW, OLD)];
  assertNotEquals(old.keyId, fresh.keyId);
  assertEquals(fresh.previousKeyId, old.keyId);
  const sealed = await old.seal("token", "id");
  assert(sealed.startsWith(`${old.keyId}.`) && old.isCurrent(sealed) && !fresh.isCurrent(sealed));
  assertEquals(await fresh.open(sealed, "id"), "token");
  assert(await fresh.verify("text", await old.sign("text")));
  const former = sealed.slice(sealed.indexOf(".") + 1);
  assertEquals(await fresh.open(former, "id"), "token", "as an earlier version stored it");
  const strange = await createSecrets(NEW);
  for (const text of [sealed, former]) {
    await assertRejects(() => strange.open(text, "id"), Error);
  }
  await assertRejects(() => fresh.open(sealed, "another id"), Error);
  assert(!await strange.verify("text", await old.sign("text")));
  assertNotEquals(await old.print("setting"), await strange.print("setting"));
});

Deno.test("a webhook is stored sealed, and shown as it was given", async () => {
  await using t = await testService();
  const { brand, secret } = await t.brand();
  const body = { baseStylePrompt: "", discordWebhookUrl: WEBHOOK };
  await t.call(secret, "/v1/brand-kit", { method: "PUT", body });
  const stored = JSON.stringify((await t.service.kv.get(["brandKit", brand.id])).value);
  assert(!stored.includes("webhooks") && !stored.includes("abc-DEF_ghi"), stored);
  const shown = await (await t.call(secret, "/v1/brand-kit")).json();
  assertEquals(shown.discordWebhookUrl, WEBHOOK);
});

Deno.test("a new secret with the previous one seals everything again; then it needs no previous one", async () => {
  await using t = await testService();
  const before = withSecrets(t, await createSecrets(OLD));
  await claimSecret(before);
  const { brand, account } = await sealedBrand(before, t);
  const former = { baseStylePrompt: "", discordWebhookUrl: WEBHOOK, webhookStatus: "on" };
  await t.service.kv.set(["brandKit", "brd_former"], former);
  const tokens = await readTokens(before, account);

  const after = withSecrets(t, await createSecrets(NEW, OLD));
  await claimSecret(after);
  const alone = withSecrets(t, await createSecrets(NEW));
  await assertRejects(() => claimSecret(alone), SettingsError, "resealing has ended");
  assertEquals((await secretStatus(after)).sealed, { current: 0, previous: 3, unreadable: 0 });
  assertEquals((await secretStatus(after)).resealing, true);
  // A process that still runs with the secret before leaves the job to the others.
  await drain(before);
  assertEquals((await secretStatus(after)).sealed.previous, 3);
  t.turn(61_000);
  await drain(after);
  const { secrets: { keyId, previousKeyId } } = after;
  assertEquals(await secretStatus(after), {
    keyId,
    previousKeyId,
    resealing: false,
    sealed: { current: 3, previous: 0, unreadable: 0 },
  });
  await claimSecret(alone);
  assertEquals(await readTokens(alone, account), tokens);
  assertEquals(await webhook(alone, brand.id), WEBHOOK);
  assertEquals(await webhook(alone, "brd_former"), WEBHOOK);
});

Deno.test("a store of an earlier version is claimed by the secret that opens its tokens", async () => {
  await using t = await testService();
  const before = withSecrets(t, await createSecrets(OLD));
  const { account } = await sealedBrand(before, t);
  const key = ["socialTokens", account.brandId, account.id];
  const sealed = String((await t.service.kv.get(key)).value);
  await t.service.kv.set(key, sealed.slice(sealed.indexOf(".") + 1));
  const strange = withSecrets(t, await createSecrets(NEW));
  await assertRejects(() => claimSecret(strange), SettingsError, "SECRET_KEY_PREVIOUS");
  await claimSecret(before);
  await drain(before);
  assertEquals((await secretStatus(before)).sealed, { current: 2, previous: 0, unreadable: 0 });
});

Deno.test("a token that no secret opens fails its account's pass, which then asks to be connected again", async () => {
  await using t = await testService();
  const strange = withSecrets(t, await createSecrets(NEW));
  const { brand, account } = await sealedBrand(strange, t);
  const report = await runPass(t.service, t.worker, "metrics", { brandId: brand.id });
  await t.worker.drain();
  const stored = await readSocialAccount(t.service.kv, brand.id, account.id);
  assertEquals(stored?.status, "reconnect");
  assertMatch(stored?.error ?? "", /SECRET_KEY/);
  assertEquals((await secretStatus(t.service)).sealed.unreadable, 2);
  assertEquals(JSON.stringify(report).includes('"failed":1'), true);
});

Deno.test("a start with a strange secret ends in one line, and changes nothing for the right one", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-secret-" });
  const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
  const environ = { SANDBOX: "on" };
  {
    await using service = await startProcess({ dataDir, environ });
    await admin(dataDir, [
      ...["social", "connect", "--brand", brand.id, "--platform", "instagram"],
      ...["--sandbox", "acme"],
    ]);
    await service.stop();
  }
  const strange = launch({ dataDir, environ: { ...environ, SECRET_KEY: NEW } });
  const { code, output } = await strange.ended();
  assertEquals(code, 1);
  assertMatch(
    output,
    /^Cannot use setting SECRET_KEY: the store is sealed with another one; .+\n$/,
  );
  await using right = await startProcess({ dataDir, environ });
  const { sealed } = await admin(dataDir, ["secret", "status"]);
  assertEquals(sealed, { current: 1, previous: 0, unreadable: 0 });
  await right.stop();
  await Deno.remove(dataDir, { recursive: true });
});
