/** Many series and accounts on three processes, one of which is killed every few seconds. */
import { createBrand } from "../../domain/brands/brands.ts";
import { DAY, HOUR, iso, MINUTE, SECOND } from "../../domain/foundation/calendar.ts";
import { silent } from "../../domain/foundation/log.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { connectAccount, type SocialAccount } from "../../domain/platforms/accounts.ts";
import { connectHandle } from "../../domain/platforms/sandbox/handles.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import type { StoredSeries, StoredSlot } from "../../domain/series/records.ts";
import { listSlots } from "../../domain/series/slot_list.ts";
import { buildService } from "../../domain/service/build.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import type { Service } from "../../domain/service/service.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { runPass } from "../../jobs/passes.ts";
import { Worker } from "../../jobs/worker.ts";
import { KV_TOKEN, openRemote, startDenokv } from "../support/denokv.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { storeSeries } from "../support/stored_series.ts";
import type { Count } from "./week.ts";

const START = Date.parse("2026-11-16T00:30:00Z");
const BRANDS = 20;
const PROCESSES = 3;
/** Posts that each account has at its platform. */
const SEEDED = 20;
const KILL_EACH = 5 * SECOND;
/** Then the processes are left alone, so that what was in doubt is settled. */
const KILL_FOR = 5 * MINUTE;
const GIVE_UP = 15 * MINUTE;
const SECRET_KEY = "a secret for rehearsals only, long enough for Deno Deploy";
const PLATFORMS: readonly Platform[] = ["instagram", "linkedin"];

