/** What `memory.ts` measures, in processes of their own: `memory_server.ts fill|serve|cold DIR BRANDS POSTS`. */
import { createApiKey } from "../../domain/brands/keys.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { createLog } from "../../domain/foundation/log.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { buildService } from "../../domain/service/build.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { createApp } from "../../routes/app.ts";
import { madePosts } from "../support/corpus.ts";
import { measureCold } from "./memory_cold.ts";
import { noMcp, unlimited } from "./unlimited.ts";

/** Resident memory in bytes: at the start, and after each brand was read once and twice. */
export interface Served {
  rss: number[];
}

const [mode, dir = "", brands, posts] = Deno.args;
const settings = readSettings(
  { DATA_DIR: dir, SECRET_KEY: "only for benchmarks".repeat(2) },
  "start",
);
const kv = await openStore(settings, MIGRATIONS);
const now = Date.now;
const log = createLog("info", { write: (bytes) => Promise.resolve(bytes.length) }, now);
const cold = async () => await measureCold(await buildService({ settings, kv, now, log }));
const modes = { fill, serve, cold };
const result = await modes[mode as keyof typeof modes]();
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(result)));
Deno.exit();

async function fill(): Promise<string[]> {
  const service = await buildService({ settings, kv, now, log });
  const secrets: string[] = [];
  for (let at = 0; at < Number(brands); at++) {
    const brand = await createBrand(service, {
      name: `Brand ${at}`,
      plan: "studio",
    });
    await upsertPosts(service, brand.id, madePosts(Number(posts), `brand ${at}`));
    const key = { brandId: brand.id, scopes: ["postsRead" as const], name: "bench" };
    secrets.push((await createApiKey(service, key)).secret);
  }
  await Deno.writeTextFile(`${dir}/secrets.json`, JSON.stringify(secrets));
  return secrets;
}

/** The whole service over HTTP. Each brand is asked for its first page, then for another order. */
async function serve(): Promise<Served> {
  const service = unlimited(await buildService({ settings, kv, now, log }));
  const { fetch: handler } = createApp(service, noMcp);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handler);
  const secrets: string[] = JSON.parse(await Deno.readTextFile(`${dir}/secrets.json`));
  const rss = [Deno.memoryUsage().rss];
  for (const query of ["", "?sort=views"]) {
    for (const secret of secrets) {
      const headers = { authorization: `Bearer ${secret}` };
      const answer = await fetch(`http://127.0.0.1:${server.addr.port}/v1/posts${query}`, {
        headers,
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`Answered ${answer.status}`);
    }
    rss.push(Deno.memoryUsage().rss);
  }
  return { rss };
}
