/** Reads the settings from the environment, once, and checks them by one schema. */
import { z } from "zod";
import { DEPLOY_ENVIRON, isOnDeploy, SECRET_LENGTH } from "./deploy.ts";

/** on or off, also spelled true, 1, yes and so on. */
const toggle = z.stringbool({ error: "must be on or off" });
const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((value) => value.replace(/\/+$/, ""));
const port = z.string().regex(/^\d{1,5}$/, "must be a port number").transform(Number)
  .refine((value) => value >= 1 && value <= 65_535, "must be a port number");

/** ISO 8601 with an offset. Seconds are optional, and so are the offset's colon and minutes. */
const instant = z.string()
  .transform((value) =>
    value.replace(/(T\d\d:\d\d)(?=[Z+-])/, "$1:00")
      .replace(/(T.*[+-]\d\d):?(\d\d)?$/, (_, rest, minutes = "00") => `${rest}:${minutes}`)
  )
  .pipe(z.iso.datetime({ offset: true, error: "must be an ISO 8601 instant with an offset" }));

const Environment = z.object({
  PORT: port.default(8000),
  HOST: z.string().min(1).default("127.0.0.1"),
  BASE_URL: httpUrl.optional(),
  DATA_DIR: z.string().min(1)
    .refine((folder) => !folder.includes(","), {
      error: "must be without a comma, which separates folders in Deno's permissions",
    }).default("./.data"),
  KV_URL: httpUrl.optional(),
  JOBS: z.enum(["auto", "queue", "poll"]).default("auto"),
  INDEX_MEMORY_MB: z.string().regex(/^[1-9]\d{0,5}$/, "must be a number of megabytes, 1 to 999999")
    .transform(Number).optional(),

  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: httpUrl.default("https://api.openai.com/v1"),
  OPENAI_IMAGE_MODEL: z.string().min(1).default("gpt-image-2.5-flare"),
  OPENAI_TEXT_MODEL: z.string().min(1).default("gpt-5.6-terra"),
  OPENAI_IMAGE_QUALITY: z.enum(["auto", "low", "medium", "high", "xhigh", "max"]).default("auto"),

  S3_BUCKET: z.string().min(1).optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_PUBLIC_ENDPOINT: httpUrl.optional(),
  /** Public address of the bucket, a CDN for example. Without it, images get short-lived signed links. */
  S3_PUBLIC_URL: httpUrl.optional(),
  S3_REGION: z.string().min(1).default("auto"),
  S3_FORCE_PATH_STYLE: toggle.default(false),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),

  SECRET_KEY: z.string().min(1).optional(),
  SECRET_KEY_PREVIOUS: z.string().min(1).optional(),

  INSTAGRAM_API_URL: httpUrl.optional(),
  INSTAGRAM_API_VERSION: z.string().regex(/^v\d+\.\d+$/).default("v26.0"),
  INSTAGRAM_CLIENT_ID: z.string().min(1).optional(),
  INSTAGRAM_CLIENT_SECRET: z.string().min(1).optional(),
  LINKEDIN_API_URL: httpUrl.optional(),
  LINKEDIN_API_VERSION: z.string().regex(/^\d{6}$/).default("202609"),
  LINKEDIN_CLIENT_ID: z.string().min(1).optional(),
  LINKEDIN_CLIENT_SECRET: z.string().min(1).optional(),
  YOUTUBE_API_URL: httpUrl.optional(),
  YOUTUBE_API_VERSION: z.string().regex(/^v\d+$/).default("v3"),
  YOUTUBE_CLIENT_ID: z.string().min(1).optional(),
  YOUTUBE_CLIENT_SECRET: z.string().min(1).optional(),

  SANDBOX: toggle.optional(),
  SANDBOX_PUBLIC: toggle.default(false),
  CLOCK: instant.optional(),
  ALLOW_PRIVATE_HOSTS: z.string().default("").transform((list) =>
    list.split(",").map((host) => host.trim().toLowerCase()).filter((host) => host !== "")
  ).refine(
    (hosts) =>
      hosts.every((host) => {
        const [, number] = /^(?:\[[0-9a-f:.]+\]|[^\s:/[\]]+):(\d{1,5})$/.exec(host) ?? [];
        return port.safeParse(number).success;
      }),
    "must be a list of host:port, separated by commas",
  ),
  TRUST_PROXY: toggle.default(false),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
});

/**
 * How the process was started: `dev` runs the sandbox with demo data, `start` is production, `admin`
 * is a command beside it.
 */
export type Mode = "dev" | "start" | "admin";

