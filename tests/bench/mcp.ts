/** The agents' face against REST: the same operations by both, call by call in turns, one process. */
import { createApiKey, Scope } from "../../domain/brands/keys.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { buildService } from "../../domain/service/build.ts";
import { createLog } from "../../domain/foundation/log.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { mcpFace } from "../../mcp/server.ts";
import { createApp } from "../../routes/app.ts";
import { madePosts } from "../support/corpus.ts";
import { type Bench, type Figure, median } from "./figure.ts";

/** One request, answered and read to its end. */
type Ask = () => Promise<void>;

export const bench: Bench = async ({ quick }) => {
  const dataDir = await Deno.makeTempDir({ prefix: "marquee-bench-" });
  const { rest, rpc, postId, close } = await start(dataDir, quick ? 200 : 1_000);
  const rounds = quick ? 30 : 1_500;
  const calls: [string, Ask, Ask][] = [
    call("/v1/posts", "list_posts", {}),
    call(`/v1/posts/${postId}`, "get_post", { id: postId }),
    call("/v1/credits", "get_credits", {}),
    call("/v1/series", "list_series", {}),
  ];
  const figures: Figure[] = [{
    name: "tools/list against the list of operations by REST, GET /v1/openapi.json, p50",
    ...await compare([["", rest("/v1/openapi.json"), rpc("tools/list", {})]], rounds),
    atMost: 1.5,
  }, {
    name: "tools/list against an authenticated list by REST, GET /v1/posts?perPage=100, p50",
    ...await compare([["", rest("/v1/posts?perPage=100"), rpc("tools/list", {})]], rounds),
    atMost: 1.5,
  }, {
    name: "tools/call against the same operations by REST, p50",
    ...await compare(calls, rounds),
    atMost: 1.3,
  }, {
    // The answer goes twice, as data and as text, for clients that read only one of them.
    name: "the same for the largest answer there is, 100 posts",
    ...await compare([call("/v1/posts?perPage=100", "list_posts", { perPage: 100 })], rounds),
  }];
  close();
  await Deno.remove(dataDir, { recursive: true });
  return figures;

  function call(path: string, name: string, given: object): [string, Ask, Ask] {
    return [name, rest(path), rpc("tools/call", { name, arguments: given })];
  }
};

/** The whole service as in production, on a real file; its clock moves on a second with each request. */
async function start(dataDir: string, posts: number) {
  const settings = readSettings({
    DATA_DIR: dataDir,
    SECRET_KEY: "only for benchmarks, and long enough",
  }, "start");
  const kv = await openStore(settings, MIGRATIONS);
  const clock = { at: Date.now() };
  const now = () => clock.at;
  const log = createLog("info", { write: (bytes) => Promise.resolve(bytes.length) }, now);
  const service = { ...await buildService({ settings, kv, now, log }), checkOutput: false };
  const brand = await createBrand(service, { name: "Bench", plan: "studio" });
  await upsertPosts(service, brand.id, madePosts(posts));
  const key = { brandId: brand.id, scopes: [...Scope.options], name: "bench" };
  const { secret } = await createApiKey(service, key);
  const app = createApp(service, mcpFace(service));
  const authorization = `Bearer ${secret}`;
  const send = async (path: string, init: RequestInit) => {
    clock.at += 1_000;
    const answer = await app.request(path, init);
    if (answer.status !== 200) throw new Error(`${path} was answered by ${answer.status}`);
    return await answer.arrayBuffer();
  };
  const first = await send("/v1/posts?perPage=1", { headers: { authorization } });
  const postId: string = JSON.parse(new TextDecoder().decode(first)).data[0].id;
  const rest = (path: string): Ask => async () => {
    await send(path, { headers: { authorization } });
  };
  const rpc = (method: string, params: object): Ask => async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = {
      authorization,
      "content-type": "application/json",
      "content-length": String(body.length),
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    };
    await send("/mcp", { method: "POST", headers, body });
  };
  return { rest, rpc, postId, close: () => kv.close() };
}

/** The medians' ratio, all calls together; each by its own in the note. */
async function compare(
  calls: [name: string, rest: Ask, rpc: Ask][],
  rounds: number,
): Promise<{ measured: number; note: string }> {
  const times = calls.map(() => ({ rest: [] as number[], rpc: [] as number[] }));
  for (let round = 0; round < rounds * 1.2; round++) {
    for (const [at, [, rest, rpc]] of calls.entries()) {
      const started = performance.now();
      await rest();
      const between = performance.now();
      await rpc();
      const ended = performance.now();
      // The first sixth warms up.
      if (round < rounds * 0.2) continue;
      times[at]!.rest.push(between - started);
      times[at]!.rpc.push(ended - between);
    }
  }
  const medians = times.map(({ rest, rpc }) => ({ rest: median(rest), rpc: median(rpc) }));
  const sum = (face: "rest" | "rpc") => medians.reduce((all, one) => all + one[face], 0);
  const micros = (ms: number) => Math.round(ms * 1_000);
  const note = medians.map(({ rest, rpc }, at) =>
    `${calls[at]![0]} ${micros(rpc)} and ${micros(rest)} µs`.trim()
  );
  return { measured: sum("rpc") / sum("rest"), note: note.join(", ") };
}
