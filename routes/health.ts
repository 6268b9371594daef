/** `/healthz`: whether the store answers, how the jobs and passes stand. No key. */
import { Hono } from "hono";
import manifest from "../deno.json" with { type: "json" };
import { iso, SECOND } from "../domain/calendar.ts";
import type { JobState } from "../domain/jobs.ts";
import { isOverdue, PASS_NAMES, type PassName, readPass } from "../domain/passes.ts";
import type { Service } from "../domain/service.ts";
import { countAccounts } from "../domain/social.ts";
import { jsonResponse } from "../domain/wire.ts";
import type { AppEnv } from "./request.ts";

/** A store that takes longer does not answer. */
const PATIENCE_MS = 5 * SECOND;

export function healthRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const startedAt = service.now();
  app.get("/healthz", async () => {
    const { version } = manifest;
    const seen = await withinPatience(look(service, startedAt)).catch(() => null);
    if (seen === null) {
      return jsonResponse({ status: "failing", failing: ["kv"], version, kv: "failing" }, 503);
    }
    const { failing, ...parts } = seen;
    if (failing.length === 0) {
      return jsonResponse({ status: "ok", version, kv: "ok", ...parts }, 200);
    }
    return jsonResponse({ status: "failing", failing, version, kv: "ok", ...parts }, 503);
  });
  return app;
}

async function look(service: Service, startedAt: number) {
  const [jobs, accounts, passes] = await Promise.all([
    jobHealth(service),
    countAccounts(service.kv),
    Promise.all(PASS_NAMES.map((name) => passHealth(service, name, startedAt))),
  ]);
  return {
    jobs,
    passes: Object.fromEntries(passes.map(({ name, last }) => [name, last])),
    accounts,
    failing: passes.filter(({ overdue }) => overdue).map(({ name }) => `passes.${name}`),
  };
}

async function passHealth({ kv, now }: Service, name: PassName, startedAt: number) {
  const record = await readPass(kv, name);
  const last = record.lastFinishedAt === null ? null : iso(record.lastFinishedAt);
  return { name, last, overdue: isOverdue(name, record, startedAt, now()) };
}

async function jobHealth({ jobs, now }: Service) {
  const counts: Record<JobState, number> = { waiting: 0, running: 0, dead: 0 };
  let oldestDue = Infinity;
  for (const job of await jobs.list()) {
    counts[job.state]++;
    if (job.state === "waiting") oldestDue = Math.min(oldestDue, job.dueAt);
  }
  return { ...counts, oldestDueSeconds: Math.max(0, Math.floor((now() - oldestDue) / SECOND)) };
}

async function withinPatience<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error("The store does not answer.")), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
