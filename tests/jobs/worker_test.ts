/** The worker: jobs asked for again while they run, room that opens while it looks, a final stop. */
import { assertEquals, assertMatch } from "@std/assert";
import { MINUTE } from "../../domain/foundation/calendar.ts";
import { Jobs } from "../../domain/kv/jobs/jobs.ts";
import { transact } from "../../domain/kv/transact.ts";
import { createLog } from "../../domain/foundation/log.ts";
import { NonRetryableError, Snooze } from "../../jobs/handler.ts";
import { Worker } from "../../jobs/worker.ts";
import { addJob, BASE, withKv, workerFor } from "../support/jobs.ts";
import { testService } from "../support/service.ts";

for (const end of ["finishes", "fails", "can't be retried", "is snoozed"]) {
  Deno.test(`what is asked for while the job runs is done once more, also when that one ${end}`, async () => {
    await using t = await testService();
    const asks: string[] = [];
    const worker = workerFor(t.service, {
      run: async (_, run) => {
        asks.push(run.job.subject.reservationId);
        if (asks.length > 1) return;
        await addJob(t, { id: "one", ask: "pass" });
        for (const ask of ["second", "third"]) {
          await addJob(t, { id: "one", ask, hurry: true });
        }
        if (end === "fails") throw new Error("no luck");
        if (end === "can't be retried") throw new NonRetryableError("never");
        if (end === "is snoozed") throw new Snooze(t.service.now() + MINUTE);
      },
    });
    await addJob(t, { id: "one", ask: "first" });
    await worker.drain();
    assertEquals(asks, ["first", "third"]);
    assertEquals(await t.service.jobs.list(), []);
  });
}

Deno.test("room that opens while the worker looks is used, though another job runs on", async () => {
  await using t = await testService();
  const { kv } = t.service;
  const ran: string[] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let looks = 0;
  // The first piece of work ends once the worker has found no room for another.
  const service = withKv(
    t.service,
    "list",
    async function* (
      selector: { prefix: Deno.KvKey },
      options?: Deno.KvListOptions,
    ) {
      if (selector.prefix.join() === "due,digest" && ++looks === 2) {
        first.resolve();
        while ((await t.service.jobs.list()).some(({ id }) => id === "a")) continue;
        await new Promise((done) => setTimeout(done));
      }
      yield* kv.list(selector, options);
    },
  );
  const worker = new Worker(service, {
    sweepFiles: {
      ...BASE,
      run: async (_, { job }) => {
        ran.push(job.id);
        await (job.id === "a" ? first.promise : second.resolve());
      },
    },
    deliver: { ...BASE, run: () => second.promise },
    digest: { ...BASE, run: () => Promise.resolve() },
  });
  for (const id of ["a", "b"]) await addJob(t, { id });
  await transact(kv, async (commit) => {
    const { jobs } = t.service;
    const brandId = "brand";
    await jobs.add(commit, { kind: "deliver", brandId, subject: { deliveryId: "d" } });
    const subject = { digestId: "d", passId: "p" };
    await jobs.add(commit, { kind: "digest", brandId, subject });
  });
  await worker.drain();
  assertEquals(ran, ["a", "b"]);
});

Deno.test("a queue that can't be listened to is logged, and the work is done all the same", async () => {
  const lines: string[] = [];
  const write = (bytes: Uint8Array) => {
    lines.push(new TextDecoder().decode(bytes));
    return Promise.resolve(bytes.length);
  };
  const log = createLog("error", { write }, () => 0);
  await using t = await testService({ environ: { JOBS: "queue" }, dependencies: { log } });
  const service = withKv(
    t.service,
    "listenQueue",
    () => Promise.reject(new Error("no queue here")),
  );
  const ran = Promise.withResolvers<void>();
  const jobs = new Jobs(service.kv, service.now, { queue: true });
  const worker = workerFor({ ...service, jobs }, { run: () => Promise.resolve(ran.resolve()) });
  worker.start();
  await addJob({ service: { ...service, jobs } });
  await ran.promise;
  await worker.stop(1_000);
  await log.flush();
  assertMatch(lines.join(""), /"event":"jobs\.listen".*no queue here/);
});
