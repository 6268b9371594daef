/** A pass in pages: exact counts over many records, by several workers, with some of them lost. */
import { assert, assertEquals } from "@std/assert";
import { newId } from "../../domain/foundation/ids.ts";
import { limitsOf } from "../../domain/kv/limits.ts";
import { indexJobs, listJobs } from "../../domain/kv/jobs/records.ts";
import type { Service } from "../../domain/service/service.ts";
import type { Handlers } from "../../jobs/handler.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { LEASE_MS } from "../../jobs/lease.ts";
import { runPass } from "../../jobs/passes.ts";
import { Worker } from "../../jobs/worker.ts";
import { addJob, withKv } from "../support/jobs.ts";
import { storeSeries } from "../support/stored_series.ts";
import { type TestService, testService } from "../support/service.ts";

/** Three brands with `count` active series among them, beside a paused and a deleted one. */
async function seed(t: TestService, count: number): Promise<string[]> {
  const brandIds = [newId("brand", 1), newId("brand", 2), newId("brand", 3)];
  const inTurn = (n: number) => brandIds[n % 3] ?? "";
  for (let n = 0; n < count; n++) await storeSeries(t.service, inTurn(n));
  await storeSeries(t.service, inTurn(0), { active: false });
  await storeSeries(t.service, inTurn(1), { deletedAt: "2026-11-20T12:00:00.000Z" });
  return brandIds;
}

/** Workers that note which series they pass over, and plan one post for each. */
class Workers {
  readonly passed: string[] = [];
  readonly handlers: Partial<Handlers>;

  constructor() {
    const run: Handlers["series"]["run"] = (_, run) => {
      this.passed.push(run.job.subject.seriesId ?? "");
      return Promise.resolve(run.count("planned"));
    };
    this.handlers = {
      series: { ...HANDLERS.series, concurrency: 8, run },
      passPage: HANDLERS.passPage,
    };
  }

  make(service: Service, other: Partial<Handlers> = {}): Worker {
    return new Worker(service, { ...this.handlers, ...other });
  }
}

Deno.test("a pass over more series than a page reads counts each once, with several workers", async () => {
  await using t = await testService();
  const count = 300;
  await seed(t, count);
  const workers = new Workers();
  const three = [1, 2, 3].map(() => workers.make(t.service));
  for (const worker of three) worker.start();
  const { series, planned } = await runPass(t.service, null, "series");
  await Promise.all(three.map((worker) => worker.stop(10_000)));
  assertEquals([series, planned], [count, count]);
  assertEquals([workers.passed.length, new Set(workers.passed).size], [count, count]);
  for (const prefix of [["passOpen"], ["due"]]) {
    assertEquals(await Array.fromAsync(t.service.kv.list({ prefix })), []);
  }
});

Deno.test("a pass over one brand takes its series only", async () => {
  await using t = await testService();
  const [brandId = ""] = await seed(t, 60);
  const worker = new Workers().make(t.service);
  const { series, planned } = await runPass(t.service, worker, "series", { brandId });
  assertEquals([series, planned], [20, 20]);
  await worker.stop(0);
});

Deno.test("no process reads all series at once", async () => {
  await using t = await testService();
  await seed(t, 300);
  const limits: number[] = [];
  const list = (selector: Deno.KvListSelector, options?: Deno.KvListOptions) => {
    const [collection] = "prefix" in selector ? selector.prefix : selector.start;
    if (collection === "series") limits.push(options?.limit ?? Infinity);
    return t.service.kv.list(selector, options);
  };
  const service = withKv(t.service, "list", list);
  const worker = new Workers().make(service);
  assertEquals((await runPass(service, worker, "series"))["series"], 300);
  await worker.stop(0);
  assert(limits.length > 1 && Math.max(...limits) < 300, String(limits));
});

Deno.test("a pass goes on where processes were lost while they added its pages", async () => {
  await using t = await testService();
  const count = 100;
  await seed(t, count);
  const workers = new Workers();
  // A lost process holds its leases and does nothing any more.
  const hung = Promise.withResolvers<void>();
  let lost = 0;
  // It has room for exactly the pages that it loses, so no page is lost after the time has moved.
  const losing = ({ after, loses }: { after: number; loses: number }) => {
    let pages = 0;
    const run: Handlers["passPage"]["run"] = (service, run) => {
      if (++pages <= after) return HANDLERS.passPage.run(service, run);
      lost++;
      return hung.promise;
    };
    return workers.make(t.service, { passPage: { ...HANDLERS.passPage, concurrency: loses, run } });
  };
  const until = async (expected: number) => {
    while (lost < expected) await new Promise((done) => setTimeout(done, 1));
    t.turn(LEASE_MS + 1);
  };
  const pass = runPass(t.service, null, "series");
  // One is lost with the first page, the other with two of the pages that come from it.
  const first = losing({ after: 0, loses: 1 });
  first.start();
  await until(1);
  const second = losing({ after: 3, loses: 2 });
  second.start();
  await until(3);
  const third = workers.make(t.service);
  third.start();
  const { series, planned } = await pass;
  assertEquals([series, planned], [count, count]);
  assertEquals(new Set(workers.passed).size, count);
  hung.resolve();
  await Promise.all([first, second, third].map((worker) => worker.stop(0)));
});

Deno.test("more jobs than a commit checks are indexed again by the migration", async () => {
  await using t = await testService();
  const { kv } = t.service;
  const count = 3 * limitsOf(kv).checks + 1;
  for (let n = 0; n < count; n++) await addJob(t);
  for await (const { key } of kv.list({ prefix: ["due"] })) await kv.delete(key);
  await indexJobs(kv);
  await indexJobs(kv);
  assertEquals((await Array.fromAsync(kv.list({ prefix: ["due"] }))).length, count);
  assertEquals((await listJobs(kv)).length, count);
});
