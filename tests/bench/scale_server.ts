/** What `scale.ts` starts, on one KV Connect server: `scale_server.ts fill BRANDS POSTS | serve PORT`. */
import { createBrand } from "../../domain/brands/brands.ts";
import { createApiKey } from "../../domain/brands/keys.ts";
import { createLog } from "../../domain/foundation/log.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { buildService } from "../../domain/service/build.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { createApp } from "../../routes/app.ts";
import { madePosts } from "../support/corpus.ts";
import { noMcp, unlimited } from "./unlimited.ts";

const [mode, ...numbers] = Deno.args;
const [first = 0, second = 0] = numbers.map(Number);
const settings = readSettings({
  KV_URL: Deno.env.get("KV_URL"),
  DATA_DIR: Deno.env.get("DATA_DIR"),
  SECRET_KEY: "only for benchmarks, and long enough",
}, "start");
const now = Date.now;
const log = createLog("info", { write: (bytes) => Promise.resolve(bytes.length) }, now);
const kv = await openStore(settings, MIGRATIONS);
const service = await buildService({ settings, kv, now, log });
const say = (value: unknown) =>
  Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(value)}\n`));

if (mode === "fill") {
  const secrets: string[] = [];
  for (let at = 0; at < first; at++) {
    const brand = await createBrand(service, { name: `Brand ${at}`, plan: "studio" });
    await upsertPosts(service, brand.id, madePosts(second, `brand ${at}`));
    const key = { brandId: brand.id, scopes: ["postsRead" as const], name: "bench" };
    secrets.push((await createApiKey(service, key)).secret);
  }
  await say(secrets);
  Deno.exit();
}
const { fetch: handler } = createApp(unlimited(service), noMcp);
Deno.serve({ port: first, hostname: "127.0.0.1", onListen: () => void say("ready") }, handler);