export type Settings =
  & Omit<z.output<typeof Environment>, "BASE_URL" | "SANDBOX" | "CLOCK" | PlatformUrl>
  & Record<PlatformUrl, string>
  & {
    mode: Mode;
    /** `{base_url}` of the spec, without a trailing slash. */
    BASE_URL: string;
    /** The service's address for its own calls; `BASE_URL` may be a proxy's. */
    ownUrl: string;
    /** Whether the process runs on Deno Deploy, which brings its own store, port and files. */
    onDeploy: boolean;
    SANDBOX: boolean;
    /** Instant at which the service's clock starts, ms; null runs in real time. */
    CLOCK: number | null;
  };

/** Where the connectors call: the platform's host, or the sandbox that imitates it. */
const PLATFORM_URLS = {
  INSTAGRAM_API_URL: { real: "https://graph.instagram.com", sandbox: "/sandbox/instagram" },
  LINKEDIN_API_URL: { real: "https://api.linkedin.com", sandbox: "/sandbox/linkedin" },
  YOUTUBE_API_URL: { real: "https://www.googleapis.com", sandbox: "/sandbox/youtube" },
} as const;
type PlatformUrl = keyof typeof PLATFORM_URLS;

/** A setting that cannot be used. The message names it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

export type Environ = Record<string, string | undefined>;

/** Names of the settings in the environment. */
export const SETTING_NAMES = Object.keys(Environment.shape);

/** All that the service reads from the environment. The tasks permit these names and few others. */
export const ENVIRON_NAMES: readonly string[] = [...SETTING_NAMES, ...DEPLOY_ENVIRON];

/** The part of the process's environment that the service may know. */
export function environOf(env: Pick<Deno.Env, "get">): Environ {
  return Object.fromEntries(ENVIRON_NAMES.map((name) => [name, env.get(name)]));
}

/**
 * @param environ the process's environment; an empty value counts as unset
 * @param running `ownUrl` of the running service, for a process that works beside it
 * @throws SettingsError with one line that names the setting
 */
export function readSettings(environ: Environ, mode: Mode, running?: string): Settings {
  const given = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, environ[name] === "" ? undefined : environ[name]]),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SettingsError(`Cannot use setting ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { BASE_URL, SANDBOX, CLOCK, ...settings } = parsed.data;
  const sandbox = SANDBOX ?? mode === "dev";
  if (CLOCK !== undefined && !sandbox && mode !== "admin") {
    throw new SettingsError("Cannot use setting CLOCK: it needs SANDBOX=on");
  }
  if (settings.S3_BUCKET && !(settings.AWS_ACCESS_KEY_ID && settings.AWS_SECRET_ACCESS_KEY)) {
    throw new SettingsError(
      "Cannot use setting S3_BUCKET: it needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  }
  if (mode === "start" && settings.SECRET_KEY === undefined) {
    throw new SettingsError("Cannot use setting SECRET_KEY: it is required by `deno task start`");
  }
  if (mode === "start" && (settings.SECRET_KEY ?? "").length < SECRET_LENGTH) {
    throw new SettingsError(
      `Cannot use setting SECRET_KEY: it must have at least ${SECRET_LENGTH} characters ` +
        "(`openssl rand -hex 32` makes one)",
    );
  }
  const baseUrl = BASE_URL ?? `http://${hostInUrl(settings.HOST)}:${settings.PORT}`;
  if (sandbox && mode !== "admin" && !settings.SANDBOX_PUBLIC && !isLoopback(BASE_URL)) {
    throw new SettingsError(
      "Cannot use setting SANDBOX: anybody could use the sandbox at this BASE_URL; " +
        "if that is meant, set SANDBOX_PUBLIC=on",
    );
  }
  const onDeploy = isOnDeploy(environ);
  // On Deploy the service can be reached by its public address only.
  const ownUrl = running ?? (onDeploy ? baseUrl : localUrl(settings));
  const platformUrl = (name: PlatformUrl) => {
    const { real, sandbox: path } = PLATFORM_URLS[name];
    return settings[name] ?? (sandbox ? `${ownUrl}${path}` : real);
  };
  return {
    ...settings,
    INSTAGRAM_API_URL: platformUrl("INSTAGRAM_API_URL"),
    LINKEDIN_API_URL: platformUrl("LINKEDIN_API_URL"),
    YOUTUBE_API_URL: platformUrl("YOUTUBE_API_URL"),
    mode,
    BASE_URL: baseUrl,
    ownUrl,
    onDeploy,
    SANDBOX: sandbox,
    CLOCK: CLOCK === undefined ? null : Date.parse(CLOCK),
  };
}

/** Whether only this machine can reach the address; true when there is none. */
function isLoopback(url: string | undefined): boolean {
  if (url === undefined) return true;
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** Wildcard addresses to listen on → an address at which they can be called. */
const LOOPBACK: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function localUrl({ HOST, PORT }: Pick<Settings, "HOST" | "PORT">): string {
  return `http://${hostInUrl(LOOPBACK[HOST] ?? HOST)}:${PORT}`;
}

function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
