/** `/healthz`: what an operator's probe sees. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { SYSTEM } from "../../domain/kv/audit.ts";
import { HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { silent } from "../../domain/foundation/log.ts";
import { transact } from "../../domain/kv/transact.ts";
import { SOCIAL_ACCOUNTS } from "../../domain/platforms/accounts.ts";
import { runDuePasses, runPass } from "../../jobs/passes.ts";
import { Worker } from "../../jobs/worker.ts";
import { mcpFace } from "../../mcp/server.ts";
import { createApp } from "../../routes/app.ts";
import { countedKv } from "../support/counted_kv.ts";
import { testService } from "../support/service.ts";

async function health(t: Awaited<ReturnType<typeof testService>>) {
  const answer = await t.request(null, "/healthz");
  return { status: answer.status, body: await answer.json() };
}

Deno.test("health reports store, jobs, accounts and when each pass last finished", async () => {
  await using t = await testService();
  const fresh = await health(t);
  assertEquals(fresh.status, 200);
  assertEquals(fresh.body.passes, { metrics: null, series: null, digest: null });
  const { finishedAt } = await runPass(t.service, t.worker, "series");
  await t.worker.stop(0);
  const { status, body } = await health(t);
  assertEquals(status, 200);
  assertEquals(Object.keys(body), ["status", "version", "kv", "jobs", "passes", "accounts"]);
  assertEquals(body.status, "ok");
  assertEquals(body.kv, "ok");
  assertEquals(body.jobs, { waiting: 0, running: 0, dead: 0, oldestDueSeconds: 0 });
  assertEquals(body.passes, { metrics: null, series: finishedAt, digest: null });
  assertEquals(body.accounts, { connected: 0, expiring: 0, reconnect: 0 });
});

Deno.test("jobs are counted by state, with the age of the oldest waiting one", async () => {
  await using t = await testService();
  const { kv, jobs } = t.service;
  const good = { kind: "deliver", subject: { deliveryId: "good" } } as const;
  const bad = { kind: "sweepFiles", subject: { reservationId: "bad" } } as const;
  const add = (job: typeof good | typeof bad, after = 0) => {
    const dueAt = t.service.now() + after;
    return transact(kv, (commit) => jobs.add(commit, { ...job, brandId: "brand", dueAt }));
  };
  const counts = async () => (await health(t)).body.jobs;
  const busy = Promise.withResolvers<void>();
  const base = { concurrency: 1, maxAttempts: 1, backoff: () => 0 };
  const worker = new Worker(t.service, {
    deliver: { ...base, run: () => busy.promise },
    sweepFiles: { ...base, run: () => Promise.reject(new Error("no luck")) },
  });
  for (const job of [good, good, bad, bad]) await add(job);
  await add(good, HOUR);
  assertEquals(await counts(), { waiting: 5, running: 0, dead: 0, oldestDueSeconds: 0 });
  const done = worker.drain();
  while ((await jobs.list("dead")).length < 2) continue;
  t.turn(7_900);
  assertEquals(await counts(), { waiting: 2, running: 1, dead: 2, oldestDueSeconds: 7 });
  busy.resolve();
  await done;
  assertEquals(await counts(), { waiting: 1, running: 0, dead: 2, oldestDueSeconds: 0 });
  for (const { id } of await jobs.list("dead")) await jobs.retry(SYSTEM, id);
  assertEquals(await counts(), { waiting: 3, running: 0, dead: 0, oldestDueSeconds: 0 });
  await t.service.kv.set(["due", "earlier", t.service.now(), "job"], null);
  assertEquals((await counts()).waiting, 4);
});

Deno.test("a crowd of requests costs two checks, and gets no answer older than its request", async () => {
  await using t = await testService();
  const { kv, jobs } = t.service;
  let looks = 0;
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const counting = Object.assign(Object.create(jobs), {
    async count() {
      looks++;
      began.resolve();
      const counts = await jobs.count();
      await goOn.promise;
      return counts;
    },
  });
  const app = createApp({ ...t.service, jobs: counting }, mcpFace(t.service));
  const ask = async () => (await (await app.request("/healthz")).json()).jobs.waiting;
  const first = ask();
  await began.promise;
  const job = { kind: "deliver", brandId: "brand", subject: { deliveryId: "one" } } as const;
  await transact(kv, (commit) => jobs.add(commit, job));
  const crowd = Promise.all(Array.from({ length: 50 }, ask));
  goOn.resolve();
  assertEquals([...new Set(await crowd)], [1]);
  assertEquals([await first, looks], [0, 2]);
  assertEquals([await ask(), looks], [1, 3]);
});

Deno.test("a pass that missed two periods since the start is named with 503", async () => {
  await using t = await testService();
  t.turn(30 * MINUTE);
  assertEquals((await health(t)).status, 200);
  t.turn(1);
  const series = await health(t);
  assertEquals(series.status, 503);
  assertEquals([series.body.status, series.body.failing], ["failing", ["passes.series"]]);
  t.turn(HOUR);
  assertEquals((await health(t)).body.failing, ["passes.metrics", "passes.series"]);
  await runDuePasses(t.service, t.worker);
  await t.worker.stop(0);
  assertEquals((await health(t)).body.status, "ok");
});

Deno.test("a store that does not answer is named with 503", async () => {
  await using t = await testService();
  const kv = await Deno.openKv(":memory:");
  kv.close();
  const app = createApp({ ...t.service, kv }, mcpFace(t.service));
  const answer = await app.request("/healthz");
  assertEquals(answer.status, 503);
  assertEquals((await answer.json()).failing, ["kv"]);
});

Deno.test("a store that takes no writes is named with 503, and the log names the cause", async () => {
  const full = { is: false, writes: 0 };
  const logged: unknown[] = [];
  const error = (event: string, fields = {}) => void logged.push({ event, ...fields });
  await using t = await testService({ dependencies: { log: { ...silent, error } } });
  const { kv } = t.service;
  const onFullDisk = new Proxy(kv, {
    get(target, name) {
      if (name === "set") {
        return (...args: Parameters<typeof kv.set>) => {
          full.writes++;
          return full.is
            ? Promise.reject(new TypeError("database or disk is full"))
            : kv.set(...args);
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const app = createApp({ ...t.service, kv: onFullDisk }, mcpFace(t.service));
  const ask = async () => {
    const answer = await app.request("/healthz");
    const { failing, kv } = await answer.json();
    return [answer.status, kv, failing];
  };
  assertEquals(await ask(), [200, "ok", undefined]);
  full.is = true;
  assertEquals(await ask(), [200, "ok", undefined]);
  assertEquals(full.writes, 1, "a minute has one test write at most");
  t.turn(MINUTE);
  const failed = [503, "failing", ["kv.write"]];
  assertEquals(await Promise.all([ask(), ask(), ask()]), [failed, failed, failed]);
  assertEquals(full.writes, 2);
  assertEquals(logged.length, 1);
  assertMatch(JSON.stringify(logged), /"health.write".*database or disk is full/);
  full.is = false;
  t.turn(MINUTE);
  assertEquals(await ask(), [200, "ok", undefined]);
});

Deno.test("accounts are counted once a minute, however often health is asked for", async () => {
  await using t = await testService();
  const { kv } = t.service;
  const connect = (id: string) => kv.set([SOCIAL_ACCOUNTS, "brand", id], { status: "connected" });
  for (let n = 0; n < 500; n++) await connect(`a${n}`);
  const counted = countedKv(kv);
  const writing = Object.assign(counted.kv, { set: kv.set.bind(kv) });
  const app = createApp({ ...t.service, kv: writing }, mcpFace(t.service));
  const connected = async () => (await (await app.request("/healthz")).json()).accounts.connected;
  assertEquals(await connected(), 500);
  await connect("another");
  const before = counted.reads();
  assertEquals(await Promise.all([connected(), connected(), connected()]), [500, 500, 500]);
  assert(counted.reads() - before < 50, `${counted.reads() - before} values were read`);
  t.turn(MINUTE);
  assertEquals(await connected(), 501);
});
