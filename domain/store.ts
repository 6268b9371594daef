/** Opening the KV store: embedded file, KV Connect or Deploy's own; schema version and migrations. */
import { DatabaseSync } from "node:sqlite";
import { indexJobs } from "./jobs.ts";
import { patiently } from "./kv.ts";
import { countPrefix, pack } from "./meter/count.ts";
import { DEPLOY_NAMES, type Settings } from "./settings.ts";

/** The store can't be used; its message is one clear line. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

const SCHEMA_KEY = ["schema"];

/**
 * Ordered steps from one schema version to the next; each may run twice. 2 → 3: jobs were in the order
 * of time only, not in their brand's, and the dead in none.
 */
const MIGRATIONS: ((kv: Deno.Kv) => Promise<void>)[] = [packCounts, indexJobs];

/** Whether the process runs on Deno Deploy, which brings its own store, port and files. */
export function isOnDeploy(): boolean {
  return DEPLOY_NAMES.some((name) => Deno.env.get(name) !== undefined);
}

/** True where the store carries KV queues: the embedded file, not Deploy and not KV Connect. */
export function hasQueues(settings: Settings): boolean {
  return settings.KV_URL === undefined && !isOnDeploy();
}

export async function openStore(settings: Settings): Promise<Deno.Kv> {
  const kv = await open(settings);
  await migrate(kv);
  return kv;
}

async function open(settings: Settings): Promise<Deno.Kv> {
  if (settings.KV_URL !== undefined) return await openRemote(settings.KV_URL);
  if (isOnDeploy()) return await Deno.openKv();
  const dir = settings.DATA_DIR;
  const path = `${dir}/kv.sqlite3`;
  try {
    await Deno.mkdir(dir, { recursive: true });
    const probe = await Deno.makeTempFile({ dir, prefix: ".write-" });
    await Deno.remove(probe);
  } catch (error) {
    throw new StoreError(`Cannot write to DATA_DIR ${dir}: ${reason(error)}`);
  }
  await refuseForeignFile(path);
  try {
    return await patiently(() => Deno.openKv(path));
  } catch (error) {
    throw new StoreError(`Cannot open ${path}: ${reason(error)}`);
  }
}

/** It is spoken to at first use: so it is asked for something. */
async function openRemote(url: string): Promise<Deno.Kv> {
  try {
    const kv = await Deno.openKv(url);
    await kv.get(SCHEMA_KEY);
    return kv;
  } catch (error) {
    throw new StoreError(`Cannot use the store at KV_URL ${url}: ${reason(error)}`);
  }
}

/** What Deno KV needs; a later Deno may add to it. */
const KV_MAIN = ["migration_state", "kv", "queue"];
/** What it makes at first use; another process may be at it just now, or have died over it. */
const KV_TABLES = new Set([...KV_MAIN, "data_version", "queue_running"]);

/** Refuses a file that is not a Deno KV database, before anything could change it. */
async function refuseForeignFile(path: string): Promise<void> {
  const size = await Deno.stat(path).then((info) => info.size, () => 0);
  if (size === 0) return;
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
      const names = new Set(tables.map((table) => String(table["name"])));
      if (names.isSubsetOf(KV_TABLES) || KV_MAIN.every((name) => names.has(name))) return;
    } finally {
      database.close();
    }
  } catch (error) {
    throw new StoreError(`Cannot use ${path}: it is no readable database: ${reason(error)}`);
  }
  throw new StoreError(`Cannot use ${path}: it is a database of another program`);
}

async function migrate(kv: Deno.Kv): Promise<void> {
  const version = (await kv.get<number>(SCHEMA_KEY)).value ?? 0;
  if (version > MIGRATIONS.length + 1) {
    throw new StoreError(
      `Cannot use the store: its schema version ${version} is newer than this program`,
    );
  }
  for (let next = Math.max(version, 1); next <= MIGRATIONS.length; next++) {
    await MIGRATIONS[next - 1]!(kv);
    await patiently(() => kv.set(SCHEMA_KEY, next + 1));
  }
  if (version === 0) await patiently(() => kv.set(SCHEMA_KEY, MIGRATIONS.length + 1));
}

/** 1 → 2: a brand's requests were counted in an object, with the month as yyyy-mm. */
async function packCounts(kv: Deno.Kv): Promise<void> {
  type Former = { second: number; inSecond: number; month: string; inMonth: number };
  for await (const entry of kv.list<Former | Uint8Array>({ prefix: countPrefix })) {
    if (entry.value instanceof Uint8Array) continue;
    const packed = pack({ ...entry.value, month: Number(entry.value.month.replace("-", "")) });
    // Should the check fail, then another process that started at the same time has packed it.
    await patiently(() => kv.atomic().check(entry).set(entry.key, packed).commit());
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
