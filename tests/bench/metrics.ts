/** The metrics pass over many accounts: what it writes, what others feel of it, what it keeps in memory. */
import { createApiKey } from "../../domain/brands/keys.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { buildService } from "../../domain/service/build.ts";
import { SECOND } from "../../domain/foundation/calendar.ts";
import { listValues } from "../../domain/kv/transact.ts";
import { silent } from "../../domain/foundation/log.ts";
import { Platform } from "../../domain/posts/shape.ts";
import type { IncomingPost, Reading } from "../../domain/posts/shape.ts";
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { connectHandle } from "../../domain/platforms/sandbox/handles.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { connectAccount } from "../../domain/platforms/accounts.ts";
import { openStore } from "../../domain/kv/open.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { type Bench, median, percentile } from "./figure.ts";

const BRANDS = 10;
/** Posts that the pass writes together. */
const PAGE = 50;
const SECRET_KEY = "a secret for tests only, and long enough";
const LONGEST_MS = 900_000;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export const bench: Bench = async ({ quick }) => {
  const [accounts, posts] = quick ? [6, 60] : [100, 500];
  const dir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  try {
    const platforms = `${dir}/platforms`;
    const own = `${dir}/own`;
    const keys = await prepare(platforms, own, accounts, posts);
    await using sandbox = await startProcess({ dataDir: platforms, environ: { SANDBOX: "on" } });
    const environ = Object.fromEntries(
      Platform.options.map((name) => [
        `${name.toUpperCase()}_API_URL`,
        `${sandbox.url}/sandbox/${name}`,
      ]),
    );
    const began = performance.now();
    // The pass that is overdue begins with the process.
    const service = await startProcess({ dataDir: own, environ: { ...environ, JOBS: "poll" } });
    const memory: number[] = [];
    let seen = 0;
    const busy = await requests(service, keys, async () => {
      memory.push(await residentMb(service.pid));
      const open = await openJobs(service);
      seen = Math.max(seen, open);
      return performance.now() - began < LONGEST_MS && (open > 0 || seen === 0);
    });
    const seconds = (performance.now() - began) / SECOND;
    let rounds = quick ? 5 : 300;
    const idle = await requests(service, keys, () => Promise.resolve(--rounds > 0));
    await service.stop("SIGTERM");
    const written = await writeRates(own, dir);
    const settled = memory.slice(Math.floor(memory.length / 3));
    return [
      {
        name: `metrics pass over ${accounts} accounts of ${posts} posts: KV writes over bare sets`,
        measured: written.ratio,
        atLeast: 0.7,
        note: `${written.values} values; ${Math.round(written.rate)}/s`,
      },
      {
        name: "p99 of other requests during the pass over idle",
        measured: percentile(busy, 0.99) / percentile(idle, 0.99),
        atMost: 3,
        note:
          `${percentile(busy, 0.99).toFixed(1)} over ${percentile(idle, 0.99).toFixed(1)} ms, ` +
          `${busy.length} requests, pass of ${seconds.toFixed(0)} s`,
      },
      {
        name: "memory at the end of the pass over memory at a third of it",
        measured: settled.at(-1)! / settled[0]!,
        atMost: 1.5,
        note: `${Math.round(settled[0]!)} to ${Math.round(settled.at(-1)!)} MB, ` +
          `highest ${Math.round(Math.max(...memory))} MB`,
      },
    ];
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
};

/** Handles with histories at the platforms, connected in a store of our own; a key each brand. */
async function prepare(platforms: string, own: string, accounts: number, posts: number) {
  const settings = (DATA_DIR: string) => readSettings({ DATA_DIR, SECRET_KEY }, "admin");
  const theirs = await openStore(settings(platforms), MIGRATIONS);
  const kv = await openStore(settings(own), MIGRATIONS);
  const now = Date.now;
  const service = await buildService({ settings: settings(own), kv, now, log: silent });
  const keys: string[] = [];
  for (let at = 0; at < BRANDS; at++) {
    const brand = await createBrand(service, {
      name: `Brand ${at}`,
      plan: "studio",
    });
    const scopes = ["postsRead" as const];
    keys.push(
      (await createApiKey(service, { brandId: brand.id, scopes, name: "bench" }))
        .secret,
    );
    for (let n = at; n < accounts; n += BRANDS) {
      const platform = Platform.options[n % 3]!;
      const grant = await connectHandle(theirs, now, platform, `bench-${n}`, { seeded: posts });
      await connectAccount(service, brand.id, {
        platform,
        kind: platform === "linkedin" ? "organization" : "professional",
        handle: grant.username,
        externalId: grant.externalId,
      }, {
        access: grant.accessToken,
        issuedAt: now(),
        accessExpiresAt: now() + grant.expiresIn * SECOND,
        refresh: grant.refreshToken,
        refreshExpiresAt: null,
      });
    }
  }
  theirs.close();
  kv.close();
  return keys;
}

/** Latencies of list requests, one after another over all brands, while `goOn`. */
async function requests(
  service: ServiceProcess,
  keys: string[],
  goOn: () => Promise<boolean>,
): Promise<number[]> {
  const latencies: number[] = [];
  do {
    for (const key of keys) {
      const began = performance.now();
      const headers = { authorization: `Bearer ${key}` };
      await (await fetch(`${service.url}/v1/posts`, { headers })).body?.cancel();
      latencies.push(performance.now() - began);
      await pause(10);
    }
  } while (await goOn());
  return latencies;
}

async function openJobs(service: ServiceProcess): Promise<number> {
  const { jobs } = await (await fetch(`${service.url}/healthz`)).json();
  return jobs.running + jobs.waiting;
}

async function residentMb(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "rss=", "-p", String(pid)] })
    .output();
  return Number(new TextDecoder().decode(stdout)) / 1024;
}

