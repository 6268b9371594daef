/** Stopping a worker is final: once `stop` has resolved, nothing of it touches the store. */
import { assertEquals } from "@std/assert";
import { addJob, BASE, withKv, workerFor } from "../support/jobs.ts";
import { type TestService, testService } from "../support/service.ts";
import { Worker } from "../../jobs/worker.ts";

/** The service, whose store's lists wait for `gate` and are counted. */
function slowLists({ service }: TestService, gate: Promise<void>) {
  const seen = { lists: 0 };
  const asked = Promise.withResolvers<void>();
  const slow = withKv(
    service,
    "list",
    async function* (...args: Parameters<Deno.Kv["list"]>) {
      seen.lists++;
      asked.resolve();
      await gate;
      yield* service.kv.list(...args);
    },
  );
  return { slow, seen, asked: asked.promise };
}

for (const mode of ["drain", "wake"] as const) {
  Deno.test(`stop waits for the look of a ${mode}, which then starts nothing`, async () => {
    await using t = await testService();
    await addJob(t);
    const gate = Promise.withResolvers<void>();
    const { slow, seen, asked } = slowLists(t, gate.promise);
    const run = () => Promise.reject(new Error("ran after stop"));
    const other = { ...BASE, run };
    const worker = new Worker(slow, { sweepFiles: other, deliver: other });
    const drained = mode === "drain" ? worker.drain() : worker.wake();
    await asked;
    let stopped = false;
    const stopping = worker.stop(0).then(() => stopped = true);
    await new Promise((done) => setTimeout(done));
    assertEquals(stopped, false, "resolved while a look was under way");
    gate.resolve();
    await stopping;
    await drained;
    assertEquals(seen.lists, 1, "looked on after it was stopped");
    assertEquals((await t.service.jobs.list()).map(({ state }) => state), ["waiting"]);
  });
}

Deno.test("stop waits for a job that is slow to notice, and hands it back", async () => {
  await using t = await testService();
  await addJob(t);
  const aborted = Promise.withResolvers<void>();
  const noticed = Promise.withResolvers<void>();
  const worker = workerFor(t.service, {
    run: async (_, { signal }) => {
      signal.addEventListener("abort", () => aborted.resolve());
      await noticed.promise;
      signal.throwIfAborted();
    },
  });
  const drained = worker.drain();
  while ((await t.service.jobs.count()).running === 0) continue;
  let stopped = false;
  const stopping = worker.stop(0).then(() => stopped = true);
  await aborted.promise;
  assertEquals(stopped, false);
  noticed.resolve();
  await Promise.all([stopping, drained]);
  const [job] = await t.service.jobs.list();
  assertEquals([job?.state, job?.attempts, job?.lease], ["waiting", 0, null]);
});

Deno.test("a stopped worker stays stopped: no wake-up, drain or added job makes it look", async () => {
  await using t = await testService();
  const { slow, seen } = slowLists(t, Promise.resolve());
  const worker = workerFor(slow, { run: () => Promise.reject(new Error("ran after stop")) });
  worker.start();
  await worker.stop(0);
  const before = seen.lists;
  worker.wake();
  await addJob(t);
  await worker.drain();
  await worker.stop(0);
  assertEquals([seen.lists, (await t.service.jobs.list()).length], [before, 1]);
});

Deno.test("a drain and a wake-up at once keep to the limit of a kind", async () => {
  await using t = await testService();
  for (let n = 0; n < 10; n++) await addJob(t);
  let running = 0;
  let most = 0;
  const worker = workerFor(t.service, {
    run: async () => {
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done));
      running--;
    },
  });
  worker.wake();
  await Promise.all([worker.drain(), worker.drain()]);
  await worker.stop(0);
  assertEquals([most, await t.service.jobs.list()], [1, []]);
});
