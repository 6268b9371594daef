/** Opens the KV store: an embedded file, KV Connect or Deploy's own; keeps its schema up to date. */
import { DatabaseSync } from "node:sqlite";
import { allowEmbeddedLimits } from "./limits.ts";
import { guardRemote } from "./remote.ts";
import { retryWhileLocked } from "./transact.ts";
import type { Settings } from "../foundation/settings.ts";

/** The store can't be used; its message is one clear line. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

const SCHEMA_KEY = ["schema"];

/** The embedded store's file in `DATA_DIR`. */
export const storePath = (dir: string): string => `${dir}/kv.sqlite3`;

/** A step from one schema version to the next; may run twice. */
export type Migration = (kv: Deno.Kv) => Promise<void>;

/** True where the store carries KV queues: the embedded file, not Deploy and not KV Connect. */
export function hasQueues(settings: Settings): boolean {
  return settings.KV_URL === undefined && !settings.onDeploy;
}

/**
 * Opens the store that the settings name and brings it up to date.
 * @param migrations in order, the first from schema version 1 to 2
 * @throws StoreError
 */
export async function openStore(
  settings: Settings,
  migrations: readonly Migration[],
): Promise<Deno.Kv> {
  const kv = await open(settings);
  const isFile = settings.KV_URL === undefined && !settings.onDeploy;
  if (isFile && settings.mode !== "dev") allowEmbeddedLimits(kv);
  await migrate(kv, migrations);
  return kv;
}

async function open(settings: Settings): Promise<Deno.Kv> {
  if (settings.KV_URL !== undefined) return await openRemote(settings.KV_URL);
  if (settings.onDeploy) return await openDeploys();
  const dir = settings.DATA_DIR;
  const path = storePath(dir);
  try {
    await Deno.mkdir(dir, { recursive: true });
    const probe = await Deno.makeTempFile({ dir, prefix: ".write-" });
    await Deno.remove(probe);
  } catch (error) {
    throw new StoreError(`Cannot write to DATA_DIR ${dir}: ${reason(error)}`);
  }
  await refuseForeignFile(path);
  try {
    return await retryWhileLocked(() => Deno.openKv(path));
  } catch (error) {
    throw new StoreError(`Cannot open ${path}: ${reason(error)}`);
  }
}

/** Deno connects at first use, so a read shows whether the store can be reached. */
async function openRemote(url: string): Promise<Deno.Kv> {
  try {
    const kv = guardRemote(await Deno.openKv(url));
    await kv.get(SCHEMA_KEY);
    return kv;
  } catch (error) {
    throw new StoreError(`Cannot use the store at KV_URL ${url}: ${reason(error)}`);
  }
}

/** The database that is assigned to the app on Deno Deploy. */
async function openDeploys(): Promise<Deno.Kv> {
  try {
    const kv = guardRemote(await Deno.openKv());
    await kv.get(SCHEMA_KEY);
    return kv;
  } catch (error) {
    const [why] = reason(error).split("\n");
    throw new StoreError(
      `Cannot use the app's KV database: ${why}. If the app has none, \`deno task deploy\` assigns one`,
    );
  }
}

/** What Deno KV needs; a later Deno may add to it. */
const KV_MAIN = ["migration_state", "kv", "queue"];
/** What Deno creates at first use; another process may be doing so now, or was killed meanwhile. */
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
    throw new StoreError(`Cannot use ${path}: it is not a readable database: ${reason(error)}`);
  }
  throw new StoreError(`Cannot use ${path}: it is the database of another program`);
}

async function migrate(kv: Deno.Kv, migrations: readonly Migration[]): Promise<void> {
  const version = (await kv.get<number>(SCHEMA_KEY)).value ?? 1;
  if (version > migrations.length + 1) {
    throw new StoreError(
      `Cannot use the store: its schema version ${version} is newer than this program`,
    );
  }
  for (const [index, step] of migrations.entries()) {
    const next = index + 2;
    if (next <= version) continue;
    await step(kv);
    await retryWhileLocked(() => kv.set(SCHEMA_KEY, next));
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
