/** The settings with which the service last ran on this store, so that `admin` can work beside it. */
import { ServiceError } from "../foundation/errors.ts";
import { transact } from "../kv/transact.ts";
import { Platform } from "../posts/shape.ts";
import type { Secrets } from "../foundation/secrets.ts";
import type { Service } from "./service.ts";
import { type Environ, readSettings, type Settings } from "../foundation/settings.ts";

/** Settings that decide what a job makes, where it is stored and where it is sent. */
const GROUPS: Record<string, (keyof Settings)[]> = {
  models: [
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_IMAGE_MODEL",
    "OPENAI_IMAGE_QUALITY",
    "OPENAI_TEXT_MODEL",
  ],
  storage: [
    "S3_BUCKET",
    "S3_ENDPOINT",
    "S3_PUBLIC_ENDPOINT",
    "S3_PUBLIC_URL",
    "S3_REGION",
    "S3_FORCE_PATH_STYLE",
  ],
  platforms: Platform.options.flatMap((platform) => {
    const name = platform.toUpperCase() as Uppercase<Platform>;
    return (["API_URL", "API_VERSION", "CLIENT_ID", "CLIENT_SECRET"] as const).map((what) =>
      `${name}_${what}` as const
    );
  }),
  "private hosts": ["ALLOW_PRIVATE_HOSTS"],
};

interface RunningMark {
  baseUrl: string;
  ownUrl: string;
  sandbox: boolean;
  /** Which secret it runs with; absent in an earlier version's mark. */
  keyId?: string;
  /** A keyed hash for each group of settings, so that no setting can be guessed from the store. */
  prints: Record<string, string>;
}

const KEY = ["running"];
const ANSWERS_WITHIN_MS = 1_000;

type Marked = Pick<Service, "kv" | "settings" | "secrets">;

export async function markRunning({ kv, settings, secrets }: Marked): Promise<void> {
  const mark: RunningMark = {
    baseUrl: settings.BASE_URL,
    ownUrl: settings.ownUrl,
    sandbox: settings.SANDBOX,
    keyId: secrets.keyId,
    prints: await printsOf(settings, secrets),
  };
  await transact(kv, (commit) => commit.set(KEY, mark));
}

/** Admin's settings: its own environment, completed by the running service's settings. */
export async function joinSettings(kv: Deno.Kv, environ: Environ): Promise<Settings> {
  const mark = await readMark(kv);
  const joined = { ...environ };
  if (mark !== null) {
    joined["SANDBOX"] ||= mark.sandbox ? "on" : "off";
    joined["BASE_URL"] ||= mark.baseUrl;
  }
  return readSettings(joined, "admin", mark?.ownUrl);
}

/** Keeps admin from encrypting what the service could not decrypt. @throws ServiceError `conflict` */
export async function requireSameSecret({ kv, secrets }: Marked): Promise<void> {
  const mark = await readMark(kv);
  if (mark === null || mark.keyId === secrets.keyId) return;
  throw new ServiceError(
    "conflict",
    "SECRET_KEY differs from the running service's. Set the same SECRET_KEY and try again.",
  );
}

/**
 * Whether jobs may run in this process: only when its settings are the service's. Otherwise the
 * service runs them. @throws ServiceError `conflict` when the service is not running either
 */
export async function mayWork({ kv, settings, secrets, http }: Service): Promise<boolean> {
  const mark = await readMark(kv);
  if (mark === null) return true;
  const prints = await printsOf(settings, secrets);
  // Prints of another secret can't be compared.
  const differ = mark.keyId !== secrets.keyId
    ? ["the secret"]
    : Object.keys(GROUPS).filter((group) => mark.prints[group] !== prints[group]);
  if (differ.length === 0) return true;
  if (await answers(http, mark)) return false;
  throw new ServiceError(
    "conflict",
    `The service is not running, and its settings for ${differ.join(", ")} differ from these. ` +
      "Start the service, or run this with the same settings.",
  );
}

/** Whether the service answers, at its address on its own machine or at its public one. */
function answers(http: typeof fetch, { ownUrl, baseUrl }: RunningMark): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const asked = [ownUrl, baseUrl].map(async (url) => {
    const answer = await http(`${url}/healthz`, { signal });
    await answer.body?.cancel();
  });
  return Promise.any(asked).then(() => true, () => false);
}

async function readMark(kv: Deno.Kv): Promise<RunningMark | null> {
  return (await kv.get<RunningMark>(KEY)).value;
}

async function printsOf(settings: Settings, secrets: Secrets): Promise<Record<string, string>> {
  const prints = Object.entries(GROUPS).map(async ([group, names]) => {
    const values = names.map((name) => settings[name] ?? null);
    return [group, await secrets.print(JSON.stringify([group, ...values]))];
  });
  return Object.fromEntries(await Promise.all(prints));
}
