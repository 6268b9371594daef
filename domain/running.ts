/** What the service that last ran on this store was started with: `admin` works beside it. */
import { ServiceError } from "./errors.ts";
import { transact } from "./kv.ts";
import { sha256 } from "./secrets.ts";
import type { Service } from "./service.ts";
import { type Environ, readSettings, type Settings } from "./settings.ts";

/** Settings that decide what a job makes, where it lies and where it goes. */
const GROUPS: Record<string, (keyof Settings)[]> = {
  secret: ["SECRET_KEY"],
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
  platforms: (["INSTAGRAM", "LINKEDIN", "YOUTUBE"] as const).flatMap((name) =>
    (["API_URL", "API_VERSION", "CLIENT_ID", "CLIENT_SECRET"] as const).map((what) =>
      `${name}_${what}` as const
    )
  ),
  "private hosts": ["ALLOW_PRIVATE_HOSTS"],
};

interface RunningMark {
  baseUrl: string;
  ownUrl: string;
  sandbox: boolean;
  /** A hash a group of settings: no secret is kept. */
  prints: Record<string, string>;
}

const KEY = ["running"];
const ANSWERS_WITHIN_MS = 1_000;

export async function markRunning(kv: Deno.Kv, settings: Settings): Promise<void> {
  const mark: RunningMark = {
    baseUrl: settings.BASE_URL,
    ownUrl: settings.ownUrl,
    sandbox: settings.SANDBOX,
    prints: await printsOf(settings),
  };
  await transact(kv, (commit) => commit.set(KEY, mark));
}

/** Admin's settings: its own environment, and where that says nothing, the running service's. */
export async function joinSettings(kv: Deno.Kv, environ: Environ): Promise<Settings> {
  const mark = await readMark(kv);
  const joined = { ...environ };
  if (mark !== null) {
    joined["SANDBOX"] ||= mark.sandbox ? "on" : "off";
    joined["BASE_URL"] ||= mark.baseUrl;
  }
  return readSettings(joined, "admin", mark?.ownUrl);
}

/** Refuses to seal what the service could not open. @throws ServiceError `conflict` */
export async function requireSameSecret({ kv, settings }: Service): Promise<void> {
  const mark = await readMark(kv);
  if (mark === null || mark.prints["secret"] === (await printsOf(settings))["secret"]) return;
  throw new ServiceError("conflict", "SECRET_KEY is not the service's: run this with the same.");
}

/**
 * Whether jobs may run in this process: it was started as the service was. Else they are left to
 * the service. @throws ServiceError `conflict` when there is no service to leave them to
 */
export async function mayWork({ kv, settings, http }: Service): Promise<boolean> {
  const mark = await readMark(kv);
  if (mark === null) return true;
  const prints = await printsOf(settings);
  const differ = Object.keys(GROUPS).filter((group) => mark.prints[group] !== prints[group]);
  if (differ.length === 0) return true;
  if (await answers(http, mark)) return false;
  throw new ServiceError(
    "conflict",
    `The service does not run, and the settings of its ${differ.join(", ")} are not set here: ` +
      "start it, or run this with the same.",
  );
}

/** On the service's own machine or from elsewhere. */
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

async function printsOf(settings: Settings): Promise<Record<string, string>> {
  const prints = Object.entries(GROUPS).map(async ([group, names]) => {
    const values = names.map((name) => settings[name] ?? null);
    return [group, await sha256(JSON.stringify(values))];
  });
  return Object.fromEntries(await Promise.all(prints));
}
