/** `/healthz`: what an operator's probe sees. */
import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../domain/calendar.ts";
import { runDuePasses, runPass } from "../jobs/passes.ts";
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
