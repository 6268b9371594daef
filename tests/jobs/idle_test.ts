/** A process without work: how little it reads, and what it finds all the same. */
import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import { Jobs } from "../../domain/kv/jobs/jobs.ts";
import { correctNextDue, readNextDue } from "../../domain/kv/jobs/next_due.ts";
import { claimPass, finishPass, notePassAdded, PASS_NAMES } from "../../domain/kv/passes.ts";
import { transact } from "../../domain/kv/transact.ts";
import { LEASE_MS } from "../../jobs/lease.ts";
import { startWork } from "../../jobs/work.ts";
import { IDLE_MS } from "../../jobs/worker.ts";
import { addJob, workerFor } from "../support/jobs.ts";
import { countCalls } from "../support/kv_calls.ts";
import { type TestService, testService } from "../support/service.ts";

/** The service as another process has it: its commits wake nobody here. */
function otherProcess({ service }: TestService) {
  const jobs = new Jobs(service.kv, service.now, { queue: false });
  return { service: { ...service, jobs } };
}

/** A worker that counts its runs, and has looked around already. */
async function idleWorker(t: TestService) {
  const seen = { runs: 0 };
  const worker = workerFor(t.service, { run: () => Promise.resolve(void seen.runs++) });
  await worker.check();
  return { worker, seen };
}

/** Waits until nothing is left to do. */
async function allDone({ service }: TestService): Promise<void> {
  while ((await service.jobs.list()).length > 0) await new Promise((done) => setTimeout(done, 1));
}

Deno.test("an idle process reads at most 0.2 times a second, whatever waits for later", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  for (let n = 0; n < 20; n++) await addJob(t, { dueAt: now() + HOUR });
  for (const name of PASS_NAMES) {
    assertEquals(await claimPass(kv, name, now()), true);
    await notePassAdded(kv, name);
    await finishPass(kv, name, now());
  }
  const work = startWork(t.service);
  await work.worker.drain();
  await work.worker.check();
  const calls = countCalls(kv);
  assertEquals(await work.worker.check(), IDLE_MS);
  assertEquals(calls.reads, 1, "a check");
  // Once a minute every line of the schedule calls.
  await Promise.all(PASS_NAMES.map(() => work.runDue()));
  const sweep = calls.reads - 1;
  assertEquals([sweep, calls.commits], [1, 0], "a sweep");
  const eachMinute = MINUTE / IDLE_MS + sweep;
  assert(eachMinute / 60 <= 0.2, `${eachMinute} a minute`);
  await work.stop(0);
});

Deno.test("a job that another process adds is found at the next check", async () => {
  await using t = await testService();
  const { worker, seen } = await idleWorker(t);
  await addJob(otherProcess(t));
  assert(await worker.check() <= IDLE_MS);
  await allDone(t);
  assertEquals(seen.runs, 1);
  await worker.stop(0);
});

Deno.test("the next check is when the first job is due, also one that was put off", async () => {
  await using t = await testService();
  const { worker } = await idleWorker(t);
  await addJob(otherProcess(t), { id: "late", dueAt: t.service.now() + HOUR });
  assertEquals(await worker.check(), IDLE_MS);
  await addJob(otherProcess(t), { id: "soon", dueAt: t.service.now() + 3 * SECOND });
  assertEquals(await worker.check(), 3 * SECOND);
  // Asked for in a hurry, the late one is due at once.
  await addJob(otherProcess(t), { id: "late", hurry: true });
  assertEquals((await readNextDue(t.service.kv)).at, t.service.now());
  await worker.stop(0);
});

Deno.test("a lease that runs out is found without being told", async () => {
  await using t = await testService();
  const hung = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const lost = workerFor(t.service, {
    run: () => {
      started.resolve();
      return hung.promise;
    },
  });
  await addJob(t);
  lost.wake();
  await started.promise;
  const { worker, seen } = await idleWorker(t);
  await worker.check();
  assertEquals((await readNextDue(t.service.kv)).at, t.service.now() + LEASE_MS);
  t.turn(LEASE_MS);
  await worker.check();
  await allDone(t);
  assertEquals(seen.runs, 1);
  hung.resolve();
  await Promise.all([lost, worker].map((each) => each.stop(0)));
});

Deno.test("a correction gives way to a commit that adds a job meanwhile", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  await addJob(t, { dueAt: now() + HOUR });
  const seen = await readNextDue(kv);
  await addJob(t, { dueAt: now() + MINUTE });
  // What was listed before that commit would hide the new job.
  await correctNextDue(kv, { ...seen, at: 0 });
  assertEquals((await readNextDue(kv)).at, now() + MINUTE);
});

Deno.test("adding jobs of many processes at once never conflicts over the value", async () => {
  await using t = await testService();
  const { kv, now } = t.service;
  let attempts = 0;
  const count = 50;
  await Promise.all(Array.from({ length: count }, (_, n) =>
    transact(kv, async (commit) => {
      attempts++;
      const subject = { reservationId: "file" };
      const job = { kind: "sweepFiles", brandId: "b", subject, dueAt: now() + n } as const;
      await t.service.jobs.add(commit, job);
    })));
  assertEquals([attempts, (await readNextDue(kv)).at], [count, now()]);
});

Deno.test("in the store of an earlier version, which noted nothing, jobs are found all the same", async () => {
  await using t = await testService();
  await addJob(otherProcess(t));
  await t.service.kv.delete(["nextDue"]);
  const { worker, seen } = await idleWorker(t);
  await allDone(t);
  assertEquals(seen.runs, 1);
  await worker.stop(0);
});
