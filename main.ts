/** Marquee: settings, store, service, faces, serve; then the worker and the cron lines' work. */
import { buildService } from "./domain/build.ts";
import { startClock } from "./domain/clock.ts";
import { createLog, faultFields } from "./domain/log.ts";
import { exitWith, requireFreePort, untilStopped } from "./domain/process.ts";
import { markRunning } from "./domain/running.ts";
import { readSettings } from "./domain/settings.ts";
import { openStore } from "./domain/store.ts";
import { lazyMcpFace } from "./mcp/face.ts";
import { createApp } from "./routes/app.ts";
import { Arriving } from "./routes/arriving.ts";

/** Requests come first at a cold start; what nobody waits for is loaded this much later, ms. */
const WORK_AFTER = 100;

const stopping = new AbortController();
const service = await open().catch(exitWith);
const { HOST: hostname, PORT: port, BASE_URL: baseUrl } = service.settings;
const app = createApp(service, lazyMcpFace(service));
const arriving = new Arriving();
const fetch = arriving.watch((request) => app.fetch(request));
const server = Deno.serve({ hostname, port, onListen: () => {} }, fetch);
service.log.info("listening", { hostname, port, baseUrl });

const work = new Promise((done) => setTimeout(done, WORK_AFTER))
  .then(() => import("./jobs/work.ts"))
  .then(({ startWork }) => startWork(service));
const sweep = async () => await (await work).sweep();

Deno.cron("metrics", "*/30 * * * *", sweep);
Deno.cron("series", "*/15 * * * *", sweep);
Deno.cron("digest", "0 8 * * MON", sweep);
Deno.cron("sweep", "* * * * *", sweep);

untilStopped(service, [
  async (graceMs) => {
    stopping.abort();
    await arriving.answered(graceMs);
    await server.shutdown();
  },
  async (graceMs) => await (await work).worker.stop(graceMs),
]);
// It serves all the same, and the next start goes on with the demo.
if (service.settings.mode === "dev") {
  await greet().catch((error) => service.log.error("demo", faultFields(error)));
}

async function open() {
  const settings = readSettings(Deno.env.toObject(), Deno.args.includes("--dev") ? "dev" : "start");
  requireFreePort(settings);
  const kv = await openStore(settings);
  const now = await startClock(kv, settings);
  await markRunning(kv, settings);
  const log = createLog(settings.LOG_LEVEL, Deno.stdout, now);
  return await buildService({ settings, kv, now, log, stopping: stopping.signal });
}

async function greet() {
  const { demo } = await import("./jobs/demo.ts");
  await demo(service, (await work).worker, async (text) => {
    await Deno.stdout.write(new TextEncoder().encode(text)).catch(() => {}); // nobody may be reading
  });
}
