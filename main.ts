/** Marquee: settings, store, service, faces, worker, cron lines, serve. */
import { buildService } from "./domain/build.ts";
import { startClock } from "./domain/clock.ts";
import { createLog } from "./domain/log.ts";
import { readSettings } from "./domain/settings.ts";
import { openStore } from "./domain/store.ts";
import { HANDLERS } from "./jobs/handlers.ts";
import { runDuePasses } from "./jobs/passes.ts";
import { Worker } from "./jobs/queue.ts";
import { createApp } from "./routes/app.ts";

/** How long requests and jobs in flight may go on after a signal to stop. */
const GRACE_MS = 10_000;

const settings = readSettings(Deno.env.toObject(), Deno.args.includes("--dev") ? "dev" : "start");
const kv = await openStore(settings);
const clock = await startClock(kv, settings.CLOCK);
const log = createLog(settings.LOG_LEVEL, Deno.stdout, clock.now);
const service = await buildService({ settings, kv, now: clock.now, log });
const worker = new Worker(service, HANDLERS);

Deno.cron("metrics", "*/30 * * * *", () => runDuePasses(service, worker));
Deno.cron("series", "*/15 * * * *", () => runDuePasses(service, worker));
Deno.cron("digest", "0 8 * * MON", () => runDuePasses(service, worker));
Deno.cron("sweep", "* * * * *", () => runDuePasses(service, worker));

const server = Deno.serve(
  { port: settings.PORT, hostname: settings.HOST },
  createApp(service).fetch,
);
worker.start();
const stopClock = clock.keep();
void runDuePasses(service, worker);

async function stop(): Promise<void> {
  const timer = setTimeout(() => Deno.exit(0), GRACE_MS + 2_000);
  await Promise.all([server.shutdown(), worker.stop(GRACE_MS)]);
  await stopClock();
  log.flush();
  kv.close();
  clearTimeout(timer);
  Deno.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, stop);
