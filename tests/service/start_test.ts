/** Starting and stopping: one clear line and exit 1 for what can't work; nothing changed by it. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { buildService } from "../../domain/service/build.ts";
import { Jobs } from "../../domain/kv/jobs/jobs.ts";
import { afresh } from "../../domain/kv/jobs/records.ts";
import { silent } from "../../domain/foundation/log.ts";
import { transact } from "../../domain/kv/transact.ts";
import { readMonth } from "../../domain/brands/meter/meter.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import type { Handler } from "../../jobs/handler.ts";
import { Worker } from "../../jobs/worker.ts";
import { BODY } from "../support/creations.ts";
import { OpenAiServer } from "../support/openai_server.ts";
import { admin, freePort, launch, type ProcessOptions, startProcess } from "../support/process.ts";
import { NOON } from "../support/service.ts";

/** A folder of the test's own, gone when it ends. */
async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "marquee-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function assertRefused(options: ProcessOptions, words: string): Promise<void> {
  await using service = launch(options);
  const { code, output } = await service.ended();
  assertEquals(code, 1);
  assertStringIncludes(output, words);
  assertMatch(output.trim(), /^[^\n]+$/);
}

/** A creation that the service has begun: the headers and the address to ask for it with. */
async function startCreation(dataDir: string, base: string) {
  const brand = await admin(dataDir, ["brand", "create", "--name", "B", "--plan", "studio"]);
  const scopes = "createRead,createWrite";
  const key = await admin(dataDir, ["key", "create", "--brand", brand.id, "--scopes", scopes]);
  const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };
  const body = JSON.stringify(BODY);
  const made = await fetch(`${base}/v1/creations`, { method: "POST", headers, body });
  return { headers, url: `${base}/v1/creations/${(await made.json()).id}` };
}

Deno.test("an unreadable setting ends the start with one line that names it", async () => {
  await using dir = await folder();
  const cases: Record<string, Record<string, string>> = {
    PORT: { PORT: "eighty" },
    "PORT: must be": { PORT: "0" },
    KV_URL: { KV_URL: `http://127.0.0.1:${freePort()}`, DENO_KV_ACCESS_TOKEN: "none" },
    BASE_URL: { BASE_URL: "ftp://example.com" },
    JOBS: { JOBS: "sometimes" },
    CLOCK: { CLOCK: "2026-11-20T00:00:00Z" },
    SECRET_KEY: { SECRET_KEY: "" },
    S3_BUCKET: { S3_BUCKET: "media" },
    ALLOW_PRIVATE_HOSTS: { ALLOW_PRIVATE_HOSTS: "127.0.0.1:80, localhost" },
    "ALLOW_PRIVATE_HOSTS: must": { ALLOW_PRIVATE_HOSTS: "localhost:99999" },
  };
  for (const [name, environ] of Object.entries(cases)) {
    await assertRefused({ dataDir: dir.path, environ }, name);
  }
  assertEquals([...Deno.readDirSync(dir.path)], []);
});

Deno.test("a corrupt or foreign database file is refused and left as it was", async () => {
  await using dir = await folder();
  const path = `${dir.path}/kv.sqlite3`;
  await Deno.writeTextFile(path, "this is no database, but a text of some length\n".repeat(40));
  const before = await Deno.readFile(path);
  await assertRefused({ dataDir: dir.path }, path);
  assertEquals(await Deno.readFile(path), before);
  await Deno.remove(path);
  const other = new DatabaseSync(path);
  other.exec("create table guests (name text)");
  other.close();
  const foreign = await Deno.readFile(path);
  await assertRefused({ dataDir: dir.path }, "another program");
  assertEquals(await Deno.readFile(path), foreign);
});

Deno.test("a file that another process is making, or died over, becomes the store", async () => {
  await using dir = await folder();
  const path = `${dir.path}/kv.sqlite3`;
  const half = new DatabaseSync(path);
  half.exec(
    "pragma journal_mode=wal; create table migration_state" +
      "(k integer not null primary key, version integer not null)",
  );
  half.close();
  assert((await Deno.stat(path)).size > 0);
  const settings = readSettings({ DATA_DIR: dir.path }, "dev");
  const stores = await Promise.all(
    Array.from({ length: 4 }, () => openStore(settings, MIGRATIONS)),
  );
  await stores[0]!.set(["a"], 1);
  assertEquals((await stores[3]!.get(["a"])).value, 1);
  for (const kv of stores) kv.close();
});

