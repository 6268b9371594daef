/** Restores a backup into an empty service. The store comes last, so an interrupted restore has none. */
import type { Now } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import type { Log } from "../foundation/log.ts";
import type { Settings } from "../foundation/settings.ts";
import { hasQueues, storePath } from "../kv/open.ts";
import { isStoreEmpty, takeSnapshot } from "../kv/snapshot.ts";
import { elsewhere } from "./backup.ts";
import { describe, type Described, ListedImage, Manifest, pathsIn } from "./backup_format.ts";
import { buildStorage, secretPath } from "./build.ts";

export interface RestoreReport {
  from: string;
  /** When the backup was made. */
  createdAt: string;
  entries: number;
  images: number;
}

interface Parts {
  settings: Settings;
  now: Now;
  log: Log;
}

/**
 * Restores the backup in the folder `from`. Everything is checked before anything is written.
 * @param mend changes the store in a folder before anything else can open it
 * @throws ServiceError `conflict` if there is a store already, or the backup is incomplete or damaged
 */
export async function restore(
  parts: Parts,
  from: string,
  mend: (storeDir: string, takenAt: string) => Promise<void>,
): Promise<RestoreReport> {
  const { settings } = parts;
  if (!hasQueues(settings)) throw elsewhere();
  const { DATA_DIR } = settings;
  if (!await isStoreEmpty(DATA_DIR)) {
    throw new ServiceError(
      "conflict",
      `DATA_DIR ${DATA_DIR} has a store already. Restore into an empty folder.`,
    );
  }
  const { manifest, images } = await readBackup(from);
  const paths = pathsIn(from);
  await Deno.mkdir(DATA_DIR, { recursive: true });
  if (settings.SECRET_KEY === undefined) await restoreSecret(paths.secret, DATA_DIR);
  const storage = await buildStorage(parts);
  for (const { key, contentType } of images) {
    await storage.put(key, { bytes: await Deno.readFile(paths.image(key)), contentType });
  }
  const { createdAt, entries } = manifest;
  const draft = `${storePath(DATA_DIR)}.restoring`;
  await removeIfThere(draft);
  await mended(DATA_DIR, async (dir) => {
    await Deno.copyFile(paths.store, storePath(dir));
    await mend(dir, createdAt);
    // A plain copy would lack what was just written, if that is still in the write-ahead log.
    await takeSnapshot(dir, draft);
    for (const rest of ["-wal", "-shm"]) await removeIfThere(`${draft}${rest}`);
  });
  await Deno.chmod(draft, 0o600);
  // What an earlier store left beside the file would be applied to this one.
  for (const rest of ["-wal", "-shm"]) await removeIfThere(`${storePath(DATA_DIR)}${rest}`);
  await Deno.rename(draft, storePath(DATA_DIR));
  return { from, createdAt, entries, images: images.length };
}

/** Works in a folder of its own, which is removed afterwards. */
async function mended(dataDir: string, work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ dir: dataDir, prefix: ".restoring-" });
  try {
    await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Reads and checks a whole backup. */
async function readBackup(from: string): Promise<{ manifest: Manifest; images: ListedImage[] }> {
  const paths = pathsIn(from);
  const text = await Deno.readTextFile(paths.manifest).catch(() => null);
  if (text === null) {
    throw unusable(`${paths.manifest} is missing: this is no backup, or it was interrupted`);
  }
  const parsed = Manifest.safeParse(parseJson(text));
  if (!parsed.success) throw unusable("backup.json is damaged, or a later version wrote it");
  const manifest = parsed.data;
  await requireSame(paths.store, manifest.store);
  await requireSame(paths.list, manifest.list);
  const lines = (await Deno.readTextFile(paths.list)).split("\n").filter((line) => line !== "");
  const images = lines.map((line) => ListedImage.parse(parseJson(line)));
  for (const image of images) await requireSame(paths.image(image.key), image);
  return { manifest, images };
}

async function requireSame(path: string, { size, sha256 }: Described): Promise<void> {
  const found = await describe(path).catch(() => null);
  if (found === null) throw unusable(`${path} is missing`);
  if (found.size !== size || found.sha256 !== sha256) throw unusable(`${path} was changed`);
}

/** A secret that is there already stays. */
async function restoreSecret(path: string, dataDir: string): Promise<void> {
  const secret = await Deno.readTextFile(path).catch(() => null);
  if (secret === null) return;
  const options = { createNew: true, mode: 0o600 };
  await Deno.writeTextFile(secretPath(dataDir), secret, options).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function removeIfThere(path: string): Promise<void> {
  await Deno.remove(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

function unusable(reason: string): ServiceError {
  return new ServiceError("conflict", `Cannot restore this backup: ${reason}.`);
}