/** What the pass wrote, written anew: by `upsertPosts` page by page, and as bare sets in batches. */
async function writeRates(own: string, dir: string) {
  const settings = readSettings({ DATA_DIR: own, SECRET_KEY }, "admin");
  const kv = await openStore(settings, MIGRATIONS);
  const brandId = (await listValues<{ id: string }>(kv, ["brand"]))[0]!.id;
  const posts = await incoming(kv, brandId);
  kv.close();
  const ratios: number[] = [];
  let values = 0;
  let rate = 0;
  for (let round = 0; round < 5; round++) {
    const target = await Deno.openKv(`${dir}/upsert-${round}.sqlite3`);
    const now = Date.now;
    const service = { kv: target, now, posts: new PostIndexes(target, now) };
    const upsertMs = await timed(async () => {
      for (let at = 0; at < posts.length; at += PAGE) {
        await upsertPosts(service, brandId, posts.slice(at, at + PAGE));
      }
    });
    const entries: { key: Deno.KvKey; value: unknown }[] = [];
    for await (const { key, value } of target.list({ prefix: [] })) entries.push({ key, value });
    target.close();
    const bare = await Deno.openKv(`${dir}/bare-${round}.sqlite3`);
    const perBatch = Math.ceil(entries.length * PAGE / posts.length);
    const bareMs = await timed(async () => {
      for (let at = 0; at < entries.length; at += perBatch) {
        const batch = bare.atomic();
        for (const { key, value } of entries.slice(at, at + perBatch)) batch.set(key, value);
        await batch.commit();
      }
    });
    bare.close();
    values = entries.length;
    rate = values / upsertMs * SECOND;
    ratios.push(bareMs / upsertMs);
  }
  return { values, rate, ratio: median(ratios) };
}

async function incoming(kv: Deno.Kv, brandId: string): Promise<IncomingPost[]> {
  const posts: IncomingPost[] = [];
  type Stored = Omit<IncomingPost, "readings"> & { id: string; newest: Reading };
  for (const { newest, ...post } of await listValues<Stored>(kv, ["post", brandId])) {
    posts.push({ ...post, readings: [newest] });
  }
  return posts;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