Deno.test("a store of an older schema is brought up to date and counts on", async () => {
  await using dir = await folder();
  const former = await Deno.openKv(`${dir.path}/kv.sqlite3`);
  const second = Math.floor(NOON / 1_000);
  await former.set(["schema"], 1);
  await former.set(["meter", "a"], { second, inSecond: 3, month: "2026-11", inMonth: 70_000 });
  await former.set(["meter", "b"], { second: 0, inSecond: 0, month: "", inMonth: 0 });
  former.close();
  for (const _ of ["first start", "second start"]) {
    const kv = await openStore(readSettings({ DATA_DIR: dir.path }, "dev"), MIGRATIONS);
    assertEquals([await readMonth(kv, "a", NOON), await readMonth(kv, "b", NOON)], [70_000, 0]);
    assertEquals((await kv.get(["schema"])).value, MIGRATIONS.length + 1);
    kv.close();
  }
});

Deno.test("jobs of a version without turns and without counts get theirs, be they many", async () => {
  await using dir = await folder();
  const settings = readSettings({ DATA_DIR: dir.path, JOBS: "poll" }, "dev");
  const kv = await openStore(settings, MIGRATIONS);
  const service = await buildService({ settings, kv, now: () => NOON, log: silent });
  for (let n = 0; n < 120; n++) {
    const subject = { creationId: "creation", generation: 1 };
    const job = { kind: "generate", brandId: `brand ${n % 3}`, subject } as const;
    await transact(kv, (commit) => service.jobs.add(commit, job));
  }
  for await (const { key } of kv.list({ prefix: ["brandDue"] })) await kv.delete(key);
  const buried = { kind: "deliver", brandId: "brand 0", createdAt: "" } as const;
  const ask = { subject: { deliveryId: "delivery" }, dueAt: 0 };
  const dead = { ...afresh({ id: "job_dead", ...buried }, ask), state: "dead" };
  await kv.set(["job", "job_dead"], dead);
  await kv.set(["schema"], 2);
  kv.close();
  using again = await openStore(settings, MIGRATIONS);
  const jobs = new Jobs(again, () => NOON, { queue: false });
  assertEquals(await jobs.count(), { waiting: 120, running: 0, dead: 1, oldestDue: NOON });
  const ran = new Set<string>();
  const run: Handler<"generate">["run"] = (_, { job }) => Promise.resolve(void ran.add(job.id));
  const generate = { concurrency: 9, maxAttempts: 1, backoff: () => 0, run };
  await new Worker({ ...service, kv: again }, { generate }).drain();
  assertEquals(ran.size, 120);
});

Deno.test("a data directory that can't be written is named", async () => {
  await using dir = await folder();
  await Deno.writeTextFile(`${dir.path}/file`, "");
  await assertRefused({ dataDir: `${dir.path}/file/data` }, `${dir.path}/file/data`);
});

Deno.test("a store that takes no more, as on a full disk, ends the start with one line", async () => {
  await using dir = await folder();
  const path = `${dir.path}/kv.sqlite3`;
  (await openStore(readSettings({ DATA_DIR: dir.path }, "dev"), MIGRATIONS)).close();
  const database = new DatabaseSync(path);
  database.exec(
    "create trigger full before insert on kv begin select raise(abort, 'database or disk is full'); end",
  );
  database.close();
  await assertRefused({ dataDir: dir.path }, "Cannot write to the store: database or disk is full");
});

Deno.test("a port in use is named", async () => {
  await using dir = await folder();
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  await assertRefused({ dataDir: dir.path, port: listener.addr.port }, String(listener.addr.port));
});

Deno.test("a signal to stop lets the request in flight finish", async () => {
  await using dir = await folder();
  await using service = await startProcess({ dataDir: dir.path, port: freePort() });
  const answers = Array.from({ length: 20 }, () => fetch(`${service.url}/v1/openapi.json`));
  await Promise.race(answers);
  const { code } = await service.stop("SIGTERM");
  assertEquals(code, 0);
  for (const answer of await Promise.allSettled(answers)) {
    if (answer.status === "fulfilled") assertEquals((await answer.value.json()).openapi, "3.1.0");
  }
});

