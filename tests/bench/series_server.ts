/** The service that `series.ts` measures, in a process of its own: `pass` or `reset` on stdin. */
import { cpuUsage } from "node:process";
import { createApiKey } from "../../domain/brands/keys.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { buildService } from "../../domain/service/build.ts";
import { DAY, iso } from "../../domain/foundation/calendar.ts";
import { newId } from "../../domain/foundation/ids.ts";
import { createLog } from "../../domain/foundation/log.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import {
  seriesKey,
  type StoredSeries,
  type Strategy,
  strategyKey,
} from "../../domain/series/records.ts";
import { UNSET } from "../../domain/series/rules.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { type Allocation, type Playbook, shares } from "../../domain/series/playbook.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { runPass } from "../../jobs/passes.ts";
import { Worker } from "../../jobs/worker.ts";
import { createApp } from "../../routes/app.ts";
import { madePosts } from "../support/corpus.ts";
import { noMcp, unlimited } from "./unlimited.ts";

const BRANDS = 20;
// A Monday after midnight: the first slots are more than a day ahead, so nothing is painted.
const MONDAY = Date.parse("2026-11-23T00:30:00Z");

const PLAYBOOK: Playbook = {
  cadencePerWeek: 3,
  formatWeights: [{ format: "post", weight: 0.7 }, { format: "carousel", weight: 0.3 }],
  postHoursUtc: [9, 18],
  directions: ["Behind the scenes", "How to", "Questions"].map((direction) => ({
    direction,
    action: "test",
    rationale: "Too few posts to judge.",
  })),
  overlayGuidance: "",
  experiments: [],
  summary: "",
};
const even = (arms: string[]) => shares(arms.map((arm) => ({ arm, share: 1 })));
const ALLOCATION: Allocation = {
  formats: PLAYBOOK.formatWeights.map(({ format, weight }) => ({ arm: format, share: weight })),
  directions: even(PLAYBOOK.directions.map(({ direction }) => direction)),
  hours: even(PLAYBOOK.postHoursUtc.map(String)),
  templates: [],
};

const [count, dataDir] = Deno.args;
const settings = readSettings({
  DATA_DIR: dataDir,
  SECRET_KEY: "only for benchmarks, and long enough",
}, "start");
const kv = await openStore(settings, MIGRATIONS);
const offset = MONDAY - Date.now();
const now = () => Date.now() + offset;
const log = createLog("error", { write: (bytes) => Promise.resolve(bytes.length) }, now);
const service = unlimited(await buildService({ settings, kv, now, log }));

const secrets: string[] = [];
for (let at = 0; at < BRANDS; at++) {
  const brand = await createBrand(service, { name: `Brand ${at}`, plan: "studio" });
  await upsertPosts(service, brand.id, madePosts(100, `brand ${at}`));
  const key = { brandId: brand.id, scopes: ["postsRead" as const], name: "bench" };
  secrets.push((await createApiKey(service, key)).secret);
  for (let of = at; of < Number(count); of += BRANDS) await store(brand.id, of % 2 === 0);
}

async function store(brandId: string, manual: boolean): Promise<void> {
  const series: StoredSeries = {
    ...UNSET,
    ...(manual
      ? { mode: "manual", theme: "Bread", format: "post", cadenceDays: 3, formats: [] }
      : { mode: "autopilot", goal: "More guests", formats: ["post", "carousel"] }),
    id: newId("series", now()),
    brandId,
    name: "S",
    active: true,
    // A manual grid that began yesterday has its next slot in two days.
    createdAt: iso(now() - DAY),
    deletedAt: null,
    slotsPlanned: 0,
    drops: 0,
  };
  const strategy: Strategy = {
    reviewId: newId("review", now()),
    reviewedAt: now(),
    playbook: PLAYBOOK,
    allocation: ALLOCATION,
  };
  await kv.set(seriesKey(brandId, series.id), series);
  if (!manual) await kv.set(strategyKey(brandId, series.id), strategy);
}

const server = Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen() {} },
  createApp(service, noMcp).fetch,
);
const worker = new Worker(service, HANDLERS);
worker.start();
const say = (value: unknown) =>
  Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
await say({ port: server.addr.port, secrets });

/** Forgets what was planned, so that the next pass plans all of it again. */
async function reset(): Promise<void> {
  for (const collection of ["slot", "slotEvent"]) {
    for await (const { key } of kv.list({ prefix: [collection] })) await kv.delete(key);
  }
  for await (const { key, value } of kv.list<StoredSeries>({ prefix: ["series"] })) {
    await kv.set(key, { ...value, slotsPlanned: 0 });
  }
}

for await (const line of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  if (line === "reset\n") {
    await reset();
    await say({});
    continue;
  }
  const before = cpuUsage();
  const startedAt = performance.now();
  const { series, planned } = await runPass(service, worker, "series");
  const { user, system } = cpuUsage(before);
  await say({ series, planned, cpuMs: (user + system) / 1_000, ms: performance.now() - startedAt });
}
