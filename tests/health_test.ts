/** `/healthz`: what an operator's probe sees. */
import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../domain/calendar.ts";
import { transact } from "../domain/kv.ts";
import { runDuePasses, runPass } from "../jobs/passes.ts";
import { Worker } from "../jobs/worker.ts";
import { mcpFace } from "../mcp/server.ts";
import { createApp } from "../routes/app.ts";
import { testService } from "./service.ts";

async function health(t: Awaited<ReturnType<typeof testService>>) {
  const answer = await t.request(null, "/healthz");
  return { status: answer.status, body: await answer.json() };
}

Deno.test("health names store, jobs, accounts and when each pass last finished", async () => {
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

Deno.test("jobs are counted by their state, with the age of the oldest that waits", async () => {
  await using t = await testService();
  const { kv, jobs } = t.service;
  const add = (kind: string, after = 0) => {
    const job = { kind, brandId: null, subject: {}, dueAt: t.service.now() + after };
    return transact(kv, (commit) => jobs.add(commit, job));
  };
  const counts = async () => (await health(t)).body.jobs;
  const busy = Promise.withResolvers<void>();
  const base = { concurrency: 1, maxAttempts: 1, backoff: () => 0 };
  const worker = new Worker(t.service, {
    good: { ...base, run: () => busy.promise },
    bad: { ...base, run: () => Promise.reject(new Error("no luck")) },
  });
  for (const kind of ["good", "good", "bad", "bad"]) await add(kind);
  await add("good", HOUR);
  assertEquals(await counts(), { waiting: 5, running: 0, dead: 0, oldestDueSeconds: 0 });
  const done = worker.drain();
  while ((await jobs.list("dead")).length < 2) continue;
  t.turn(7_900);
  assertEquals(await counts(), { waiting: 2, running: 1, dead: 2, oldestDueSeconds: 7 });
  busy.resolve();
  await done;
  assertEquals(await counts(), { waiting: 1, running: 0, dead: 2, oldestDueSeconds: 0 });
  for (const { id } of await jobs.list("dead")) await jobs.retry(id);
  assertEquals(await counts(), { waiting: 3, running: 0, dead: 0, oldestDueSeconds: 0 });
  await t.service.kv.set(["due", "earlier", t.service.now(), "job"], null);
  assertEquals((await counts()).waiting, 4);
});

Deno.test("a crowd costs two looks at the store, and sees what was done before it asked", async () => {
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
  const job = { kind: "work", brandId: null, subject: {} };
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