Deno.test("a request that waits for an image is answered with what is known when the service stops", async () => {
  await using dir = await folder();
  const hanging = Promise.withResolvers<Response>();
  await using model = new OpenAiServer(() => hanging.promise);
  const environ = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.url };
  await using service = await startProcess({ dataDir: dir.path, environ });
  const { headers, url } = await startCreation(dir.path, service.url);
  const waiting = fetch(`${url}?wait=60`, { headers });
  await (await fetch(url, { headers })).body?.cancel(); // it waits by now
  const [answer, { code }] = await Promise.all([waiting, service.stop("SIGTERM")]);
  assertEquals([answer.status, (await answer.json()).status, code], [200, "pending", 0]);
  hanging.resolve(new Response(null, { status: 500 }));
});

Deno.test("a body on its way when the service stops is taken in and answered", async () => {
  await using dir = await folder();
  const hanging = Promise.withResolvers<Response>();
  await using model = new OpenAiServer(() => hanging.promise);
  const environ = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.url };
  await using service = await startProcess({ dataDir: dir.path, environ });
  const { headers, url } = await startCreation(dir.path, service.url);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const parts = writable.getWriter();
  const kit = new TextEncoder().encode(
    JSON.stringify({ baseStylePrompt: "Warm light.", discordWebhookUrl: "" }),
  );
  const put = fetch(`${service.url}/v1/brand-kit`, { method: "PUT", headers, body: readable });
  await parts.write(kit.slice(0, 10));
  const waiting = fetch(`${url}?wait=60`, { headers });
  await (await fetch(url, { headers })).body?.cancel(); // both are there by now
  const stopped = service.stop("SIGTERM");
  await (await waiting).body?.cancel(); // it is told that the service stops
  hanging.resolve(new Response(null, { status: 500 }));
  void parts.write(kit.slice(10)).then(() => parts.close()).catch(() => {}); // see the answer
  const answer = await put;
  assertEquals([answer.status, (await answer.json()).baseStylePrompt], [200, "Warm light."]);
  assertEquals((await stopped).code, 0);
});

Deno.test("a client that leaves in the middle of its body is no fault of ours", async () => {
  await using dir = await folder();
  await using service = await startProcess({ dataDir: dir.path, environ: { LOG_LEVEL: "info" } });
  const brand = await admin(dir.path, ["brand", "create", "--name", "B", "--plan", "free"]);
  const args = ["key", "create", "--brand", brand.id, "--scopes", "createWrite"];
  const { secret } = await admin(dir.path, args);
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: service.port });
  const encoder = new TextEncoder();
  const head = "PUT /v1/brand-kit HTTP/1.1\r\nHost: marquee\r\nContent-Type: application/json\r\n" +
    `Authorization: Bearer ${secret}\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n`;
  await connection.write(encoder.encode(head));
  // It leaves while its body is read, not before: the server asks for the body then.
  const answer = new Uint8Array(100);
  await connection.read(answer);
  assertMatch(new TextDecoder().decode(answer), /^HTTP\/1\.1 100 /);
  await connection.write(encoder.encode('{"baseStylePrompt":'));
  connection.close();
  await (await fetch(`${service.url}/v1/brand-kit`)).body?.cancel(); // the server noticed meanwhile
  const { output } = await service.stop("SIGTERM");
  assertMatch(output, /"PUT","path":"\/v1\/brand-kit","status":400/);
  assertEquals(output.includes('"fault"'), false, output);
});

Deno.test("without a secret one is made and kept, also where the data directory isn't there yet", async () => {
  await using dir = await folder();
  const settings = readSettings({ DATA_DIR: `${dir.path}/new` }, "dev");
  using kv = await Deno.openKv(":memory:");
  const sealed = await Promise.all([1, 2, 3].map(async () => {
    const { secrets } = await buildService({ settings, kv, now: () => NOON, log: silent });
    return await secrets.seal("token", "soc_1");
  }));
  const { secrets } = await buildService({ settings, kv, now: () => NOON, log: silent });
  for (const one of sealed) assertEquals(await secrets.open(one, "soc_1"), "token");
});