export async function crowd(series: number, accounts: number): Promise<Count[]> {
  const dir = await Deno.makeTempDir({ prefix: "marquee-rehearsal-" });
  await using denokv = await startDenokv();
  const environ = {
    ...{ KV_URL: denokv.url, DENO_KV_ACCESS_TOKEN: KV_TOKEN, DATA_DIR: dir, SECRET_KEY },
    ...{ SANDBOX: "on", JOBS: "poll" },
  };
  try {
    using kv = await openRemote(denokv.url);
    const { clock, planned } = await plan(environ, series, accounts);
    const due = planned.filter(({ scheduledFor }) => Date.parse(scheduledFor) <= clock);
    const start = () =>
      startProcess({
        dataDir: dir,
        environ: { ...environ, CLOCK: iso(clock), LOG_LEVEL: "error" },
      });
    const processes = await Promise.all(Array.from({ length: PROCESSES }, start));
    const killed = await killUntil(processes, start, () => isDone(kv, due, accounts));
    const slots = await read(kv, due);
    const doubled = await countDoubled(processes[0]!, accounts, slots);
    await Promise.all(processes.map((process) => process.stop("SIGTERM")));
    const published = slots.filter(({ status }) => status === "published").length;
    const others = slots.filter(({ status }) => status !== "published");
    const reasons = others.map(({ status, heldFor, error }) => `${status} ${heldFor} ${error}`);
    return [
      { name: "series; accounts", measured: `${series}; ${accounts}` },
      { name: "processes killed at work", measured: killed },
      { name: "posts that were due", measured: due.length, must: series },
      { name: "posts published", measured: published, must: due.length },
      { name: "posts that were not", measured: reasons.join("; ") || "none" },
      { name: "posts doubled at the platforms", measured: doubled, must: 0 },
      { name: "accounts' posts read", measured: await countPosts(kv), must: accounts * SEEDED },
    ];
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Brands, accounts and series with their slots planned, and an instant at which one of each is due. */
async function plan(environ: Record<string, string>, series: number, accounts: number) {
  const settings = readSettings(environ, "start");
  const kv = await openStore(settings, MIGRATIONS);
  const service = await buildService({ settings, kv, now: () => START, log: silent });
  const stored: StoredSeries[] = [];
  for (let n = 0; n < BRANDS; n++) {
    const { id } = await createBrand(service, { name: `Brand ${n}`, plan: "studio" });
    const own: SocialAccount[] = [];
    for (let at = n; at < accounts; at += BRANDS) own.push(await connect(service, id, at));
    for (let at = n; at < series; at += BRANDS) {
      stored.push(
        await storeSeries(service, id, {
          ...{ mode: "manual", name: `Series ${at}`, theme: "Coffee by the water", goal: null },
          ...{ guidance: null, format: "post", formats: [], aspectRatio: "square" },
          ...{ cadenceDays: 1, createdAt: iso(START - DAY) },
          socialAccountId: own[stored.length % own.length]?.id ?? null,
        }),
      );
    }
  }
  const worker = new Worker(service, HANDLERS);
  await runPass(service, worker, "series");
  const planned: StoredSlot[] = [];
  for (const { brandId, id } of stored) planned.push(...await listSlots(kv, brandId, id));
  await worker.stop(0);
  kv.close();
  const first = Math.min(...planned.map(({ scheduledFor }) => Date.parse(scheduledFor)));
  return { clock: first + HOUR, planned };
}

/** As `admin social connect --sandbox`, with a short history at the platform. */
async function connect(service: Service, brandId: string, at: number): Promise<SocialAccount> {
  const { kv, now } = service;
  const platform = PLATFORMS[at % PLATFORMS.length] ?? "instagram";
  const grant = await connectHandle(kv, now, platform, handleOf(at), { seeded: SEEDED });
  const identity = {
    platform,
    kind: platform === "instagram" ? "professional" as const : "organization" as const,
    handle: grant.username,
    externalId: grant.externalId,
  };
  return await connectAccount(service, brandId, identity, {
    access: grant.accessToken,
    issuedAt: START,
    accessExpiresAt: START + grant.expiresIn * SECOND,
    refresh: grant.refreshToken,
    refreshExpiresAt: null,
  });
}

const handleOf = (at: number) => `crowd-${at}`;

/** Kills one process after the other and starts it again, until all is done. Returns how many. */
async function killUntil(
  processes: ServiceProcess[],
  start: () => Promise<ServiceProcess>,
  isDone: () => Promise<boolean>,
): Promise<number> {
  const startedAt = performance.now();
  const within = (ms: number) => performance.now() - startedAt < ms;
  let killed = 0;
  while (!await isDone() && within(GIVE_UP)) {
    await new Promise((done) => setTimeout(done, KILL_EACH));
    if (!within(KILL_FOR)) continue;
    const victim = killed++ % processes.length;
    await processes[victim]?.kill();
    processes[victim] = await start();
  }
  return killed;
}

async function isDone(kv: Deno.Kv, due: StoredSlot[], accounts: number): Promise<boolean> {
  const slots = await read(kv, due);
  const ends = ["published", "held", "skipped"];
  return slots.every(({ status }) => ends.includes(status)) &&
    await countPosts(kv) >= accounts * SEEDED;
}

async function read(kv: Deno.Kv, slots: StoredSlot[]): Promise<StoredSlot[]> {
  const wanted = new Set(slots.map(({ id }) => id));
  const found: StoredSlot[] = [];
  for await (const { value } of kv.list<StoredSlot>({ prefix: ["slot"] })) {
    if (wanted.has(value.id)) found.push(value);
  }
  return found;
}

async function countPosts(kv: Deno.Kv): Promise<number> {
  let count = 0;
  for await (const { value } of kv.list<{ publishedAt: string }>({ prefix: ["post"] })) {
    if (Date.parse(value.publishedAt) < START) count++;
  }
  return count;
}

/** How many posts the public sees of accounts beyond those that were published there. */
async function countDoubled(
  { url }: ServiceProcess,
  accounts: number,
  slots: StoredSlot[],
): Promise<number> {
  const published = new Set(slots.map(({ externalPostId }) => externalPostId));
  let count = 0;
  for (let at = 0; at < accounts; at++) {
    const platform = PLATFORMS[at % PLATFORMS.length];
    const page = await fetch(`${url}/sandbox/${platform}/${handleOf(at)}/posts`);
    const posts: { id: string; publishedAt: string }[] = await page.json();
    count += posts.filter(({ id, publishedAt }) =>
      Date.parse(publishedAt) >= START && !published.has(id)
    ).length;
  }
  return count;
}
