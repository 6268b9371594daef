/** Job kinds: what does not fit a kind does not compile, and earlier versions' records still run. */
import { assertEquals } from "@std/assert";
import type { JobKind } from "../../domain/kv/jobs/kinds.ts";
import { isOf } from "../../domain/kv/jobs/job.ts";
import { transact } from "../../domain/kv/transact.ts";
import type { Handler, Handlers } from "../../jobs/handler.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { Worker } from "../../jobs/worker.ts";
import { BASE } from "../support/jobs.ts";
import { testService } from "../support/service.ts";

Deno.test("a kind without a handler, or with another kind's, does not compile", () => {
  const { generate, ...others } = HANDLERS;
  // @ts-expect-error no handler for `generate`
  const incomplete: Handlers = others;
  // @ts-expect-error the handler for `deliver` is no handler for `generate`
  const swapped: Handlers = { ...others, generate: others.deliver };
  const whole: Handlers = { ...others, generate };
  // A new kind is one of the handlers at once: none is left out.
  const covered: [Exclude<JobKind, keyof Handlers>] extends [never] ? true : false = true;
  assertEquals([incomplete, swapped, whole, covered].length, 4);
});

Deno.test("a job whose subject is another kind's does not compile", async () => {
  await using t = await testService();
  const { kv, jobs } = t.service;
  await transact(kv, async (commit) => {
    const brandId = "brand";
    // @ts-expect-error `generate` names a creation
    await jobs.add(commit, { kind: "generate", brandId, subject: { deliveryId: "d" } });
    const subject = { creationId: "c", generation: "1" };
    // @ts-expect-error a generation is a number
    await jobs.add(commit, { kind: "generate", brandId, subject });
    // @ts-expect-error there is no such kind
    await jobs.add(commit, { kind: "translate", brandId, subject: {} });
  });
});

/** Jobs as the version before wrote them: numbers as text, `lapses`, a brand among the ids. */
const FORMER = {
  brandId: "brand",
  state: "waiting",
  attempts: 1,
  lapses: 2,
  startedAt: null,
  lease: null,
  error: "no luck",
  createdAt: "2026-11-20T12:00:00.000Z",
};

Deno.test("a job that an earlier version stored runs, with numbers for its text", async () => {
  await using t = await testService();
  const { kv } = t.service;
  const dueAt = t.service.now();
  const generate = {
    ...FORMER,
    id: "job_g",
    kind: "generate",
    dueAt,
    subject: { creationId: "cre_1", generation: "3" },
    again: { subject: { creationId: "cre_1", generation: "4" }, dueAt },
  };
  const metrics = {
    ...FORMER,
    id: "metrics:soc_1",
    kind: "metrics",
    dueAt,
    subject: { brandId: "brand", accountId: "soc_1", passId: "pass" },
  };
  await kv.set(["job", generate.id], generate);
  await kv.set(["due", "generate", dueAt, generate.id], "waiting");
  await kv.set(["brandDue", "generate", "brand", dueAt, generate.id], "waiting");
  await kv.set(["job", metrics.id], metrics);
  await kv.set(["due", "metrics", dueAt, metrics.id], "waiting");

  const [first] = (await t.service.jobs.list()).filter((job) => isOf("generate", job));
  assertEquals([first?.lostLeases, first?.attempts], [2, 1]);
  const ran: unknown[] = [];
  const seen = <Kind extends JobKind>(): Handler<Kind> => ({
    ...BASE,
    run: (_, { job }) => Promise.resolve(void ran.push(job.subject)),
  });
  await new Worker(t.service, { generate: seen(), metrics: seen() }).drain();
  assertEquals(ran, [
    { creationId: "cre_1", generation: 3 },
    metrics.subject,
    { creationId: "cre_1", generation: 4 },
  ]);
  assertEquals(await t.service.jobs.list(), []);
  for (const prefix of [["due"], ["brandDue"]]) {
    assertEquals(await Array.fromAsync(kv.list({ prefix })), [], "no index entry is left");
  }
});

Deno.test("a running job of an earlier version keeps its count of lost leases", async () => {
  await using t = await testService();
  const dueAt = t.service.now() - 1;
  const job = {
    ...FORMER,
    id: "job_r",
    kind: "sweepFiles",
    dueAt,
    state: "running",
    lease: "gone",
  };
  await t.service.kv.set(["job", job.id], { ...job, subject: { reservationId: "r" } });
  await t.service.kv.set(["due", "sweepFiles", dueAt, job.id], "running");
  const counts: number[] = [];
  const run: Handler<"sweepFiles">["run"] = (_, { job }) => {
    counts.push(job.lostLeases);
    return Promise.resolve();
  };
  await new Worker(t.service, { sweepFiles: { ...BASE, run } }).drain();
  assertEquals(counts, [3]);
});
