/** `admin backup` of a live service, and `admin restore`: the same posts, images and queue. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { backUp } from "../../domain/service/backup.ts";
import { admin, type ServiceProcess, startProcess } from "../support/process.ts";
import { testService } from "../support/service.ts";
import type { Json } from "../support/json.ts";

async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "marquee-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Calls with a brand's key; waits when the brand is over its limit. */
function caller({ url }: ServiceProcess, secret: string) {
  return async (path: string, body?: object): Promise<Json> => {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    for (;;) {
      const answer = await fetch(`${url}${path}`, {
        headers,
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      if (answer.status !== 429) return await answer.json();
      await answer.body?.cancel();
      await new Promise((done) => setTimeout(done, 100));
    }
  };
}

async function every(call: (path: string) => Promise<Json>, path: string): Promise<Json[]> {
  const all: Json[] = [];
  for (let page = 1;; page++) {
    const { data, pagination } = await call(`${path}?perPage=100&page=${page}`);
    all.push(...data);
    if (page >= pagination.pageCount) return all;
  }
}

const bytesAt = async (url: string) => await (await fetch(url)).bytes();

/** The painter is quickest at animals. */
const BODY = { prompt: "A dog", idea: "dog", aspectRatio: "square" };

const QUEUED = 16;

Deno.test("a backup of a live service under writes, restored, serves the same posts, images and queue", async () => {
  await using old = await folder();
  await using to = await folder();
  await using fresh = await folder();
  const environ = { SANDBOX: "on" };
  await using live = await startProcess({ dataDir: old.path, environ });
  const brand = await admin(old.path, ["brand", "create", "--name", "B", "--plan", "studio"]);
  const { secret } = await admin(old.path, [
    ...["key", "create", "--brand", brand.id],
    ...["--scopes", "postsRead,createRead,createWrite"],
  ]);
  const connect = ["social", "connect", "--brand", brand.id, "--platform", "youtube"];
  await admin(old.path, [...connect, "--sandbox", "acme"]);
  await admin(old.path, ["pass", "run", "metrics"]);
  const call = caller(live, secret);

  // Orders images all the time, so commits, painting and a filling queue are under way during the backup.
  let writing = true;
  let ordered = 0;
  const order = async () => {
    assertEquals((await call("/v1/creations", BODY)).status, "pending");
    ordered++;
  };
  const writer = (async () => {
    while (writing) {
      await order();
      await new Promise((done) => setTimeout(done, 300));
    }
  })();
  const isComplete = ({ status }: Json) => status === "complete";
  while (!(await every(call, "/v1/creations")).some(isComplete)) {
    await new Promise((done) => setTimeout(done, 100));
  }
  // More than a quick machine paints until the backup begins.
  await Promise.all(Array.from({ length: QUEUED }, order));
  const orderedBefore = ordered;
  const report = await admin(old.path, ["backup", "--to", `${to.path}/monday`]);
  const orderedAfter = ordered;
  writing = false;
  await writer;
  assert(orderedAfter > orderedBefore, "the service took writes during the backup");
  assertEquals(report.missing, 0);

  const restored = await admin(fresh.path, ["restore", "--from", `${to.path}/monday`]);
  assertEquals([restored.entries, restored.images], [report.entries, report.images]);
  // Before a process begins to work on it.
  const queue = await admin(fresh.path, ["jobs", "list"]);
  assert(queue.some(({ kind }: Json) => kind === "generate"), "the queue was not empty");
  await using again = await startProcess({ dataDir: fresh.path, environ });
  const callAgain = caller(again, secret);
  const posts = await every(callAgain, "/v1/posts");
  assert(posts.length > 30);
  const plain = (list: Json[]) => list.map(({ metrics: _, ...rest }) => rest);
  const withPort = (text: string) => text.replaceAll(again.url, live.url);
  const before = JSON.stringify(plain(await every(call, "/v1/posts")));
  assert(withPort(JSON.stringify(plain(posts))) === before, "the same posts");

  const creations = await every(callAgain, "/v1/creations");
  assert(creations.length >= orderedBefore && creations.length <= orderedAfter + 1);
  const { used } = await callAgain("/v1/credits");
  assertEquals(used, creations.length, "one instant: each creation with its debit");
  const done = creations.find(isComplete);
  const { url } = await call(`/v1/creations/${done.id}`);
  assert((await bytesAt(url)).join() === (await bytesAt(done.url)).join(), "the same image");
  await live.stop();
  const pending = async () =>
    (await every(callAgain, "/v1/creations")).filter((each) => !isComplete(each)).length;
  while (await pending() > 0) await new Promise((done) => setTimeout(done, 200));
  const accounts = await admin(fresh.path, ["pass", "run", "metrics"]);
  assertEquals([accounts.accounts, accounts.failed], [1, 0], "the tokens can be read");
  await again.stop();
});

Deno.test("an incomplete or changed backup, and a store that is not empty, are refused", async () => {
  await using old = await folder();
  await using to = await folder();
  await using fresh = await folder();
  await admin(old.path, ["brand", "create", "--name", "B", "--plan", "free"]);
  const dir = `${to.path}/backup`;
  const refused = async (dataDir: string, reason: RegExp) => {
    const call = () => admin(dataDir, ["restore", "--from", dir]);
    const error = await assertRejects(call, Error);
    assertMatch(error.message, /"code":"conflict"/);
    assertMatch(error.message, reason);
  };
  await refused(fresh.path, /is no backup, or it was interrupted/);
  await admin(old.path, ["backup", "--to", dir]);
  await refused(old.path, /has a store already/);
  const twice = await assertRejects(() => admin(old.path, ["backup", "--to", dir]), Error);
  assertMatch(twice.message, /new or empty folder/);

  const manifest = await Deno.readTextFile(`${dir}/backup.json`);
  await Deno.remove(`${dir}/backup.json`);
  await refused(fresh.path, /interrupted/);
  await Deno.writeTextFile(`${dir}/backup.json`, manifest.slice(0, 40));
  await refused(fresh.path, /damaged/);
  await Deno.writeTextFile(`${dir}/backup.json`, manifest);
  const store = await Deno.readFile(`${dir}/kv.sqlite3`);
  await Deno.writeFile(`${dir}/kv.sqlite3`, store.with(500, store[500]! ^ 1));
  await refused(fresh.path, /kv.sqlite3 was changed/);
  assertEquals(await Array.fromAsync(Deno.readDir(fresh.path)), [], "nothing was written");
  await Deno.writeFile(`${dir}/kv.sqlite3`, store);
  assertEquals((await admin(fresh.path, ["restore", "--from", dir])).images, 0);
  assertEquals((await admin(fresh.path, ["brand", "list"])).length, 1);
});

Deno.test("a backup is for its owner's eyes, and only of the embedded store", async () => {
  await using to = await folder();
  await using dir = await folder();
  await admin(dir.path, ["brand", "create", "--name", "B", "--plan", "free"], { SECRET_KEY: "" });
  await admin(dir.path, ["backup", "--to", `${to.path}/b`], { SECRET_KEY: "" });
  const mode = async (path: string) => ((await Deno.stat(path)).mode ?? 0) & 0o777;
  assertEquals(await mode(`${to.path}/b`), 0o700);
  for (const name of ["kv.sqlite3", "images.jsonl", "backup.json", "secret.key"]) {
    assertEquals(await mode(`${to.path}/b/${name}`), 0o600, name);
  }
  assertEquals(
    await Deno.readTextFile(`${to.path}/b/secret.key`),
    await Deno.readTextFile(`${dir.path}/secret.key`),
  );
  await using t = await testService();
  const settings = { ...t.service.settings, KV_URL: "http://127.0.0.1:1" };
  const remote = () => backUp({ ...t.service, settings }, `${to.path}/c`);
  await assertRejects(remote, Error, "Another server has this one");
});
