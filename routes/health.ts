/** `/healthz`: whether the store answers, how the jobs and passes stand. No key. */
import { Hono } from "hono";
import manifest from "../deno.json" with { type: "json" };
import { iso, SECOND } from "../domain/calendar.ts";
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
  const lookNow = oneAtATime(() => withinPatience(look(service, startedAt)));
  app.get("/healthz", async () => {
    const { version } = manifest;
    const seen = await withinPatience(lookNow()).catch(() => null);
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
  const { oldestDue, ...counts } = await jobs.count();
  const waited = oldestDue === null ? 0 : now() - oldestDue;
  return { ...counts, oldestDueSeconds: Math.max(0, Math.floor(waited / SECOND)) };
}

/**
 * Who asks while a look goes on shares the next: nobody needs a key, so a crowd must not cost more
 * than one who asks again and again, and no answer is older than its question.
 */
function oneAtATime<T>(look: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= current.then(() => {
      next = null;
      const looked = look();
      current = looked.catch(() => {});
      return looked;
    });
    return next;
  };
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
