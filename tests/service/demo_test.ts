/** The demo of `dev`: killed at any moment, begun twice at once or hindered, the next start ends well. */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { apiKeyKey, hashSecret, listApiKeys, revokeApiKey } from "../../domain/brands/keys.ts";
import { accountByEmail, createAccount } from "../../domain/brands/accounts.ts";
import { listBrands } from "../../domain/brands/brands.ts";
import { listValues, reader } from "../../domain/kv/transact.ts";
import { listSocialAccounts } from "../../domain/platforms/accounts.ts";
import { demo, seedPast } from "../../jobs/demo/demo.ts";
import type { SandboxAccount } from "../../domain/platforms/sandbox/accounts.ts";
import { publish } from "../../domain/platforms/sandbox/posts.ts";
import type { NewPost } from "../../domain/platforms/sandbox/shape.ts";
import type { Service } from "../../domain/service/service.ts";
import { lazyMcpFace } from "../../mcp/face.ts";
import { createApp } from "../../routes/app.ts";
import { launch, type ServiceProcess, startProcess } from "../support/process.ts";
import { type TestService, testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

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
    assert(await signsIn(t, "demo@marquee.example", passwordIn(text)!));
  }
  const again = await greeted(t);
  assert(await worksAt(t, again));
  assertEquals(passwordIn(again), undefined, "a password is shown once");
  assert(!JSON.stringify((await kv.get(["demo"])).value).includes("password"));
});

Deno.test("every start shows a key that works, the same while it does, and a link that signs in once", async () => {
  await using t = await demoService();
  const said = [await greeted(t), await greeted(t)];
  const [key, same] = said.map((text) => SECRET.exec(text)?.[0]);
  assertEquals(key, same);
  const links = said.map((text) => /http\S+\?token=\S+/.exec(text)?.[0] ?? "");
  assertEquals(new Set(links).size, 2);
  for (const link of links) {
    assertEquals((await t.app.request(link)).status, 303);
    assertEquals((await t.app.request(link)).status, 401);
  }
  const stored = await Array.fromAsync(t.service.kv.list({ prefix: [] }));
  assert(!Deno.inspect(stored, { depth: 9, strAbbreviateSize: 70_000 }).includes(key!));
  const [shown] = await listApiKeys(t.service.kv, (await listBrands(t.service.kv))[0]!.id);
  await revokeApiKey(t.service, shown!.id);
  const other = await greeted(t);
  assert(await worksAt(t, other));
  assertNotEquals(SECRET.exec(other)?.[0], key);
});

