/** The servers that `posts.ts` compares, each in a process of its own: `posts_server.ts KIND BRANDS POSTS`. */
import { Hono } from "hono";
import { createApiKey } from "../../domain/brands/keys.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { buildService } from "../../domain/service/build.ts";
import { createLog } from "../../domain/foundation/log.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { createApp } from "../../routes/app.ts";
import { madePosts } from "../support/corpus.ts";
import { noMcp, unlimited } from "./unlimited.ts";

const [kind, brands, posts, dataDir] = Deno.args;
const servers = { marquee, hono, bare };
const { handler, secrets } = await servers[kind as keyof typeof servers]();
const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handler);
const ready = JSON.stringify({ port: server.addr.port, secrets });
await Deno.stdout.write(new TextEncoder().encode(`${ready}\n`));

interface Server {
  handler: Deno.ServeHandler;
  secrets: string[];
}

/** The whole service on a real file, with the plans' limits lifted and its log going nowhere. */
async function marquee(): Promise<Server> {
  const settings = readSettings({
    DATA_DIR: dataDir,
    SECRET_KEY: "only for benchmarks, and long enough",
  }, "start");
  const kv = await openStore(settings, MIGRATIONS);
  const now = Date.now;
  const log = createLog("info", { write: (bytes) => Promise.resolve(bytes.length) }, now);
  const service = unlimited(await buildService({ settings, kv, now, log }));
  const secrets = await Promise.all(Array.from({ length: Number(brands) }, async (_, at) => {
    const brand = await createBrand(service, {
      name: `Brand ${at}`,
      plan: "studio",
    });
    await upsertPosts(service, brand.id, madePosts(Number(posts), `brand ${at}`));
    const key = { brandId: brand.id, scopes: ["postsRead" as const], name: "bench" };
    return (await createApiKey(service, key)).secret;
  }));
  return { handler: createApp(service, noMcp).fetch, secrets };
}

/** The answer that the bare servers give: a page of 20 posts. */
async function page(): Promise<{ data: unknown[]; pagination: unknown }> {
  const { shown } = await import("../support/posts_model.ts");
  const data = madePosts(20).map(({ externalId, readings, coverText: _, ...post }) => ({
    id: `post_${externalId}`,
    ...post,
    metrics: shown(post.platform, readings),
  }));
  return { data, pagination: { page: 1, perPage: 20, total: 10_000, pageCount: 500 } };
}

async function hono(): Promise<Server> {
  const body = await page();
  const app = new Hono();
  app.get("/v1/posts", (c) => c.json(body));
  return { handler: app.fetch, secrets: ["none"] };
}

async function bare(): Promise<Server> {
  const bytes = new TextEncoder().encode(JSON.stringify(await page()));
  const headers = { "content-type": "application/json" };
  return { handler: () => new Response(bytes, { headers }), secrets: ["none"] };
}
