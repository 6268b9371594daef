/** Backs up the whole service while it runs: the store at one instant, then every image it names. */
import { iso } from "../foundation/calendar.ts";
import { invalid, ServiceError } from "../foundation/errors.ts";
import { hasQueues } from "../kv/open.ts";
import { countEntries, entriesWith, takeSnapshot } from "../kv/snapshot.ts";
import { isFileKey, type StoredFile } from "../media/storage/storage.ts";
import {
  describe,
  describeBytes,
  FORMAT,
  type ListedImage,
  type Manifest,
  pathsIn,
} from "./backup_format.ts";
import { secretPath } from "./build.ts";
import type { Service } from "./service.ts";

export interface BackupReport {
  to: string;
  entries: number;
  images: number;
  imageBytes: number;
  /** How many images the store names that are not in the image store. */
  missing: number;
}

/** For the operator alone: the backup has everything that the store has. */
const PRIVATE = { file: 0o600, dir: 0o700 };
/** Images copied at once. */
const AT_ONCE = 8;
/** Their files are written later, or never if the client gives up. */
const NOT_YET_WRITTEN = ["fileReservation", "upload"];

/**
 * Writes a backup to the folder `to`, which is made. The store comes first: an image is stored before
 * the entry that names it and its bytes never change, so every image of the snapshot can be copied
 * afterwards.
 * @throws ServiceError `validationError` if the folder has something in it; `conflict` on a store that
 *   is not the embedded one
 */
export async function backUp(
  { settings, storage, now }: Pick<Service, "settings" | "storage" | "now">,
  to: string,
): Promise<BackupReport> {
  if (!hasQueues(settings)) throw elsewhere();
  await makeFolder(to);
  const paths = pathsIn(to);
  const createdAt = iso(now());
  await takeSnapshot(settings.DATA_DIR, paths.store);
  await Deno.chmod(paths.store, PRIVATE.file);
  if (settings.SECRET_KEY === undefined) {
    await writePrivate(paths.secret, await Deno.readFile(secretPath(settings.DATA_DIR)));
  }
  const { images, missing } = await copyImages(storage, to, namedImages(paths.store));
  const lines = images.map((image) => JSON.stringify(image) + "\n").join("");
  await writePrivate(paths.list, new TextEncoder().encode(lines));
  const manifest: Manifest = {
    format: FORMAT,
    createdAt,
    entries: countEntries(paths.store),
    images: images.length,
    imageBytes: images.reduce((sum, { size }) => sum + size, 0),
    missing,
    store: await describe(paths.store),
    list: await describe(paths.list),
  };
  const draft = `${paths.manifest}.part`;
  await writePrivate(draft, new TextEncoder().encode(JSON.stringify(manifest, null, 2) + "\n"));
  await Deno.rename(draft, paths.manifest);
  const { entries, imageBytes } = manifest;
  return { to, entries, images: images.length, imageBytes, missing: missing.length };
}

/** The storage keys in a snapshot → whether their files must be there. */
function namedImages(store: string): Map<string, boolean> {
  const named = new Map<string, boolean>();
  for (const area of ["media/", "uploads/"]) {
    for (const { collection, value } of entriesWith(store, area)) {
      const isRequired = !NOT_YET_WRITTEN.includes(collection);
      for (const key of textsIn(value)) {
        if (isFileKey(key)) named.set(key, isRequired || named.get(key) === true);
      }
    }
  }
  return named;
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) { for (const each of value) yield* textsIn(each); }
  else if (typeof value === "object" && value !== null) yield* textsIn(Object.values(value));
}

async function copyImages(
  storage: Service["storage"],
  to: string,
  named: Map<string, boolean>,
): Promise<{ images: ListedImage[]; missing: string[] }> {
  const images: ListedImage[] = [];
  const missing: string[] = [];
  const copy = async ([key, isRequired]: [string, boolean]) => {
    const file = await storage.get(key);
    if (file !== null) images.push(await writeImage(to, key, file));
    else if (isRequired) missing.push(key);
  };
  const all = [...named];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await Promise.all(all.slice(from, from + AT_ONCE).map(copy));
  }
  return { images, missing };
}

async function writeImage(
  to: string,
  key: string,
  { bytes, contentType }: StoredFile,
): Promise<ListedImage> {
  const path = pathsIn(to).image(key);
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: PRIVATE.dir });
  await writePrivate(path, bytes);
  return { key, contentType, ...describeBytes(bytes) };
}

async function makeFolder(to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true, mode: PRIVATE.dir });
  for await (const _ of Deno.readDir(to)) {
    throw invalid("to", "must be a new or empty folder, so that a backup is never a mix of two");
  }
}

/** Writes a new file that only its owner may read, all the way to the disk. */
async function writePrivate(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { createNew: true, write: true, mode: PRIVATE.file });
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
  await file.sync();
}

/** The refusal where another server keeps the store. */
export function elsewhere(): ServiceError {
  return new ServiceError(
    "conflict",
    "Only the embedded store can be backed up and restored from here. Another server has this one: " +
      "use its own backups.",
  );
}
