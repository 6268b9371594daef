/** The worker: asks that come while a job runs, room that opens while it looks, a queue it can't hear. */
import { assertEquals, assertMatch } from "@std/assert";
import { MINUTE, SECOND } from "../domain/calendar.ts";
import type { NewJob } from "../domain/jobs.ts";
import { transact } from "../domain/kv.ts";
import { createLog } from "../domain/log.ts";
import type { Service } from "../domain/service.ts";
import { exponential, type Handler, Hopeless, Postponed } from "../jobs/queue.ts";
import { Worker } from "../jobs/worker.ts";
import { type TestService, testService } from "./service.ts";

const base = { concurrency: 1, maxAttempts: 3, backoff: exponential(10 * SECOND, MINUTE) };

function add(t: TestService, extra: Partial<NewJob> = {}): Promise<string> {
  const job = { kind: "work", brandId: null, subject: {}, ...extra };
  return transact(t.service.kv, (commit) => t.service.jobs.add(commit, job));
}

/** One job of a kind at a time. */
function workerOf(service: Service, kinds: Record<string, Handler["run"]>): Worker {
  const handlers = Object.entries(kinds).map(([kind, run]) => [kind, { ...base, run }]);
  return new Worker(service, Object.fromEntries(handlers));
}

/** The service, whose store does one thing in another way. */
function changed(service: Service, name: keyof Deno.Kv, other: unknown): Service {
  const kv = new Proxy(service.kv, {
    get(store, asked) {
      if (asked === name) return other;
      const value: unknown = Reflect.get(store, asked, store);
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
  return { ...service, kv };
}

for (const end of ["finishes", "fails", "is hopeless", "is put off"]) {
  Deno.test(`what is asked for while the job runs is done once more, also when that one ${end}`, async () => {
    await using t = await testService();
    const asks: string[] = [];
    const worker = workerOf(t.service, {
      work: async (_, run) => {
        asks.push(run.job.subject["ask"]!);
        if (asks.length > 1) return;
        await add(t, { id: "one", subject: { ask: "pass" } });
        for (const ask of ["second", "third"]) {
          await add(t, { id: "one", subject: { ask }, hurry: true });
        }
        if (end === "fails") throw new Error("no luck");
        if (end === "is hopeless") throw new Hopeless("never");
        if (end === "is put off") throw new Postponed(t.service.now() + MINUTE);
      },
    });
    await add(t, { id: "one", subject: { ask: "first" } });
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
  const service = changed(
    t.service,
    "list",
    async function* (
      selector: { prefix: Deno.KvKey },
      options?: Deno.KvListOptions,
    ) {
      if (selector.prefix.join() === "due,last" && ++looks === 2) {
        first.resolve();
        while ((await t.service.jobs.list()).some(({ id }) => id === "a")) continue;
        await new Promise((done) => setTimeout(done));
      }
      yield* kv.list(selector, options);
    },
  );
  const worker = workerOf(service, {
    work: async (_, { job }) => {
      ran.push(job.id);
      await (job.id === "a" ? first.promise : second.resolve());
    },
    long: () => second.promise,
    last: () => Promise.resolve(),
  });
  for (const id of ["a", "b"]) await add(t, { id });
  for (const kind of ["long", "last"]) await add(t, { kind });
  await worker.drain();
  assertEquals(ran, ["a", "b"]);
});

Deno.test("a queue that can't be listened to is logged, and the work goes on", async () => {
  const lines: string[] = [];
  const write = (bytes: Uint8Array) => {
    lines.push(new TextDecoder().decode(bytes));
    return Promise.resolve(bytes.length);
  };
  const log = createLog("error", { write }, () => 0);
  await using t = await testService({ environ: { JOBS: "queue" }, doors: { log } });
  const service = changed(
    t.service,
    "listenQueue",
    () => Promise.reject(new Error("no queue here")),
  );
  const ran = Promise.withResolvers<void>();
  const worker = workerOf(service, { work: () => Promise.resolve(ran.resolve()) });
  worker.start();
  await add(t);
  await ran.promise;
  await worker.stop(1_000);
  await log.flush();
  assertMatch(lines.join(""), /"event":"jobs\.listen".*no queue here/);
});
