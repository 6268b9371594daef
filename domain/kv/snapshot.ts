/**
 * Snapshots of the embedded store. SQLite's online backup copies the whole database as it is at one
 * instant, with rows, queue and expiry, while other processes write. Copying the file would lose what
 * is still in the write-ahead log.
 */
import { backup, DatabaseSync } from "node:sqlite";
import { deserialize } from "node:v8";
import { storePath } from "./open.ts";

/** Waits this long for another process that holds the file, ms. */
const PATIENCE_MS = 10_000;
/** Pages copied in one step; all of them, because a writer between two steps makes it start again. */
const ALL = -1;
/** How Deno KV marks values that V8 has serialized. */
const V8_ENCODING = 1;

function openSnapshot(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS });
}

/** Writes a snapshot of the store in `dataDir` to the new file `to`. */
export async function takeSnapshot(dataDir: string, to: string): Promise<void> {
  using store = openSnapshot(storePath(dataDir));
  await backup(store, to, { rate: ALL });
  using copy = openSnapshot(to);
  const checked = copy.prepare("pragma quick_check").get();
  if (checked?.["quick_check"] !== "ok") throw new Error("Cannot back up: the snapshot is damaged");
}

/** How many entries a snapshot, or the store in that file, has. */
export function countEntries(path: string): number {
  using snapshot = openSnapshot(path);
  return Number(snapshot.prepare("select count(*) as entries from kv").get()?.["entries"] ?? 0);
}

/** The entries whose values have `text` somewhere: their collection and value. */
export function* entriesWith(
  path: string,
  text: string,
): Generator<{ collection: string; value: unknown }> {
  using snapshot = openSnapshot(path);
  const query = snapshot.prepare(
    "select k, v from kv where v_encoding = ? and instr(v, cast(? as blob)) > 0",
  );
  for (const { k, v } of query.iterate(V8_ENCODING, text)) {
    if (k instanceof Uint8Array && v instanceof Uint8Array) {
      yield { collection: collectionOf(k), value: deserialize(v) };
    }
  }
}

/** A stored key begins with the byte 2 and its first part, which a zero byte ends. */
function collectionOf(key: Uint8Array): string {
  return new TextDecoder().decode(key.subarray(1, key.indexOf(0)));
}

/** Whether `DATA_DIR` has no store yet, or one in which nothing was ever written. */
export async function isStoreEmpty(dataDir: string): Promise<boolean> {
  const path = storePath(dataDir);
  const size = await Deno.stat(path).then((info) => info.size, () => 0);
  return size === 0;
}
