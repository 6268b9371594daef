/** Jobs of one kind and workers that run them, in tests of the worker itself. */
import { MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import type { NewJob } from "../../domain/kv/jobs/jobs.ts";
import type { Job } from "../../domain/kv/jobs/job.ts";
import { transact } from "../../domain/kv/transact.ts";
import type { Service } from "../../domain/service/service.ts";
import { exponential, type Handler } from "../../jobs/handler.ts";
import { Worker } from "../../jobs/worker.ts";
import type { TestService } from "./service.ts";

/** The kind whose jobs represent any work. */
type Kind = "sweepFiles";
export type Run = Handler<Kind>["run"];

export const BASE = { concurrency: 1, maxAttempts: 3, backoff: exponential(10 * SECOND, MINUTE) };

/** Adds a job; `ask` is what it names. */
export function addJob(
  { service: { kv, jobs } }: Pick<TestService, "service">,
  { ask = "work", ...extra }: Partial<NewJob<Kind>> & { ask?: string } = {},
): Promise<string> {
  const subject = { reservationId: ask };
  const job = { kind: "sweepFiles", brandId: "brand", subject, ...extra } as const;
  return transact(kv, (commit) => jobs.add(commit, job));
}

/** A worker for those jobs, one at a time unless said otherwise. */
export function workerFor(
  service: Service,
  handler: Partial<Handler<Kind>> & Pick<Handler<Kind>, "run">,
): Worker {
  return new Worker(service, { sweepFiles: { ...BASE, ...handler } });
}

/** The only job, of a test that has one. */
export async function onlyJob({ service }: TestService): Promise<Job | undefined> {
  return (await service.jobs.list())[0];
}

/** The service, whose store does one thing in another way. */
export function withKv(service: Service, name: keyof Deno.Kv, other: unknown): Service {
  const kv = new Proxy(service.kv, {
    get(store, asked) {
      if (asked === name) return other;
      const value: unknown = Reflect.get(store, asked, store);
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
  return { ...service, kv };
}
