/** Marquee: settings, store, service, faces, worker, cron lines, serve. */
import { buildService } from "./domain/build.ts";
import { startClock } from "./domain/clock.ts";
import { createLog } from "./domain/log.ts";
import { markRunning } from "./domain/running.ts";
import { readSettings } from "./domain/settings.ts";
import { openStore } from "./domain/store.ts";
import { HANDLERS } from "./jobs/handlers.ts";
import { runDuePasses } from "./jobs/passes.ts";
import { mcpFace } from "./mcp/server.ts";
import { Worker } from "./jobs/worker.ts";
import { createApp } from "./routes/app.ts";
import { exitWith, requireFreePort, untilStopped } from "./routes/process.ts";

const service = await open().catch(exitWith);
const worker = new Worker(service, HANDLERS);

Deno.cron("metrics", "*/30 * * * *", () => runDuePasses(service, worker));
Deno.cron("series", "*/15 * * * *", () => runDuePasses(service, worker));
Deno.cron("digest", "0 8 * * MON", () => runDuePasses(service, worker));
Deno.cron("sweep", "* * * * *", () => {
  worker.wake();
  return runDuePasses(service, worker);
});

const { HOST: hostname, PORT: port } = service.settings;
const server = Deno.serve(
  { hostname, port, onListen: () => {} },
  createApp(service, mcpFace(service)).fetch,
);
service.log.info("listening", { hostname, port, baseUrl: service.settings.BASE_URL });
worker.start();
void runDuePasses(service, worker);
untilStopped(service, [() => server.shutdown(), (graceMs) => worker.stop(graceMs)]);
if (service.settings.mode === "dev") await greet();

async function open() {
  const settings = readSettings(Deno.env.toObject(), Deno.args.includes("--dev") ? "dev" : "start");
  requireFreePort(settings);
  const kv = await openStore(settings);
  const now = await startClock(kv, settings);
  await markRunning(kv, settings);
  const log = createLog(settings.LOG_LEVEL, Deno.stdout, now);
  return await buildService({ settings, kv, now, log });
}

async function greet() {
  const { demo } = await import("./jobs/demo.ts");
  const text = await demo(service, worker);
  await Deno.stdout.write(new TextEncoder().encode(text));
}
