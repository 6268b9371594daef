/** A process that a test kills: saves a brand's index, and says so after each block. */
import { silent } from "../../domain/foundation/log.ts";
import { readSettings } from "../../domain/foundation/settings.ts";
import { openStore } from "../../domain/kv/open.ts";
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { buildService } from "../../domain/service/build.ts";
import { MIGRATIONS } from "../../domain/service/migrations.ts";
import { SavedIndexes } from "../../domain/service/saved_indexes.ts";

const [brandId = "", at, leastPosts, blockPosts] = Deno.args;
const settings = readSettings(Deno.env.toObject(), "admin");
const kv = await openStore(settings, MIGRATIONS);
const now = () => Number(at);
const service = await buildService({ settings, kv, now, log: silent });
const { storage } = service;
let blocks = 0;
const slow = Object.assign(Object.create(storage), {
  put: async (...input: Parameters<typeof storage.put>) => {
    await storage.put(...input);
    Deno.stdout.writeSync(new TextEncoder().encode(`${++blocks}\n`));
    // The third block is written, and the process is killed before the fourth.
    if (blocks === 3) await new Promise((done) => setTimeout(done, 1e9));
  },
});
const limits = { leastPosts: Number(leastPosts), blockPosts: Number(blockPosts) };
const files = new SavedIndexes({ ...service, storage: slow }, limits);
await new PostIndexes(kv, now, { files }).of(brandId);
await files.idle();
Deno.exit();
