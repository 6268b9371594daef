/** Environment → Settings: read once, checked by one schema. */
import { z } from "zod";

/** on or off, in the spellings that people are used to: true, 1, yes and their like. */
const toggle = z.stringbool({ error: "must be on or off" });
const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((value) => value.replace(/\/+$/, ""));
const port = z.string().regex(/^\d{1,5}$/, "must be a port number").transform(Number)
  .refine((value) => value >= 1 && value <= 65_535, "must be a port number");

/** ISO 8601 with an offset; seconds, and the offset's colon and minutes, may be left out. */
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
  DATA_DIR: z.string().min(1).default("./.data"),
  KV_URL: httpUrl.optional(),
  JOBS: z.enum(["auto", "queue", "poll"]).default("auto"),

  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: httpUrl.default("https://api.openai.com/v1"),
  OPENAI_IMAGE_MODEL: z.string().min(1).default("gpt-image-2.5-flare"),
  OPENAI_TEXT_MODEL: z.string().min(1).default("gpt-5.6-terra"),
  OPENAI_IMAGE_QUALITY: z.enum(["auto", "low", "medium", "high", "xhigh", "max"]).default("auto"),

  S3_BUCKET: z.string().min(1).optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_PUBLIC_ENDPOINT: httpUrl.optional(),
  /** Where anyone may read the bucket (a CDN, say); without it reads get short signed links. */
  S3_PUBLIC_URL: httpUrl.optional(),
  S3_REGION: z.string().min(1).default("auto"),
  S3_FORCE_PATH_STYLE: toggle.default(false),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),

  SECRET_KEY: z.string().min(1).optional(),

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
  CLOCK: instant.optional(),
  ALLOW_PRIVATE_HOSTS: z.string().default("").transform((list) =>
    list.split(",").map((host) => host.trim().toLowerCase()).filter((host) => host !== "")
  ).refine(
    (hosts) =>
      hosts.every((host) => {
        const [, at] = /^(?:\[[0-9a-f:.]+\]|[^\s:/[\]]+):(\d{1,5})$/.exec(host) ?? [];
        return port.safeParse(at).success;
      }),
    "must be a list of host:port",
  ),
  TRUST_PROXY: toggle.default(false),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
});

/** How the process was started: `dev` seeds and rehearses, `start` is production. */
export type Mode = "dev" | "start" | "admin";

export type Settings =
  & Omit<z.output<typeof Environment>, "BASE_URL" | "SANDBOX" | "CLOCK" | PlatformUrl>
  & Record<PlatformUrl, string>
  & {
    mode: Mode;
    /** `{base_url}` of the spec, without a trailing slash. */
    BASE_URL: string;
    /** Where the service's own machine reaches it; `BASE_URL` may lie beyond a proxy. */
    ownUrl: string;
    SANDBOX: boolean;
    /** Instant at which a rehearsal starts, ms; null runs in real time. */
    CLOCK: number | null;
  };

/** Where the connectors call: the real hosts, or the sandbox that speaks for them. */
const PLATFORM_URLS = {
  INSTAGRAM_API_URL: { real: "https://graph.instagram.com", sandbox: "/sandbox/instagram" },
  LINKEDIN_API_URL: { real: "https://api.linkedin.com", sandbox: "/sandbox/linkedin" },
  YOUTUBE_API_URL: { real: "https://www.googleapis.com", sandbox: "/sandbox/youtube" },
} as const;
type PlatformUrl = keyof typeof PLATFORM_URLS;

/** A setting that cannot be used; its message names it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

export type Environ = Record<string, string | undefined>;

/** Names that are read from the environment. */
export const SETTING_NAMES = Object.keys(Environment.shape);

/** Either is set on Deno Deploy, where only the public address leads to the service. */
export const DEPLOY_NAMES = ["DENO_DEPLOY", "DENO_DEPLOYMENT_ID"];

/**
 * @param environ names and values as the process got them; an empty value counts as unset
 * @param running `ownUrl` of the service beside which this process works
 * @throws SettingsError with one line that names the setting
 */
export function readSettings(environ: Environ, mode: Mode, running?: string): Settings {
  const given = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, environ[name] === "" ? undefined : environ[name]]),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new SettingsError(`Cannot use setting ${issue.path.join(".")}: ${issue.message}`);
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
  const baseUrl = BASE_URL ?? `http://${hostInUrl(settings.HOST)}:${settings.PORT}`;
  const onDeploy = DEPLOY_NAMES.some((name) => environ[name] !== undefined);
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
    SANDBOX: sandbox,
    CLOCK: CLOCK === undefined ? null : Date.parse(CLOCK),
  };
}

/** Wildcard addresses to listen on, and the one of them that can be called. */
const LOOPBACK: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function localUrl({ HOST, PORT }: Pick<Settings, "HOST" | "PORT">): string {
  return `http://${hostInUrl(LOOPBACK[HOST] ?? HOST)}:${PORT}`;
}

function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
