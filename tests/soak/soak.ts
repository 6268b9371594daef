/** A soak: two sites at work while things go wrong; then they settle, and their books are checked. */
import { readMonth } from "../../domain/brands/meter/meter.ts";
import { HOUR, MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import { listJobs } from "../../domain/kv/jobs/records.ts";
import { listSocialAccounts } from "../../domain/platforms/accounts.ts";
import { checkBooks, type Finding } from "./books.ts";
import { Chaos } from "./chaos.ts";
import { act } from "./clients.ts";
import { checkEvents, listen, Receiver } from "./events.ts";
import { Journal } from "./journal.ts";
import { ModelStand } from "./model.ts";
import { deal } from "./people.ts";
import { Cluster, Single } from "./places.ts";
import { type Schedule, SIZE, type Step } from "./schedule.ts";
import { connect, settleIn, type Tenant } from "./settle_in.ts";
import { pause, type Site } from "./site.ts";
import { Slowness } from "./slowness.ts";
import { checkTrail } from "./trail.ts";
import { Watch } from "./watch.ts";

/** Further than the latest post is scheduled ahead, in steps that make none of them too late. */
const SETTLING_TURNS = [30 * MINUTE, 22 * HOUR, 22 * HOUR, 5 * HOUR];
/** When none of the work that is due has been done for so long, or not all, it is said what was left. */
const GIVE_UP = { noneMs: 60 * SECOND, allMs: 10 * MINUTE };

export interface Outcome {
  findings: Finding[];
  /** What the processes logged as errors, by event; for whoever looks for a cause. */
  errors: string[];
}

/** @param say is told what happens now, for people who wait */
export async function soak(schedule: Schedule, say: (line: string) => void): Promise<Outcome> {
  const dir = await Deno.makeTempDir({ prefix: "marquee-soak-" });
  const folders = { cluster: `${dir}/cluster`, single: `${dir}/single` };
  for (const folder of Object.values(folders)) await Deno.mkdir(folder);
  try {
    return await soakIn(folders, schedule, say);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function soakIn(
  folders: { cluster: string; single: string },
  schedule: Schedule,
  say: (line: string) => void,
): Promise<Outcome> {
  await using model = new ModelStand();
  await using receiver = new Receiver();
  const hosts = `${model.environ["ALLOW_PRIVATE_HOSTS"]},${receiver.host}`;
  const environ = { ...model.environ, ALLOW_PRIVATE_HOSTS: hosts };
  await using cluster = await Cluster.open(folders.cluster, environ);
  await using single = await Single.open(folders.single, environ);
  const sites = [cluster.site, single.site];
  const tenants = {
    cluster: await settleIn(cluster.site, SIZE.brands.cluster),
    single: await settleIn(single.site, SIZE.brands.single),
  };
  await Promise.all(sites.map((site) => site.start()));
  for (const site of sites) {
    const { name, kv, now } = site;
    await listen(site, tenants[name], receiver);
    for (const owner of tenants[name]) {
      owner.counted = await readMonth(kv, owner.known.brandId, now());
    }
  }
  say(`${sites.length} sites are up`);
  const journal = new Journal();
  const chaos = new Chaos({ journal, cluster, single, model });
  using watch = new Watch(cluster.site.processes[0]!);
  using _slowness = new Slowness(cluster.site, journal, chaos.troubles);
  using _alone = new Slowness(single.site, journal, chaos.troubles);
  const atWork = perform(schedule, journal, chaos, tenants);
  await Promise.all([atWork, goWrong(schedule, journal, chaos)]);
  say("all actions are done, the faults end");
  await chaos.calm();
  const memory = watch.findings(schedule.lastsMs);
  await Promise.all(sites.map((site) => settle(site, say)));
  say("settled; the books are checked");
  const findings: Finding[] = [];
  for (const site of sites) {
    const own = tenants[site.name];
    findings.push(...await checkBooks(site, own));
    findings.push(...await checkTrail(site, own, journal, chaos.troubles));
    // Last, because the meter's check knows how many requests the checks before it sent.
    findings.push(...await checkEvents(site, own, receiver));
  }
  if (receiver.wrong.length > 0) {
    const wrong = [...receiver.wrong];
    findings.push({ name: "messages of webhooks", looked: receiver.messages.size, wrong });
  }
  const slow = chaos.troubles.filter(({ kind }) => kind === "slow").length;
  const told = [...chaos.counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
  return {
    findings: [
      {
        name: "things that went wrong on purpose",
        looked: chaos.troubles.length - slow,
        wrong: [],
        note:
          `${told}; ${cluster.proxy.lost} answers lost; ${slow} times the machine was too slow` +
          (single.hasDisk ? "" : "; no full disk: this machine mounts no tmpfs"),
      },
      ...findings,
      ...memory,
      {
        name: "cluster: processes that ended by themselves",
        looked: cluster.site.ended.length,
        wrong: cluster.site.ended,
      },
      {
        name: "single: processes that ended by themselves",
        looked: single.site.ended.length,
        // Deno may end a process that can't write its queue.
        wrong: single.hasDisk ? [] : single.site.ended,
      },
    ],
    errors: sites.flatMap(({ errors }) => errors),
  };
}

type Tenants = Record<Step["site"], Tenant[]>;

/** Each actor does one thing after the other; those of a brand at the same time. */
async function perform(
  { steps }: Schedule,
  journal: Journal,
  chaos: Chaos,
  tenants: Tenants,
): Promise<void> {
  const turns = new Map<string, Promise<void>>();
  for (const step of steps) {
    await pause(Math.max(0, step.at - journal.at));
    const tenant = tenants[step.site][step.brand]!;
    const actor = `${step.site} ${step.brand} ${step.role}`;
    const before = turns.get(actor) ?? Promise.resolve();
    const { now } = chaos.siteOf(step.site);
    const go = () =>
      step.role === "person"
        ? deal(journal, tenant.person, step, now())
        : act(journal, tenant.client, step, now());
    turns.set(actor, before.then(go));
  }
  await Promise.all(turns.values());
}

async function goWrong({ mishaps }: Schedule, journal: Journal, chaos: Chaos): Promise<void> {
  const going: Promise<void>[] = [];
  for (const mishap of mishaps) {
    await pause(Math.max(0, mishap.at - journal.at));
    going.push(chaos.cause(mishap));
  }
  await Promise.all(going);
}

/** Lets everything that is due be done, and then what becomes due over the next days. */
async function settle(site: Site, say: (line: string) => void): Promise<void> {
  await idle(site, 0, say);
  for (const account of await listSocialAccounts(site.kv, null)) {
    if (account.status !== "reconnect") continue;
    await connect(site.service, account.brandId, account.platform, account.handle);
  }
  for (const by of SETTLING_TURNS) {
    const turnedTo = await site.turn(by);
    say(`${site.name}: ${by / HOUR} hours later`);
    await idle(site, turnedTo, say);
  }
}

/** Waits until the passes since then have ended and no job is due. */
async function idle(
  site: Site,
  since: number,
  say: (line: string) => void,
): Promise<void> {
  const beganAt = performance.now();
  let [seen, changedAt] = ["", beganAt];
  for (;;) {
    const busy = (await listJobs(site.kv)).filter(({ state, dueAt }) =>
      state === "running" || (state === "waiting" && dueAt <= site.now())
    );
    const hasPassed = await site.hasPassed(since);
    if (busy.length === 0 && hasPassed) return;
    const ids = busy.map(({ id }) => id).join(" ");
    const at = performance.now();
    if (ids !== seen) [seen, changedAt] = [ids, at];
    if (at - changedAt > GIVE_UP.noneMs || at - beganAt > GIVE_UP.allMs) {
      const kinds = Object.entries(Object.groupBy(busy, ({ kind, state }) => `${kind} ${state}`))
        .map(([what, jobs]) => `${jobs?.length} ${what}`).join(", ");
      return say(`${site.name}: goes on with ${kinds || "no job"}${hasPassed ? "" : ", no pass"}`);
    }
    await pause(500);
  }
}
