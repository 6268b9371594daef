/** Days of a brand on three instances and one store: what was due happens, and happens once. */
import { DAY, HOUR, iso, MINUTE } from "../../domain/foundation/calendar.ts";
import { KV_TOKEN, startDenokv } from "../support/denokv.ts";
import { hasHaproxy, startHaproxy } from "../support/haproxy.ts";
import { admin } from "../support/process.ts";
import { Cloud } from "./cloud.ts";
import { imagesIn } from "./images.ts";
import type { Json } from "../support/json.ts";

const START = Date.parse("2026-11-16T00:30:00Z");
/** By then the brand is there. */
const READY = START + HOUR;
/** Often enough that no post is too late (24 hours), even when one step's instance is killed. */
const STEP = 12 * HOUR;
const INSTANCES = 3;
const HANDLES = { instagram: "harbour.coffee", linkedin: "harbour-coffee", youtube: "SMii7Y" };
const PUBLISHES = ["instagram", "linkedin"] as const;
/** Requests of each step, sent together. */
const REQUESTS = 6;
const SECRET_KEY = "a secret for rehearsals only, long enough for Deno Deploy";

/** What is printed, and what must hold. */
export interface Count {
  name: string;
  measured: number | string;
  must?: number;
}

interface Item {
  status: string;
  scheduledFor: string;
}

export async function rehearse(days: number): Promise<Count[]> {
  const dir = await Deno.makeTempDir({ prefix: "marquee-rehearsal-" });
  try {
    return await rehearseIn(dir, days);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function rehearseIn(dir: string, days: number): Promise<Count[]> {
  await using denokv = await startDenokv();
  const kvHost = new URL(denokv.url).host;
  await using haproxy = hasHaproxy
    ? await startHaproxy({ processes: [kvHost, kvHost], denokv: kvHost })
    : null;
  const images = await imagesIn(dir);
  const store = { KV_URL: haproxy?.kvUrl ?? denokv.url, DENO_KV_ACCESS_TOKEN: KV_TOKEN };
  const common = { ...store, SECRET_KEY, SANDBOX: "on" };
  const environ = { ...common, LOG_LEVEL: "info", ...images.environ };
  await using cloud = new Cloud(INSTANCES, environ, images.writable);
  const brand = await setUp(cloud, (args) => admin(dir, args, { ...common, DATA_DIR: dir }));
  await cloud.turnTo(iso(READY));
  await cloud.runCrons(0);
  const steps = Math.ceil(days * DAY / STEP);
  let [failed, sent] = [0, 0];
  for (let step = 1; step <= steps; step++) {
    await cloud.turnTo(iso(START + step * STEP));
    const asked = Array.from({ length: REQUESTS }, (_, n) => brand.visit(n));
    if (step % 4 === 0) await cloud.killInCrons(step % INSTANCES, 200 * (step % 3));
    await cloud.runCrons((step + 1) % INSTANCES);
    const statuses = await Promise.all(asked);
    sent += statuses.length;
    failed += statuses.filter((status) => status >= 400).length;
  }
  const end = START + steps * STEP;
  const slots = await brand.slots(end);
  const published = slots.filter(({ status }) => status === "published").length;
  const shown = await brand.shown();
  await cloud.turnTo(iso(end + MINUTE));
  const reads = cloud.logged.map((line) => JSON.parse(line))
    .filter(({ pass, startedAt }) => pass === "metrics" && Date.parse(startedAt) >= READY);
  const read = Object.keys(HANDLES).length;
  const { tally } = cloud;
  return [
    { name: "days", measured: days },
    { name: "images are in", measured: images.words },
    { name: "the store is behind haproxy", measured: haproxy === null ? "no" : "yes" },
    { name: "instances started, each without a disk", measured: tally.started },
    { name: "instances stopped; killed at work", measured: `${tally.stopped}; ${tally.killed}` },
    { name: "instances that took over 5 s to end", measured: tally.endedLate, must: 0 },
    { name: "crons that failed", measured: tally.cronsFailed, must: 0 },
    { name: "requests sent", measured: sent },
    { name: "requests failed", measured: failed, must: 0 },
    { name: "posts that were due", measured: slots.length, must: PUBLISHES.length * days },
    { name: "posts published", measured: published, must: slots.length },
    { name: "posts doubled at the platforms", measured: shown - published, must: 0 },
    { name: "metrics passes", measured: reads.length },
    {
      name: `metrics passes that did not read all ${read} accounts`,
      measured: reads.filter(({ accounts, failed }) => accounts !== read || failed > 0).length,
      must: 0,
    },
  ];
}

/** A brand with three accounts and a daily series on two of them. */
async function setUp(cloud: Cloud, run: (args: string[]) => Promise<Json>) {
  await cloud.turnTo(iso(START));
  await (await fetch(`${cloud.url}/healthz`)).body?.cancel();
  const brand = await run(["brand", "create", "--name", "Harbour Coffee", "--plan", "studio"]);
  const scopes = "postsRead,createRead,createWrite,publishWrite";
  const key = await run(["key", "create", "--brand", brand.id, "--scopes", scopes]);
  const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };
  const call = (path: string, body?: unknown) =>
    fetch(cloud.url + path, {
      headers,
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
  const series: string[] = [];
  for (const [platform, handle] of Object.entries(HANDLES)) {
    const args = ["--brand", brand.id, "--platform", platform, "--sandbox", handle];
    const account = await run(["social", "connect", ...args]);
    if (!PUBLISHES.some((one) => one === platform)) continue;
    const made = await call("/v1/series", {
      name: `Daily on ${platform}`,
      mode: "manual",
      theme: "Coffee by the water",
      format: "post",
      cadenceDays: 1,
      hourUtc: 9,
      socialAccountId: account.id,
    });
    series.push((await made.json()).id);
  }
  return {
    /** One request of a client; its status. */
    async visit(n: number): Promise<number> {
      const answer = n === 0
        ? await call("/v1/creations", { prompt: "A cup", idea: "cup", aspectRatio: "square" })
        : await call(n % 2 === 0 ? "/v1/posts?sort=views&perPage=5" : "/v1/series");
      await answer.body?.cancel();
      return answer.status;
    },
    /** The scheduled posts whose time has come. */
    async slots(end: number): Promise<Item[]> {
      const items: Item[] = [];
      for (const id of series) items.push(...(await (await call(`/v1/series/${id}`)).json()).items);
      return items.filter(({ scheduledFor }) => Date.parse(scheduledFor) <= end);
    },
    /** How many posts the public sees since the start. */
    async shown(): Promise<number> {
      let count = 0;
      for (const platform of PUBLISHES) {
        const page = await fetch(`${cloud.url}/sandbox/${platform}/${HANDLES[platform]}/posts`);
        const posts: { publishedAt: string }[] = await page.json();
        count += posts.filter(({ publishedAt }) => Date.parse(publishedAt) >= START).length;
      }
      return count;
    },
  };
}
