/** Builds the service from settings and an open store: the one place where dependencies are chosen. */
import type { Now } from "../foundation/calendar.ts";
import { SYSTEM } from "../kv/audit.ts";
import { Jobs } from "../kv/jobs/jobs.ts";
import type { Log } from "../foundation/log.ts";
import { Meter } from "../brands/meter/meter.ts";
import { Passwords } from "../brands/passwords.ts";
import { chooseModels } from "../models/choose.ts";
import type { FetchPublic } from "../media/net/fetch_public.ts";
import type { PostPublic } from "../media/net/post_public.ts";
import { Insights } from "../insights/tables.ts";
import { machineMemory, memoryParts } from "./memory.ts";
import { PostIndexes } from "../posts/index/indexes.ts";
import { createSecrets, type Secrets } from "../foundation/secrets.ts";
import { SavedIndexes } from "./saved_indexes.ts";
import type { Patience, Service } from "./service.ts";
import type { Settings } from "../foundation/settings.ts";
import { diskStorage } from "../media/storage/disk.ts";
import { namingFaults, type Storage } from "../media/storage/storage.ts";
import { hasQueues } from "../kv/open.ts";
import { remoteOf } from "../kv/remote.ts";

export const PATIENCE: Patience = { callMs: 10_000, pollMs: 500, passMs: 50, askMs: 120_000 };

export interface Parts {
  settings: Settings;
  kv: Deno.Kv;
  now: Now;
  log: Log;
  stopping?: AbortSignal;
}

export async function buildService(parts: Parts): Promise<Service> {
  const { settings, kv, now, log, stopping = new AbortController().signal } = parts;
  const secrets = await createSecrets(await secretKey(settings), settings.SECRET_KEY_PREVIOUS);
  const fetchPublic = guardAtFirstUse(settings);
  const memory = memoryParts(settings, [machineMemory()]);
  const storage = await buildStorage({ settings, now, log }, secrets);
  const jobs = new Jobs(kv, now, { queue: usesQueue(settings) });
  const files = new SavedIndexes({ kv, now, jobs, storage, secrets, log, stopping });
  remoteOf(kv)?.onLate(() => log.warn("commit.late", { after: "its request was refused" }));
  return {
    settings,
    kv,
    now,
    log,
    by: SYSTEM,
    secrets,
    passwords: new Passwords(),
    storage,
    jobs,
    meter: new Meter(kv, now),
    posts: new PostIndexes(kv, now, { memoryBytes: memory.posts, files }),
    insights: new Insights(kv, { memoryBytes: memory.insights }),
    ...await chooseModels({ settings, http: fetch, fetchPublic, log }),
    http: fetch,
    fetchPublic,
    postPublic: guardPostAtFirstUse(settings),
    patience: PATIENCE,
    stopping,
    checkOutput: settings.mode === "dev",
  };
}

/** The image store alone, for a process that has not opened the KV store. */
export async function buildStorage(
  { settings, now, log }: Omit<Parts, "kv" | "stopping">,
  secrets?: Secrets,
): Promise<Storage> {
  const own = secrets ?? await createSecrets(await secretKey(settings));
  return namingFaults(await chooseStorage(settings, own, now), log);
}

async function chooseStorage(settings: Settings, secrets: Secrets, now: Now): Promise<Storage> {
  if (settings.S3_BUCKET !== undefined) {
    const { s3Storage } = await import("../media/storage/s3.ts");
    return s3Storage(settings, now);
  }
  const { DATA_DIR, BASE_URL } = settings;
  return diskStorage({ dir: `${DATA_DIR}/media`, baseUrl: BASE_URL, secrets, now });
}

/** Loads Node's HTTP client and the table of address ranges when they are first needed. */
function guardAtFirstUse({ ALLOW_PRIVATE_HOSTS: allowed }: Settings): FetchPublic {
  return async (url, limits) => {
    const { guardedFetch } = await import("../media/net/fetch_public.ts");
    return await guardedFetch({ allowed })(url, limits);
  };
}

function guardPostAtFirstUse({ ALLOW_PRIVATE_HOSTS: allowed }: Settings): PostPublic {
  return async (url, message) => {
    const { guardedPost } = await import("../media/net/post_public.ts");
    return await guardedPost({ allowed })(url, message);
  };
}

function usesQueue(settings: Settings): boolean {
  return settings.JOBS === "queue" || (settings.JOBS === "auto" && hasQueues(settings));
}

/** Where a secret that no setting gave is kept in `DATA_DIR`. */
export const secretPath = (dir: string): string => `${dir}/secret.key`;

/** The secret from the settings, or one that is made once and kept in `DATA_DIR`. */
async function secretKey(settings: Settings): Promise<string> {
  if (settings.SECRET_KEY !== undefined) return settings.SECRET_KEY;
  const path = secretPath(settings.DATA_DIR);
  const kept = await Deno.readTextFile(path).catch(() => null);
  if (kept !== null) return kept;
  await Deno.mkdir(settings.DATA_DIR, { recursive: true });
  // Linked into place whole, so of two processes that start at once both use the first one's secret.
  const draft = await Deno.makeTempFile({ dir: settings.DATA_DIR, prefix: ".secret-" });
  await Deno.writeTextFile(draft, crypto.getRandomValues(new Uint8Array(32)).toHex());
  await Deno.link(draft, path).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
  await Deno.remove(draft);
  return await Deno.readTextFile(path);
}
