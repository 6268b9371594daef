/** Marquee: crons, settings, store, service, faces, serve; then the worker and the passes that are due. */
import { buildService } from "./domain/service/build.ts";
import { startClock } from "./domain/service/clock.ts";
import { isOnDeploy, isTrial, unmetNeeds } from "./domain/foundation/deploy.ts";
import { createLog, faultFields } from "./domain/foundation/log.ts";
import { plainLine } from "./domain/foundation/plain_line.ts";
import { exitWith, requireFreePort, untilStopped } from "./domain/service/process.ts";
import { keepFilesPrivate } from "./domain/service/private_files.ts";
import { MIGRATIONS } from "./domain/service/migrations.ts";
import { markRunning } from "./domain/service/running.ts";
import { claimSecret } from "./domain/platforms/sealed.ts";
import { environOf, readSettings, SettingsError } from "./domain/foundation/settings.ts";
import { startTelemetry } from "./domain/foundation/telemetry.ts";
import type { Service } from "./domain/service/service.ts";
import { openStore } from "./domain/kv/open.ts";
import { PASS_NAMES } from "./domain/kv/passes.ts";
import type { Work } from "./jobs/work.ts";
import { lazyMcpFace } from "./mcp/face.ts";
import { createApp } from "./routes/app.ts";
import { InFlightRequests } from "./routes/in_flight.ts";
import { refuseUnset } from "./routes/unset.ts";

/** Requests come first at a cold start; the worker is loaded this much later, ms. */
const WORK_AFTER = 100;
/** The first commands that people paste come before the demo's pictures, ms. */
const PAST_AFTER = 5_000;

const environ = environOf(Deno.env);
const unmet = isOnDeploy(environ) ? unmetNeeds(environ) : [];
const stopping = new AbortController();
const work = Promise.withResolvers<Work>();

// Deno Deploy finds the crons by evaluating this module, so they come before all that waits or may
// fail. The schedule is in kv/passes: each cron only looks, every minute, for whatever is due. There
// are as many crons as passes because one that waits for a long pass does not run again meanwhile.
for (const name of PASS_NAMES) {
  Deno.cron(name, "* * * * *", async () => {
    if (unmet.length === 0) await (await work.promise).runDue();
  });
}

if (unmet.length > 0 && isTrial(environ)) refuse();
else await start();

/** A build or preview on Deno Deploy may lack the secrets: it runs, and says what is missing. */
function refuse(): void {
  const { PORT, HOST } = environ;
  const { HOST: hostname, PORT: port } = readSettings({ PORT, HOST }, "dev");
  Deno.serve({ hostname, port, onListen: () => {} }, refuseUnset(unmet));
}

async function start(): Promise<void> {
  const service = await open().catch(exitWith);
  const { HOST: hostname, PORT: port, BASE_URL: baseUrl } = service.settings;
  const inFlight = new InFlightRequests();
  const fetch = inFlight.watch(faceOf(service));
  const server = Deno.serve({ hostname, port, onListen: () => {} }, fetch);
  service.log.info("listening", { hostname, port, baseUrl });
  setTimeout(() => work.resolve(loadWork(service)), WORK_AFTER);
  untilStopped(service, [
    async (graceMs) => {
      stopping.abort();
      await inFlight.answered(graceMs);
      await server.shutdown();
    },
    async (graceMs) => await (await work.promise).stop(graceMs),
  ]);
  // Without the demo it serves all the same; the next start resumes the demo.
  if (service.settings.mode === "dev") {
    await greet(service).catch((error) => {
      if (!stopping.signal.aborted) service.log.error("demo", faultFields(error));
    });
  } else await offerSetUp(service);
}

/** Answers requests to a service: this one, or the one in which the demo lives its past. */
function faceOf(service: Service) {
  const app = createApp(service, lazyMcpFace(service));
  return (request: Request, info?: Deno.ServeHandlerInfo) =>
    app.fetch(request, info === undefined ? {} : { info });
}

async function open(): Promise<Service> {
  if (unmet.length > 0) throw new SettingsError(unmet.join("\n"));
  const settings = readSettings(environ, Deno.args.includes("--dev") ? "dev" : "start");
  requireFreePort(settings);
  await startTelemetry();
  await keepFilesPrivate(settings);
  const kv = await openStore(settings, MIGRATIONS);
  const now = await startClock(kv, settings);
  const level = settings.LOG_LEVEL;
  const log = createLog(
    level,
    Deno.stdout,
    now,
    ...settings.mode === "dev" ? [plainLine(level)] : [],
  );
  const service = await buildService({ settings, kv, now, log, stopping: stopping.signal });
  await claimSecret(service);
  await markRunning(service);
  return service;
}

async function loadWork(service: Service): Promise<Work> {
  const { startWork } = await import("./jobs/work.ts");
  const { heedContainer } = await import("./domain/service/memory.ts");
  await heedContainer(service);
  const { warnUnreachable } = await import("./domain/platforms/accounts.ts");
  warnUnreachable(service)
    .catch((error) => service.log.error("platform.unreachable", faultFields(error)));
  if (service.settings.mode === "start") {
    const { warnDrafts } = await import("./domain/series/drafts.ts");
    warnDrafts(service).catch((error) => service.log.error("series.drafts", faultFields(error)));
  }
  return startWork(service);
}

async function greet(service: Service): Promise<void> {
  const { demo, seedPast } = await import("./jobs/demo/demo.ts");
  const { worker } = await work.promise;
  await demo(service, worker, async (text) => {
    await Deno.stdout.write(new TextEncoder().encode(text)).catch(() => {}); // nobody may be reading
  });
  await new Promise((done) => setTimeout(done, PAST_AFTER));
  await seedPast(service, faceOf);
}

/** A service that nobody can sign in to yet logs a link with which its owner can begin. */
async function offerSetUp(service: Service): Promise<void> {
  const { hasOwner, makeSetUpLink } = await import("./domain/brands/set_up.ts");
  if (await hasOwner(service)) return;
  const address = `${service.settings.BASE_URL}/studio/set-up/${await makeSetUpLink(service)}`;
  const hint = "There is no account yet. Open setUpLink within an hour to make the first one.";
  service.log.info("setUp", { hint, setUpLink: address });
}
