/** Durable jobs: leases, back-off, the dead, giving back at a shutdown, queue and poll mode. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { SYSTEM } from "../../domain/kv/audit.ts";
import { MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { Jobs } from "../../domain/kv/jobs/jobs.ts";
import { transact } from "../../domain/kv/transact.ts";
import { MOST_LOST_LEASES } from "../../jobs/claim.ts";
import { NonRetryableError, Snooze } from "../../jobs/handler.ts";
import { LEASE_MS } from "../../jobs/lease.ts";
import { Worker } from "../../jobs/worker.ts";
import { addJob as add, BASE, onlyJob as only, type Run, workerFor } from "../support/jobs.ts";
import { testService } from "../support/service.ts";

Deno.test("a job runs once and is gone with its effect", async () => {
  await using t = await testService();
  let runs = 0;
  const worker = workerFor(t.service, {
    run: async (service, run) => {
      runs++;
      await transact(service.kv, async (commit) => {
        commit.set(["effect"], runs);
        await run.finish(commit);
      });
    },
  });
  await add(t);
  await worker.drain();
  await worker.drain();
  assertEquals(runs, 1);
  assertEquals(await only(t), undefined);
});

Deno.test("a job waits for its time, and the earliest goes first", async () => {
  await using t = await testService();
  const order: string[] = [];
  const worker = workerFor(t.service, {
    run: (_, run) => Promise.resolve(void order.push(run.job.id)),
  });
  const now = t.service.now();
  await add(t, { id: "later", dueAt: now + 2 * MINUTE });
  await add(t, { id: "sooner", dueAt: now + MINUTE });
  await worker.drain();
  assertEquals(order, []);
  t.turn(3 * MINUTE);
  await worker.drain();
  assertEquals(order, ["sooner", "later"]);
});

Deno.test("a job with a fixed id lives once", async () => {
  await using t = await testService();
  await Promise.all([add(t, { id: "one" }), add(t, { id: "one" }), add(t, { id: "one" })]);
  assertEquals((await t.service.jobs.list()).length, 1);
});

Deno.test("many workers at once run every job exactly once, each within its limit", async () => {
  await using t = await testService();
  const runs = new Map<string, number>();
  const running = new Map<Worker, number>();
  let most = 0;
  const workers: Worker[] = [];
  for (let n = 0; n < 4; n++) {
    const worker: Worker = workerFor(t.service, {
      concurrency: 3,
      run: async (_, run) => {
        running.set(worker, (running.get(worker) ?? 0) + 1);
        most = Math.max(most, running.get(worker)!);
        await new Promise((done) => setTimeout(done, 1));
        runs.set(run.job.id, (runs.get(run.job.id) ?? 0) + 1);
        running.set(worker, running.get(worker)! - 1);
      },
    });
    workers.push(worker);
  }
  const ids = await Promise.all(Array.from({ length: 60 }, () => add(t)));
  await Promise.all(workers.map((worker) => worker.drain()));
  assertEquals([...runs.keys()].toSorted(), ids.toSorted());
  assertEquals([...runs.values()].every((count) => count === 1), true);
  assert(most <= 3);
});

Deno.test("a failing job backs off by a pure function, then is dead, visible and retryable", async () => {
  await using t = await testService();
  let buried = "";
  let broken = true;
  const worker = workerFor(t.service, {
    run: () => broken ? Promise.reject(new Error("no luck")) : Promise.resolve(),
    onDead: (_, commit, job, reason) => {
      commit.set(["buried"], job.id);
      return Promise.resolve(void (buried = reason));
    },
  });
  const id = await add(t);
  const waits: number[] = [];
  for (let attempt = 1; attempt < 3; attempt++) {
    await worker.drain();
    const job = (await only(t))!;
    assertEquals([job.state, job.attempts, job.error], ["waiting", attempt, "no luck"]);
    waits.push(job.dueAt - t.service.now());
    t.turn(waits.at(-1)!);
  }
  await worker.drain();
  assertEquals(waits, [10 * SECOND, 20 * SECOND]);
  assertEquals([(await only(t))!.state, buried], ["dead", "no luck"]);
  assertEquals((await t.service.kv.get(["buried"])).value, id);

  broken = false;
  assertEquals((await t.service.jobs.retry(SYSTEM, id)).state, "waiting");
  await assertRejects(() => t.service.jobs.retry(SYSTEM, id), ServiceError);
  await worker.drain();
  assertEquals(await only(t), undefined);
});

Deno.test("a job that can't be retried is dead at once; a snoozed one spends no attempt", async () => {
  await using t = await testService();
  await add(t, { id: "final" });
  await workerFor(t.service, { run: () => Promise.reject(new NonRetryableError("never")) }).drain();
  assertEquals([(await only(t))!.state, (await only(t))!.attempts], ["dead", 1]);
  await using other = await testService();
  await add(other);
  const until = other.service.now() + MINUTE;
  await workerFor(other.service, { run: () => Promise.reject(new Snooze(until)) }).drain();
  const { state, attempts, dueAt } = (await only(other))!;
  assertEquals([state, attempts, dueAt], ["waiting", 0, until]);
});

Deno.test("a lost worker's job runs again when its lease has expired, and the late run has no effect", async () => {
  await using t = await testService();
  const blocked = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const effect = (name: string): Run => async (service, run) => {
    if (name === "late") {
      started.resolve();
      await blocked.promise;
    }
    await transact(service.kv, async (commit) => {
      const effects = await commit.get<string[]>(["effects"]) ?? [];
      commit.set(["effects"], [...effects, name]);
      await run.finish(commit);
    });
  };
  const late = workerFor(t.service, { run: effect("late") });
  const second = workerFor(t.service, { run: effect("second") });
  await add(t);
  const lateDone = late.drain();
  await started.promise;
  await second.drain();
  assertEquals((await t.service.kv.get(["effects"])).value, null, "the lease holds");
  t.turn(LEASE_MS + 1);
  await second.drain();
  blocked.resolve();
  await lateDone;
  assertEquals((await t.service.kv.get(["effects"])).value, ["second"]);
  assertEquals(await only(t), undefined);
});

Deno.test("a job that takes its worker down each time is given up and says so", async () => {
  await using t = await testService();
  let buried = 0;
  await add(t);
  const hung = Promise.withResolvers<void>();
  const workers: Promise<void>[] = [];
  for (let n = 0; n <= MOST_LOST_LEASES + 1; n++) {
    const worker = workerFor(t.service, {
      run: () => hung.promise,
      onDead: () => Promise.resolve(void buried++),
    });
    workers.push(worker.drain());
    const seen = async () => {
      const { state, lostLeases } = (await only(t))!;
      return state === "dead" || (state === "running" && lostLeases === n);
    };
    while (!await seen()) await new Promise((done) => setTimeout(done, 1));
    t.turn(LEASE_MS + 1);
  }
  const job = (await only(t))!;
  assertEquals([job.state, buried], ["dead", 1]);
  assert(job.error?.startsWith("Given up"));
  hung.resolve();
  await Promise.all(workers);
  assertEquals((await only(t))!.state, "dead");
});

Deno.test("a shutdown hands running work back at once and leaves the rest", async () => {
  await using t = await testService();
  const started = Promise.withResolvers<void>();
  const worker = workerFor(t.service, {
    run: (_, run) => {
      started.resolve();
      return new Promise((_, fail) => {
        run.signal.addEventListener("abort", () => fail(run.signal.reason));
      });
    },
  });
  await add(t);
  await add(t);
  worker.start();
  await started.promise;
  await worker.stop(0);
  const jobs = await t.service.jobs.list();
  assertEquals(jobs.map(({ state, attempts }) => [state, attempts]), [["waiting", 0], [
    "waiting",
    0,
  ]]);
  let runs = 0;
  await workerFor(t.service, { run: () => Promise.resolve(void runs++) }).drain();
  assertEquals(runs, 2);
});

Deno.test("a full kind does not hold up the others", async () => {
  await using t = await testService();
  const blocked = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();
  for (let n = 0; n < 50; n++) await add(t);
  const job = { kind: "deliver", brandId: "brand", subject: { deliveryId: "other" } } as const;
  await transact(t.service.kv, (commit) => t.service.jobs.add(commit, job));
  const worker = new Worker(t.service, {
    sweepFiles: { ...BASE, run: () => blocked.promise },
    deliver: { ...BASE, run: () => Promise.resolve(other.resolve()) },
  });
  const done = worker.drain();
  await other.promise;
  blocked.resolve();
  await done;
  assertEquals(await only(t), undefined);
});

for (const mode of ["queue", "poll"]) {
  Deno.test(`JOBS=${mode}: an added job wakes the worker and runs once`, async () => {
    await using t = await testService({ environ: { JOBS: mode } });
    const ran = Promise.withResolvers<void>();
    let runs = 0;
    const worker = workerFor(t.service, {
      run: () => {
        runs++;
        return Promise.resolve(ran.resolve());
      },
    });
    worker.start();
    const startedAt = performance.now();
    await add(t);
    await ran.promise;
    assert(performance.now() - startedAt < 1_500, "woken, not swept");
    await worker.stop(1_000);
    assertEquals([runs, await only(t)], [1, undefined]);
  });
}

Deno.test("in queue mode a message wakes a worker that was told nothing in its process", async () => {
  await using t = await testService({ environ: { JOBS: "queue" } });
  const ran = Promise.withResolvers<void>();
  const worker = workerFor(t.service, { run: () => Promise.resolve(ran.resolve()) });
  worker.start();
  const startedAt = performance.now();
  // As in another process, whose commits wake nobody here.
  const jobs = new Jobs(t.service.kv, t.service.now, { queue: true });
  await add({ service: { ...t.service, jobs } });
  await ran.promise;
  assert(performance.now() - startedAt < 1_500, "woken by the queue, not by the sweep");
  await worker.stop(0);
});
