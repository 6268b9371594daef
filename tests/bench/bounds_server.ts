/** The server that `bounds.ts` measures, in a process of its own: `bounds_server.ts DIR SOURCE BRANDS POSTS`. */
import { createApiKey, Scope } from "../../domain/brands/keys.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { pick, seededRandom } from "../../domain/foundation/chance.ts";
import { createLog } from "../../domain/foundation/log.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { buildService } from "../../domain/service/build.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { createApp } from "../../routes/app.ts";
import { madePosts } from "../support/corpus.ts";
import { noMcp, unlimited } from "./unlimited.ts";

const [dataDir = "", source = "", brands, posts] = Deno.args;
const port = Number(Deno.args[4]);
const settings = readSettings({
  DATA_DIR: dataDir,
  SECRET_KEY: "a secret for benchmarks only, 32 or more",
  BASE_URL: `http://127.0.0.1:${port}`,
  ALLOW_PRIVATE_HOSTS: source,
}, "start");
const now = Date.now;
const kv = await openStore(settings, MIGRATIONS);
const log = createLog("info", { write: (bytes) => Promise.resolve(bytes.length) }, now);
const service = unlimited(await buildService({ settings, kv, now, log }));
const secrets: string[] = [];
for (let at = 0; at < Number(brands); at++) {
  const brand = await createBrand(service, { name: `Brand ${at}`, plan: "studio" });
  const key = { brandId: brand.id, scopes: Scope.options, name: "bench" };
  secrets.push((await createApiKey(service, key)).secret);
  await upsertPosts(service, brand.id, at === 0 ? wordy(Number(posts)) : madePosts(50));
}
const app = createApp(service, noMcp);
Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, (request) => {
  if (new URL(request.url).pathname !== "/memory") return app.fetch(request);
  return new Response(String(Deno.memoryUsage().rss));
});
await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(secrets)}\n`));

/** Posts with 40 more words each, of 5,000 different ones. */
function wordy(length: number) {
  const random = seededRandom("words");
  const words = Array.from({ length: 5_000 }, (_, at) => (at * 7_919 % 1_000_003).toString(36));
  return madePosts(length).map((post) => ({
    ...post,
    caption: `${post.caption} ${Array.from({ length: 40 }, () => pick(random, words)).join(" ")}`,
  }));
}
