/** `/healthz`: whether the store answers, how the jobs and passes stand. No key. */
import { Hono } from "hono";
import manifest from "../deno.json" with { type: "json" };
import { SECOND } from "../domain/calendar.ts";
import type { JobState } from "../domain/jobs.ts";
import type { Service } from "../domain/service.ts";
import { countAccounts } from "../domain/social.ts";
import { jsonResponse } from "../domain/wire.ts";
import type { AppEnv } from "./request.ts";

export function healthRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/healthz", async () => {
    try {
      const [jobs, accounts] = await Promise.all([jobHealth(service), countAccounts(service.kv)]);
      const version = manifest.version;
      return jsonResponse({ status: "ok", version, kv: "ok", jobs, accounts }, 200);
    } catch {
      return jsonResponse({ status: "failing", version: manifest.version, kv: "failing" }, 503);
    }
  });
  return app;
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
