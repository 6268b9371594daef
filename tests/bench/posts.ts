/** Posts: how fast pages are served, how little size matters, what an index costs to build and to keep. */
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { postPrefix } from "../../domain/posts/records.ts";
import { PostQuery } from "../../domain/posts/query.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { pick, seededRandom } from "../../domain/foundation/chance.ts";
import { madePosts } from "../support/corpus.ts";
import { createApp } from "../../routes/app.ts";
import { testService } from "../support/service.ts";
import { type Bench, type Figure, median } from "./figure.ts";
import { getRequest, load } from "./load.ts";
import { noMcp, unlimited } from "./unlimited.ts";

export const bench: Bench = async ({ quick }) => [
  ...await serving(quick ? 200 : 10_000, quick ? 0.1 : 1.5),
  ...await sizes(quick ? 2_000 : 100_000),
];

/** `GET /v1/posts?perPage=20` against a bare Hono handler and a bare `Deno.serve`, in turns. */
async function serving(posts: number, seconds: number): Promise<Figure[]> {
  await using marquee = await start("marquee", 20, posts);
  await using hono = await start("hono");
  await using bare = await start("bare");
  const random = seededRandom("queries");
  const paths = queries(200).map((query) => `/v1/posts?${query}`);
  const rates: Record<string, number[]> = { marquee: [], hono: [], bare: [] };
  for (let round = 0; round < 12; round++) {
    for (const [name, { port, secrets }] of Object.entries({ marquee, hono, bare })) {
      const requests = Array.from(
        { length: 4_000 },
        () => getRequest(pick(random, paths), pick(random, secrets)),
      );
      const { requestsPerSecond, failed } = await load({
        port,
        connections: 32,
        seconds,
        requests,
      });
      if (failed > 0) throw new Error(`${name} refused ${failed} requests`);
      // The first two rounds warm up.
      if (round > 1) rates[name]!.push(requestsPerSecond);
    }
  }
  // Round by round: what else runs on the machine slows the three of a round alike.
  const against = (theirs: number[]) =>
    median(theirs.map((rate, at) => rates.marquee![at]! / rate));
  return [
    {
      name: "GET /v1/posts?perPage=20, requests/s against a bare Hono handler with c.json",
      measured: against(rates.hono!),
      atLeast: 0.9,
      note: `32 connections, 20 brands of ${posts} posts, 200 queries; ${
        Math.round(median(rates.marquee!))
      } requests/s`,
    },
    {
      name: "the same against a bare Deno.serve that returns the same bytes",
      measured: against(rates.bare!),
      atLeast: 0.5,
    },
  ];
}

/** Many posts against 1,000: p50 of every kind of request, build against a bare list, memory. */
async function sizes(many: number): Promise<Figure[]> {
  await using t = await testService();
  const [small, large] = [await t.brand(), await t.brand()];
  await upsertPosts(t.service, small.brand.id, madePosts(1_000));
  await upsertPosts(t.service, large.brand.id, madePosts(many));
  const built = await building(t.service.kv, large.brand.id, many);
  const app = createApp(unlimited(t.service), noMcp);
  const time = async (secret: string, query: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    const started = performance.now();
    const answer = await app.request(`/v1/posts?${query}`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${query} was answered by ${answer.status}`);
    return performance.now() - started;
  };
  // Both in turns, so that both meet warm code and the same noise; the first third warms up.
  const ratio = async (asked: string[]) => {
    const [larges, smalls]: [number[], number[]] = [[], []];
    for (const [at, query] of asked.entries()) {
      const [ours, theirs] = [await time(large.secret, query), await time(small.secret, query)];
      if (at < asked.length / 3) continue;
      larges.push(ours);
      smalls.push(theirs);
    }
    return median(larges) / median(smalls);
  };
  const count = many.toLocaleString("en-US");
  return [
    {
      name: `filters, sorts and pages on ${count} posts against 1,000, p50, each query new`,
      measured: await ratio(queries(900)),
      atMost: 1.5,
    },
    {
      name: `free text on ${count} posts against 1,000, p50, each query new`,
      measured: await ratio(searches(600)),
      atMost: 5,
    },
    ...built,
  ];
}

async function building(kv: Deno.Kv, brandId: string, many: number): Promise<Figure[]> {
  const [lists, builds]: [number[], number[]] = [[], []];
  const prefix = postPrefix(brandId);
  for (let round = 0; round < 8; round++) {
    const started = performance.now();
    let listed = 0;
    for await (const _ of kv.list({ prefix }, { batchSize: 1_000 })) listed++;
    const between = performance.now();
    await new PostIndexes(kv, Date.now).of(brandId);
    lists.push(between - started);
    builds.push(performance.now() - between);
    if (listed !== many) throw new Error(`Listed ${listed} posts of ${many}`);
  }
  const index = await new PostIndexes(kv, Date.now).of(brandId);
  index.page(PostQuery.parse({ q: "coffee" }));
  return [
    {
      name: `index build of ${many.toLocaleString("en-US")} posts against a bare kv.list over them`,
      measured: median(builds) / median(lists),
      atMost: 1.5,
      note: `${Math.round(median(builds))} ms`,
    },
    {
      name: `memory of an index of ${
        many.toLocaleString("en-US")
      } posts, MB, as the budget counts it`,
      measured: index.bytes / 1e6,
    },
  ];
}

const WORDS = ["coffee", "harbour", "猫", "кофе", "قهوة", "drop", "50%", "crème", "news", "커피"];

/** Query strings, all different, as a dashboard and a script would ask. */
function queries(count: number): string[] {
  const random = seededRandom("queries");
  const asked = new Set<string>();
  while (asked.size < count) {
    const query = new URLSearchParams({ perPage: "20" });
    if (random() < 0.7) query.set("sort", pick(random, PostQuery.shape.sort.unwrap().options));
    if (random() < 0.4) query.set("dir", pick(random, ["asc", "desc"]));
    if (random() < 0.3) query.set("platform", pick(random, ["instagram", "linkedin", "youtube"]));
    if (random() < 0.3) query.set("format", pick(random, ["image", "reel", "story", "video"]));
    if (random() < 0.3) query.set("hashtag", pick(random, ["coffee", "猫", "50off", "new_drop"]));
    if (random() < 0.4) query.set("from", `2026-01-${10 + Math.floor(random() * 20)}`);
    query.set("page", String(1 + Math.floor(random() * 10)));
    asked.add(query.toString());
  }
  return [...asked];
}

function searches(count: number): string[] {
  const random = seededRandom("searches");
  return Array.from({ length: count }, (_, at) => {
    const q = random() < 0.5
      ? pick(random, WORDS)
      : `${pick(random, WORDS)} ${pick(random, WORDS)}`;
    // A day that changes nothing makes each a search of its own.
    const from = new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
    return new URLSearchParams({ perPage: "20", q, from }).toString();
  });
}

/** A server of `posts_server.ts` in a process of its own. */
async function start(kind: string, brands = 0, posts = 0) {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-read", "--allow-write"],
      ...["--allow-ffi", "--allow-sys", new URL("./posts_server.ts", import.meta.url).pathname],
      ...[kind, String(brands), String(posts), dataDir],
    ],
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.endsWith("\n")) {
    const { value, done } = await lines.read();
    if (done) throw new Error(`The ${kind} server did not start`);
    text += value;
  }
  const { port, secrets }: { port: number; secrets: string[] } = JSON.parse(text);
  return {
    port,
    secrets,
    async [Symbol.asyncDispose]() {
      child.kill();
      await lines.cancel();
      await child.status;
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}
