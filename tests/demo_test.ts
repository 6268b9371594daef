/** The demo of `dev`: killed at any moment, begun twice at once or hindered, the next start ends well. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { apiKeyKey, hashSecret, listApiKeys } from "../domain/access.ts";
import { createAccount, signIn } from "../domain/accounts.ts";
import { listBrands } from "../domain/brands.ts";
import { listValues } from "../domain/kv.ts";
import { listSocialAccounts } from "../domain/social.ts";
import { demo } from "../jobs/demo.ts";
import { launch, type ServiceProcess, startProcess } from "./process.ts";
import { type TestService, testService } from "./service.ts";

const SECRET = /mq_[0-9A-Za-z]{49}/;
const GIVE_UP_MS = 90_000;

/** What one start says. */
async function greeted(t: TestService): Promise<string> {
  let said = "";
  await demo(t.service, t.worker, (text) => {
    said += text;
    return Promise.resolve();
  });
  return said;
}

async function demoService(): Promise<TestService> {
  const t = await testService({ environ: { SANDBOX: "on" } });
  t.worker.start();
  return t;
}

async function worksAt({ service: { kv } }: TestService, text: string): Promise<boolean> {
  const hash = await hashSecret(SECRET.exec(text)?.[0] ?? "");
  return hash !== null && (await kv.get(apiKeyKey(hash))).value !== null;
}

const passwordIn = (text: string) => /\(demo@marquee\.example, (\S+)\)/.exec(text)?.[1];

Deno.test("two starts at once make one brand, and what each of them says works", async () => {
  await using t = await demoService();
  const said = await Promise.all([greeted(t), greeted(t)]);
  const { kv } = t.service;
  const [brand, ...others] = await listBrands(kv);
  assertEquals(others, []);
  assertEquals((await listSocialAccounts(kv, brand!.id)).length, 3);
  for (const text of said) {
    assert(await worksAt(t, text));
    assert(await signIn(kv, "demo@marquee.example", passwordIn(text)!));
  }
  assertMatch(await greeted(t), /begins with mq_[0-9A-Za-z]{5};/);
  assert(!JSON.stringify((await kv.get(["demo"])).value).includes("password"));
});

Deno.test("a key and a password that were never shown are shown by the next start", async () => {
  await using t = await demoService();
  const killed = demo(t.service, t.worker, () => Promise.reject(new Error("killed")));
  await killed.then(() => assert(false), () => {});
  const text = await greeted(t);
  assert(await worksAt(t, text));
  assert(await signIn(t.service.kv, "demo@marquee.example", passwordIn(text)!));
  assertEquals((await listBrands(t.service.kv)).length, 1);
  assertMatch(await greeted(t), /begins with mq_[0-9A-Za-z]{5};/);
});

Deno.test("an account that has the demo's email already owns the demo, with its own password", async () => {
  await using t = await demoService();
  const { kv, now } = t.service;
  const sign = { email: "demo@marquee.example", password: "chosen before" };
  const { id } = await createAccount(kv, now, sign);
  const text = await greeted(t);
  assert(await worksAt(t, text));
  assertEquals(passwordIn(text), undefined);
  assertEquals((await listBrands(kv)).map(({ accountId }) => accountId), [id]);
  assertEquals((await signIn(kv, sign.email, sign.password))?.id, id);
});

/** Waits until `look` finds what it looks for. */
async function until(
  look: () => Promise<boolean> | boolean,
  service: ServiceProcess,
): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!await look()) {
    assert(performance.now() < giveUpAt && !service.isEnded, "it never comes");
    await new Promise((done) => setTimeout(done, 5));
  }
}

Deno.test("dev that was killed again and again while it seeded greets at the next start", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-demo-" });
  const kv = await Deno.openKv(`${dataDir}/kv.sqlite3`);
  const holds = (prefix: Deno.KvKey) => async () => (await listValues(kv, prefix)).length > 0;
  const moments: [Deno.KvKey, Deno.Signal][] = [
    [["accountByEmail"], "SIGKILL"],
    [["social"], "SIGTERM"],
    [["job"], "SIGKILL"],
    [["post"], "SIGINT"],
  ];
  for (const [prefix, signal] of moments) {
    const service = launch({ dataDir, mode: "dev" });
    await until(holds(prefix), service);
    await service.stop(signal);
  }
  await using service = launch({ dataDir, mode: "dev" });
  await until(() => service.printed.includes('perPage=1"\n'), service);
  const { code, output } = await service.stop();
  assertEquals(code, 0);
  assertMatch(output, new RegExp(`Marquee runs at ${service.url}\n`));
  assertMatch(output, /demo key +mq_[0-9A-Za-z]{49}\n/);
  assertEquals(output.match(/^curl /gm)?.length, 3);
  const [brand, ...others] = await listBrands(kv);
  assertEquals(others, []);
  assertEquals((await listSocialAccounts(kv, brand!.id)).length, 3);
  assert((await listApiKeys(kv, brand!.id)).length > 0);
  kv.close();
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("a demo that can't be seeded doesn't end the service", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-demo-" });
  const kv = await Deno.openKv(`${dataDir}/kv.sqlite3`);
  await kv.set(["demo"], { brandId: "brd_gone", email: "demo@marquee.example", keyPrefix: null });
  kv.close();
  {
    await using service = await startProcess({ dataDir, mode: "dev" });
    await until(() => service.printed.includes('"event":"demo"'), service);
    const answer = await fetch(`${service.url}/healthz`);
    assertEquals((await answer.json()).status, "ok");
    assertEquals((await service.stop()).code, 0);
  }
  await Deno.remove(dataDir, { recursive: true });
});