Deno.test("the demo's past is a brand's: its own words, images, a playbook, and two posts that wait", async () => {
  await using t = await demoService();
  const key = SECRET.exec(await greeted(t))![0];
  const face = (service: Service) => {
    const app = createApp(service, lazyMcpFace(service));
    return (request: Request) => app.fetch(request);
  };
  const get = async (path: string): Promise<Json> => await (await t.call(key, path)).json();
  const before = await get("/v1/posts?perPage=1");
  const stopped = { ...t.service, stopping: AbortSignal.abort() };
  await seedPast(stopped, face, 1).then(() => assert(false, "it wasn't interrupted"), () => {});
  assertEquals((await get("/v1/series")).data, [], "an interrupted past left something behind");
  // Published while the past is lived: neither takes the other's place.
  const [account] = await Array.fromAsync(
    t.service.kv.list({ prefix: ["sandbox", "instagram", "handle"] }),
  );
  await publishInSandbox(t, account!.value as SandboxAccount);
  await seedPast(t.service, face, 2);
  await seedPast(t.service, face, 2);

  const [manual, autopilot, ...others] = (await get("/v1/series")).data;
  assertEquals([manual.mode, autopilot.mode, others.length], ["manual", "autopilot", 0]);
  assertEquals((await get(`/v1/series/${manual.id}`)).items[0].status, "ready");
  const { items, reviews, playbook } = await get(`/v1/series/${autopilot.id}`);
  const counted = Object.groupBy(items as Item[], (item) => item.status);
  assertEquals(counted["held"]?.length, 1);
  assert(counted["published"]!.length >= 4);
  assert(counted["planned"]!.length >= 2);
  assertEquals(reviews.length, 2);
  assert(playbook.directions.length > 0);
  const posts = await get("/v1/posts?perPage=100&platform=instagram");
  const named: string[] = JSON.stringify(reviews).match(/post_[0-9A-Z]{26}/g) ?? [];
  for (const id of new Set(named)) assertEquals((await t.call(key, `/v1/posts/${id}`)).status, 200);
  const after = await get("/v1/posts?perPage=1");
  assertEquals(after.pagination.total, before.pagination.total + counted["published"]!.length);
  assert((await get(`/v1/posts/${posts.data[5].id}`)).snapshots.length > 3);
  const truth = await (await t.app.request("/sandbox/instagram/lanternfold.coffee/posts")).json();
  const public_ = truth.map(({ id }: { id: string }) => id);
  for (const { externalPostId } of counted["published"]!) {
    assert(public_.includes(externalPostId));
  }
  assert(truth.some(({ caption }: { caption: string }) => caption === "Meanwhile"));
  const kinds = (await get("/v1/assets")).data.map(({ kind }: { kind: string }) => kind);
  assertEquals(kinds.sort(), ["inspiration", "inspiration", "logo"]);
  assertEquals((await get("/v1/cast-members")).data.length, 1);
  assert((await get("/v1/posts?q=summer&platform=instagram")).pagination.total > 0);
  assertEquals((await get("/v1/credits")).used, 0);
  assertEquals(await t.service.jobs.list("dead"), []);
});

interface Item {
  status: string;
  externalPostId: string;
}

/** Publishes a post past the service, as its owner would with the platform's own app. */
async function publishInSandbox(t: TestService, account: SandboxAccount): Promise<void> {
  const post: NewPost = {
    ...{ kind: "image", caption: "Meanwhile", wireText: null, title: null, link: null, images: [] },
    ...{ durationSec: null, tags: [], likesHidden: false, commentsOff: false, readings: null },
  };
  await publish(t.service.kv, t.service.now, account, () => Promise.resolve(post));
}

Deno.test("a key and a password that were never shown are shown by the next start", async () => {
  await using t = await demoService();
  const killed = demo(t.service, t.worker, () => Promise.reject(new Error("killed")));
  await killed.then(() => assert(false), () => {});
  const text = await greeted(t);
  assert(await worksAt(t, text));
  assert(await signsIn(t, "demo@marquee.example", passwordIn(text)!));
  assertEquals((await listBrands(t.service.kv)).length, 1);
  assertEquals(passwordIn(await greeted(t)), undefined);
});

Deno.test("an account that has the demo's email already owns the demo, with its own password", async () => {
  await using t = await demoService();
  const { kv } = t.service;
  const sign = { email: "demo@marquee.example", password: "chosen before" };
  const { id } = await createAccount(t.service, sign);
  const text = await greeted(t);
  assert(await worksAt(t, text));
  assertEquals(passwordIn(text), undefined);
  assertEquals((await listBrands(kv)).map(({ accountId }) => accountId), [id]);
  assert(await signsIn(t, sign.email, sign.password));
});

/** Whether the email has an account with that password. */
async function signsIn({ service }: TestService, email: string, password: string) {
  const account = await accountByEmail(reader(service.kv), email);
  return (await service.passwords.check(password, account?.password ?? null)).matches;
}

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
    await until(() => service.printed.includes(" error demo:"), service);
    const answer = await fetch(`${service.url}/healthz`);
    assertEquals((await answer.json()).status, "ok");
    assertEquals((await service.stop()).code, 0);
  }
  await Deno.remove(dataDir, { recursive: true });
});
