/** Brands take turns at being painted for: no pile and no call that hangs holds up another brand. */
import { assert, assertEquals } from "@std/assert";
import { SECOND } from "../../domain/foundation/calendar.ts";
import { transact } from "../../domain/kv/transact.ts";
import type { Service } from "../../domain/service/service.ts";
import { generateHandler } from "../../jobs/generate.ts";
import { exponential, type Handler } from "../../jobs/handler.ts";
import { Worker } from "../../jobs/worker.ts";
import { post } from "../support/creations.ts";
import { painted, withServer } from "../support/openai_server.ts";
import { type TestService, testService } from "../support/service.ts";

const base = { concurrency: 2, maxAttempts: 3, backoff: exponential(SECOND, SECOND) };

async function add(t: TestService, brandId: string, count = 1): Promise<void> {
  const subject = { creationId: "creation", generation: 1 };
  const job = { kind: "generate", brandId, subject } as const;
  for (let n = 0; n < count; n++) {
    await transact(t.service.kv, (commit) => t.service.jobs.add(commit, job));
  }
}

/** A worker whose jobs end when the test says so. */
class Held implements AsyncDisposable {
  /** Whose jobs have started, in that order. */
  readonly started: string[] = [];
  readonly #worker: Worker;
  readonly #ends: (() => void)[] = [];
  #told = Promise.withResolvers<void>();
  #open = false;

  constructor(service: Service, handler: Partial<Handler<"generate">> = {}) {
    const run: Handler<"generate">["run"] = async (_, { job }) => {
      const ended = Promise.withResolvers<void>();
      this.#ends.push(ended.resolve);
      this.started.push(job.brandId);
      this.#told.resolve();
      if (!this.#open) await ended.promise;
    };
    this.#worker = new Worker(service, { generate: { ...base, ...handler, run } });
    this.#worker.start();
  }

  /** Waits until so many have started. */
  async until(count: number): Promise<void> {
    while (this.started.length < count) {
      await this.#told.promise;
      this.#told = Promise.withResolvers<void>();
    }
  }

  end(at: number): void {
    this.#ends[at]!();
  }

  endAll(): void {
    this.#open = true;
    for (const end of this.#ends) end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.endAll();
    await this.#worker.stop(1_000);
  }
}

Deno.test("a brand alone has every slot, and one that comes later has the next that is free", async () => {
  await using t = await testService();
  await add(t, "a", 10);
  await using work = new Held(t.service);
  await work.until(2);
  await add(t, "b", 3);
  await add(t, "c");
  for (let at = 0; at < 6; at++) {
    work.end(at);
    await work.until(at + 3);
  }
  assertEquals(work.started, ["a", "a", "b", "c", "a", "b", "a", "b"]);
  work.endAll();
  await work.until(14);
});

Deno.test("a brand never holds more than its part, and what hangs there holds up nobody", async () => {
  await using t = await testService();
  await add(t, "a", 16);
  await using work = new Held(t.service, { concurrency: 16, perBrand: 8 });
  await work.until(8);
  await add(t, "b", 3);
  await work.until(11);
  assertEquals(work.started, [...Array(8).fill("a"), "b", "b", "b"]);
  work.endAll();
  await work.until(19);
});

Deno.test("a claim reads a few keys, however much a brand has piled up", async () => {
  await using t = await testService();
  await add(t, "a", 500);
  let reads = 0;
  const kv = new Proxy(t.service.kv, {
    get(target, name) {
      if (name !== "list") return Reflect.get(target, name).bind(target);
      return async function* (...args: Parameters<Deno.Kv["list"]>) {
        for await (const entry of target.list(...args)) {
          reads++;
          yield entry;
        }
      };
    },
  });
  await using work = new Held({ ...t.service, kv }, { concurrency: 4, perBrand: 2 });
  await work.until(2);
  await add(t, "b");
  await work.until(3);
  assertEquals(work.started, ["a", "a", "b"]);
  assert(reads < 100, `${reads} keys`);
});

Deno.test("workers that take turns at once run every job exactly once", async () => {
  await using t = await testService();
  const brands = ["a", "b", "c", "d", "e"];
  for (const brand of brands) await add(t, brand, 12);
  const runs: string[] = [];
  const run: Handler<"generate">["run"] = async (_, { job }) => {
    await new Promise((done) => setTimeout(done, 1));
    runs.push(job.id);
  };
  const handler = { ...base, concurrency: 3, perBrand: 2, run };
  const workers = Array.from({ length: 4 }, () => new Worker(t.service, { generate: handler }));
  await Promise.all(workers.map((worker) => worker.drain()));
  assertEquals([runs.length, new Set(runs).size], [60, 60]);
  for await (const { key } of t.service.kv.list({ prefix: ["brandDue"] })) {
    throw new Error(`${key.join(" ")} is left`);
  }
});

Deno.test("a remote model is asked for many pictures at once, our own painter for two", async () => {
  const atOnce = generateHandler.concurrency as (service: Service) => number;
  await using t = await testService();
  assertEquals(atOnce(t.service), 2);
  await withServer((_, { service }) => Promise.resolve(assertEquals(atOnce(service), 16)));
});

Deno.test("pictures of one brand that hang don't hold up another brand's", async () => {
  await withServer(async (server, t, secret) => {
    const hanging = Promise.withResolvers<Response>();
    server.always((heard, request) =>
      heard.fields.prompt.includes("slow") ? hanging.promise : painted(heard, request)
    );
    t.worker.start();
    try {
      for (let n = 0; n < 16; n++) await post(t, secret, { prompt: "A slow river" });
      const other = await t.brand();
      const { creation } = await post(t, other.secret);
      const waited = await t.call(other.secret, `/v1/creations/${creation.id}?wait=20`);
      assertEquals((await waited.json()).status, "complete");
      assertEquals(server.heard.length, 9);
    } finally {
      await t.worker.stop(0);
      hanging.resolve(new Response());
    }
  });
});
