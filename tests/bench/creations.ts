/** Creations: what the job machinery adds to painting, and 200 of them at once beside other requests. */
import { createApiKey, Scope } from "../../domain/brands/keys.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { buildService } from "../../domain/service/build.ts";
import { silent } from "../../domain/foundation/log.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { Worker } from "../../jobs/worker.ts";
import { mcpFace } from "../../mcp/server.ts";
import { createApp } from "../../routes/app.ts";
import { BODY } from "../support/creations.ts";
import { startProcess } from "../support/process.ts";
import type { Bench, Figure } from "./figure.ts";
import { median, percentile } from "./figure.ts";

const SECRET_KEY = "a secret for tests only, and long enough";

export const bench: Bench = async ({ quick }) => [
  ...await machinery(quick ? 2 : 12),
  ...await manyAtOnce(
    quick ? { brands: 2, each: 2, idleMs: 500 } : {
      brands: 20,
      each: 10,
      idleMs: 5_000,
    },
  ),
];

async function openBench() {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  const settings = readSettings({ DATA_DIR: dataDir, SECRET_KEY }, "start");
  const kv = await openStore(settings, MIGRATIONS);
  const service = await buildService({ settings, kv, now: () => Date.now(), log: silent });
  return { dataDir, service };
}

async function newKeys(service: Awaited<ReturnType<typeof openBench>>["service"], count: number) {
  const secrets: string[] = [];
  for (let n = 0; n < count; n++) {
    const brand = await createBrand(service, {
      name: `Brand ${n}`,
      plan: "studio",
    });
    const key = { brandId: brand.id, scopes: Scope.options, name: "bench" };
    secrets.push((await createApiKey(service, key)).secret);
  }
  return secrets;
}

/** From POST to `complete` on an idle service, less the time that the painter itself took. */
async function machinery(rounds: number): Promise<Figure[]> {
  const { dataDir, service } = await openBench();
  const painting: number[] = [];
  const imageModel: typeof service.imageModel = {
    name: "timed",
    atOnce: service.imageModel.atOnce,
    async paint(request) {
      const startedAt = performance.now();
      const painted = await service.imageModel.paint(request);
      painting.push(performance.now() - startedAt);
      return painted;
    },
  };
  const timed = { ...service, imageModel };
  const [secret] = await newKeys(service, 1);
  const app = createApp(timed, mcpFace(timed));
  const worker = new Worker(timed, HANDLERS);
  worker.start();
  const added: number[] = [];
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now();
    const answer = await app.request("/v1/creations", {
      method: "POST",
      headers,
      body: JSON.stringify({ ...BODY, aspectRatio: "portrait" }),
    });
    const { id } = await answer.json();
    const done = await app.request(`/v1/creations/${id}?wait=60`, { headers });
    if ((await done.json()).status !== "complete") {
      throw new Error("The creation did not complete.");
    }
    // The first one loads the painter.
    if (round > 0) added.push(performance.now() - startedAt - painting.at(-1)!);
  }
  await worker.stop(1_000);
  service.kv.close();
  await Deno.remove(dataDir, { recursive: true });
  return [{
    name: "POST to complete beyond the painting itself, ms, median",
    measured: median(added),
    atMost: 50,
    note: `painting ${Math.round(median(painting))} ms`,
  }];
}

interface Load {
  brands: number;
  each: number;
  idleMs: number;
}

async function manyAtOnce({ brands, each, idleMs }: Load): Promise<Figure[]> {
  const { dataDir, service } = await openBench();
  const painters = await newKeys(service, brands);
  const others = await newKeys(service, 5);
  service.kv.close();
  await using child = await startProcess({ dataDir });
  const call = (secret: string, path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    return fetch(`${child.url}${path}`, { ...init, headers });
  };
  let refused = 0;
  /** Asks for the credits of other brands, 75 times a second in all, until told to stop. */
  async function probe(until: () => boolean): Promise<number[]> {
    const times: number[] = [];
    await Promise.all(others.map(async (secret) => {
      while (!until()) {
        const startedAt = performance.now();
        const answer = await call(secret, "/v1/credits");
        await answer.body?.cancel();
        if (answer.status !== 200) refused++;
        const took = performance.now() - startedAt;
        times.push(took);
        await new Promise((done) => setTimeout(done, Math.max(0, 66 - took)));
      }
    }));
    return times;
  }

  const idleUntil = performance.now() + idleMs;
  // The first painting loads sharp and the painter: a service at work has them.
  const warm = await (await post(painters[0]!)).json();
  await (await call(painters[0]!, `/v1/creations/${warm.id}?wait=60`)).body?.cancel();
  const idle = await probe(() => performance.now() > idleUntil + 2_000);

  let finished = false;
  const probing = probe(() => finished);
  const startedAt = performance.now();
  function post(secret: string) {
    return call(secret, "/v1/creations", { method: "POST", body: JSON.stringify(BODY) });
  }
  const statuses = await Promise.all(
    painters.flatMap((secret) => Array.from({ length: each }, () => post(secret))),
  );
  for (const answer of statuses) await answer.body?.cancel();
  const posted = statuses.filter(({ status }) => status === 202).length;
  let terminal = 0;
  for (const secret of painters) {
    terminal += await settled(() => call(secret, "/v1/creations?perPage=100"));
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  finished = true;
  const busy = await probing;
  let used = 0;
  for (const secret of painters) used += (await (await call(secret, "/v1/credits")).json()).used;
  const memory = await peakMemory(child.pid);
  await child.stop();
  await Deno.remove(dataDir, { recursive: true });
  const total = brands * each;
  return [
    { name: `${total} creations at once: terminal`, measured: terminal - 1, atLeast: total },
    {
      name: `${total} creations at once: credits used`,
      measured: used - 1,
      atLeast: total,
      atMost: posted,
      note: `${seconds.toFixed(1)} s in all`,
    },
    {
      name: "other requests' p99 while they are painted, times idle",
      measured: percentile(busy, 0.99) / percentile(idle, 0.99),
      atMost: 3,
      note: `idle ${percentile(idle, 0.99).toFixed(1)} ms, busy ${
        percentile(busy, 0.99).toFixed(1)
      } ms, medians ${median(idle).toFixed(1)} and ${median(busy).toFixed(1)} ms, ${
        idle.length + busy.length
      } requests, ${refused} refused`,
    },
    { name: "peak memory of the process, MB", measured: memory },
  ];
}

/** How many of a brand's creations are terminal, once all are. */
async function settled(list: () => Promise<Response>): Promise<number> {
  for (;;) {
    const { data } = await (await list()).json();
    if (
      data !== undefined && data.every(({ status }: { status: string }) => status !== "pending")
    ) {
      return data.length;
    }
    await new Promise((done) => setTimeout(done, 250));
  }
}

/** The most that the process ever held, MB; 0 where the system does not say. */
async function peakMemory(pid: number): Promise<number> {
  // Deno itself reads below /proc only with every permission.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  return Number(/VmHWM:\s+(\d+) kB/.exec(new TextDecoder().decode(stdout))?.[1] ?? 0) / 1_024;
}
