/** Insights over many posts: how long each question takes, how long it keeps the loop, what it keeps. */
import process from "node:process";
import { Insights } from "../../domain/insights/tables.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { createApp } from "../../routes/app.ts";
import { madePosts } from "../support/corpus.ts";
import { testService } from "../support/service.ts";
import { type Bench, type Figure, median } from "./figure.ts";
import { noMcp, unlimited } from "./unlimited.ts";

const MB = 1e6;
const PERIOD = "from=2026-01-15&to=2026-02-13";
const VIEWS: Record<string, string[]> = {
  summary: [`/v1/insights/summary?${PERIOD}`, `/v1/insights/summary?${PERIOD}&platform=linkedin`],
  timeline: [`/v1/insights/timeline?metric=engagement&${PERIOD}`],
  when: ["/v1/insights/when", "/v1/insights/when?platform=youtube"],
  compare: ["format", "hashtag", "hour", "weekday", "platform", "series"]
    .map((by) => `/v1/insights/compare?by=${by}`),
};

export const bench: Bench = async ({ quick }) => {
  const many = quick ? 2_000 : 100_000;
  await using t = await testService();
  const { brand, secret } = await t.brand();
  await upsertPosts(t.service, brand.id, madePosts(many));
  const before = performance.now();
  const insights = new Insights(t.service.kv);
  const { value: table, longest: building } = await watched(async () => {
    // A request gives up before the table of a large brand is ready; the build goes on.
    for (;;) {
      const table = await insights.of(brand.id).catch(() => null);
      if (table !== null) return table;
    }
  });
  const built = performance.now() - before;
  const app = createApp({ ...unlimited(t.service), insights }, noMcp);
  const ask = async (path: string) => {
    const started = performance.now();
    const answer = await app.request(path, { headers: { authorization: `Bearer ${secret}` } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} was answered by ${text}`);
    return performance.now() - started;
  };
  const { data } = await (await app.request("/v1/posts?perPage=40", {
    headers: { authorization: `Bearer ${secret}` },
  })).json();
  // Loads the code, and lets the compiler see each computation once.
  for (const path of Object.values(VIEWS).flat()) await ask(path);
  await upsertPosts(t.service, brand.id, changedPosts(1));
  const views = {
    ...VIEWS,
    standing: data.map(({ id }: { id: string }) => `/v1/posts/${id}/standing`),
  };
  const count = many.toLocaleString("en-US");
  const figures: Figure[] = [];
  for (const [view, paths] of Object.entries(views)) {
    const first: number[] = [];
    const cold = await watched(async () => {
      for (const path of paths) first.push(await ask(path));
    });
    const warm: number[] = [];
    const again = await watched(async () => {
      for (let round = 0; round < 40; round++) {
        warm.push(await ask(paths[round % paths.length]!));
      }
    });
    figures.push({
      name: `${view} of ${count} posts, p50 warm, ms`,
      measured: median(warm),
      atMost: 50,
      note: `the first after a change ${Math.round(Math.max(...first))} ms`,
    }, {
      name: `the longest block of the loop by ${view}, ms`,
      measured: Math.max(cold.longest, again.longest),
      atMost: 20,
    });
  }
  await upsertPosts(t.service, brand.id, changedPosts(1_000));
  const patched = performance.now();
  const { longest } = await watched(() => insights.of(brand.id));
  return [
    ...figures,
    { name: `building the table of ${count} posts, ms`, measured: built },
    {
      name: "the longest block of the loop by that, ms",
      measured: building,
      note: "listing the posts alone has it, too",
    },
    {
      name: "taking over 1,000 changed posts, ms",
      measured: performance.now() - patched,
      note: `longest block ${longest.toFixed(1)} ms`,
    },
    { name: `memory of the table of ${count} posts, MB`, measured: table.bytes / MB },
  ];
};

function changedPosts(count: number) {
  return madePosts(count).map((post) => ({
    ...post,
    readings: post.readings.map((reading) => ({ ...reading, likes: reading.likes + 1 })),
  }));
}

/**
 * Runs `work`, and measures the longest time, ms, in which nothing else got its turn: at most the
 * processor time of this process meanwhile, because others on the machine are not its fault.
 */
async function watched<T>(work: () => Promise<T>): Promise<{ value: T; longest: number }> {
  const used = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  let [longest, open, last, spent] = [0, true, performance.now(), used()];
  const watch = (async () => {
    while (open) {
      await new Promise((done) => setTimeout(done));
      const [now, cpu] = [performance.now(), used()];
      longest = Math.max(longest, Math.min(now - last, cpu - spent));
      [last, spent] = [now, cpu];
    }
  })();
  const value = await work();
  open = false;
  await watch;
  return { value, longest };
}
