/** A worker that a test kills: publishes one attempt, or runs one metrics pass, against PORT. */
import { buildService } from "../../domain/service/build.ts";
import { silent } from "../../domain/foundation/log.ts";
import { publishPost } from "../../domain/platforms/publish.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { runPass } from "../../jobs/passes.ts";
import { Worker } from "../../jobs/worker.ts";

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
const [work, offsetMs, attempt] = Deno.args;
let offset = Number(offsetMs);
const now = () => Date.now() + offset;

const settings = readSettings(Deno.env.toObject(), "admin");
const kv = await openStore(settings, MIGRATIONS);
const built = await buildService({ settings, kv, now, log: silent });
const service = { ...built, patience: { callMs: 5_000, pollMs: 5, passMs: 5, askMs: 5_000 } };
print("begun");
if (work === "publish") {
  for (let round = 0; round < 20; round++) {
    const outcome = await publishPost(service, JSON.parse(attempt!));
    if (outcome.state !== "working" && outcome.state !== "later") {
      print(JSON.stringify(outcome));
      break;
    }
    offset += Math.max(0, outcome.retryAt - now());
  }
} else {
  const { metrics, passPage } = HANDLERS;
  const worker = new Worker(service, { metrics, passPage });
  worker.start();
  print(JSON.stringify(await runPass(service, worker, "metrics", { byHand: true })));
  await worker.stop(0);
}
Deno.exit(0);
