/** Builds the service from settings and an open store: the one place where doors are chosen. */
import type { Now } from "./clock.ts";
import { Jobs } from "./jobs.ts";
import type { Log } from "./log.ts";
import { Meter } from "./meter/meter.ts";
import { chooseModels } from "./models/choose.ts";
import type { FetchPublic } from "./net/fetch_public.ts";
import { PostIndexes } from "./posts/indexes.ts";
import { createSecrets, type Secrets } from "./secrets.ts";
import type { Service } from "./service.ts";
import type { Settings } from "./settings.ts";
import { diskStorage } from "./storage/disk.ts";
import { namingFaults, type Storage } from "./storage/storage.ts";
import { hasQueues } from "./store.ts";

export interface Parts {
  settings: Settings;
  kv: Deno.Kv;
  now: Now;
  log: Log;
  stopping?: AbortSignal;
}

export async function buildService(parts: Parts): Promise<Service> {
  const { settings, kv, now, log, stopping = new AbortController().signal } = parts;
  const secrets = await createSecrets(await secretKey(settings));
  const fetchPublic = guardAtFirstUse(settings);
  return {
    settings,
    kv,
    now,
    log,
    secrets,
    storage: namingFaults(await chooseStorage(settings, secrets, now), log),
    jobs: new Jobs(kv, now, { enqueue: usesQueue(settings) }),
    meter: new Meter(kv, now),
    posts: new PostIndexes(kv, now),
    ...await chooseModels({ settings, http: fetch, fetchPublic, log }),
    http: fetch,
    fetchPublic,
    patience: { callMs: 10_000, pollMs: 500 },
    stopping,
    checkOutput: settings.mode === "dev",
  };
}

async function chooseStorage(settings: Settings, secrets: Secrets, now: Now): Promise<Storage> {
  if (settings.S3_BUCKET !== undefined) {
    const { s3Storage } = await import("./storage/s3.ts");
    return s3Storage(settings, now);
  }
  const { DATA_DIR, BASE_URL } = settings;
  return diskStorage({ dir: `${DATA_DIR}/media`, baseUrl: BASE_URL, secrets, now });
}

/** Node's HTTP client and the table of address ranges are loaded when they are first needed. */
function guardAtFirstUse({ ALLOW_PRIVATE_HOSTS: allowed }: Settings): FetchPublic {
  return async (url, limits) => {
    const { guardedFetch } = await import("./net/fetch_public.ts");
    return await guardedFetch({ allowed })(url, limits);
  };
}

export function usesQueue(settings: Settings): boolean {
  return settings.JOBS === "queue" || (settings.JOBS === "auto" && hasQueues(settings));
}

/** The secret from the settings, or one that is made once and kept in `DATA_DIR`. */
async function secretKey(settings: Settings): Promise<string> {
  if (settings.SECRET_KEY !== undefined) return settings.SECRET_KEY;
  const path = `${settings.DATA_DIR}/secret.key`;
  const kept = await Deno.readTextFile(path).catch(() => null);
  if (kept !== null) return kept;
  await Deno.mkdir(settings.DATA_DIR, { recursive: true });
  // Linked into place whole: of two processes that start at once the first one's secret holds.
  const draft = await Deno.makeTempFile({ dir: settings.DATA_DIR, prefix: ".secret-" });
  await Deno.writeTextFile(draft, crypto.getRandomValues(new Uint8Array(32)).toHex());
  await Deno.link(draft, path).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
  await Deno.remove(draft);
  return await Deno.readTextFile(path);
}
