/** `deno task deploy`: checks what Deno Deploy needs, says what is missing, then deploys. */
import { NEEDED_SETTINGS, unmetNeeds } from "../domain/foundation/deploy.ts";
import {
  type Environ,
  readSettings,
  SETTING_NAMES,
  SettingsError,
} from "../domain/foundation/settings.ts";
import { DeployCli, EXIT } from "./deploy_cli.ts";

/** What the app on Deploy has already. */
interface App {
  exists: boolean;
  /** Names of its settings in production. */
  settings: Set<string>;
  /** A KV database is assigned. */
  hasStore: boolean;
}

interface EnvVar {
  key: string;
  /** Null: in all contexts. */
  contexts: string[] | null;
}

interface Database {
  name: string;
  engine: string;
  assignments: string[];
}

/** Settings that Deploy decides itself. */
const NOT_SENT = new Set(["PORT", "HOST", "DATA_DIR", "KV_URL"]);

const AS_GIVEN = "--do-not-use-detected-build-config";

const say = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

async function main(environ: Environ): Promise<number> {
  const { DENO_DEPLOY_ORG: org = "", DENO_DEPLOY_APP: name = "" } = environ;
  const given = Object.fromEntries(
    SETTING_NAMES.filter((key) => environ[key] && !NOT_SENT.has(key))
      .map((key) => [key, environ[key] ?? ""]),
  );
  const cli = new DeployCli(org, name);
  const missing: string[] = [];
  if (org === "") missing.push("Set DENO_DEPLOY_ORG to your organization on Deno Deploy.");
  if (name === "") missing.push("Set DENO_DEPLOY_APP to the name of the app, new or existing.");
  const me = await cli.whoami();
  const isLoggedIn = me.code === EXIT.ok;
  if (!isLoggedIn) {
    missing.push(
      "Log in: set DENO_DEPLOY_TOKEN to a token from https://console.deno.com/account/tokens. " +
        `Deno Deploy says: ${me.error}`,
    );
  }
  const app = isLoggedIn && org !== "" && name !== "" ? await look(cli, name) : NO_APP;
  missing.push(...unsetIn(given, app));
  if (missing.length > 0) {
    say("Nothing was deployed, because this is missing:");
    for (const line of missing) say(`- ${line}`);
    return 1;
  }
  await deploy(cli, name, app, given);
  return 0;
}

const NO_APP: App = { exists: false, settings: new Set(), hasStore: false };

async function look(cli: DeployCli, name: string): Promise<App> {
  const variables = await cli.app("env", "list");
  if (variables.code === EXIT.notFound) return NO_APP;
  const databases = await cli.org("database", "list");
  for (const { code, error } of [variables, databases]) {
    if (code !== EXIT.ok) throw new SettingsError(`Cannot look at the app: ${error}`);
  }
  return {
    exists: true,
    settings: new Set(
      (variables.json as EnvVar[])
        .filter(({ contexts }) => contexts?.some(isProduction) ?? true)
        .map(({ key }) => key),
    ),
    hasStore: (databases.json as Database[]).some(({ engine, assignments }) =>
      engine === "denokv" && assignments.includes(name)
    ),
  };
}

const isProduction = (context: string) => context.toLowerCase() === "production";

/** What neither the app nor this environment has, one line each. */
function unsetIn(given: Record<string, string>, { settings }: App): string[] {
  // The value of a secret on the app can't be read; the service checks it at its start.
  const known = NEEDED_SETTINGS.filter((key) => settings.has(key) && given[key] === undefined);
  const assumed = Object.fromEntries(known.map((key) => [key, "*".repeat(99)]));
  const lines = unmetNeeds({ ...given, ...assumed });
  if (given["BASE_URL"] === undefined && !settings.has("BASE_URL")) {
    lines.push("Set BASE_URL to the app's public address, with which every link begins.");
  }
  if (lines.length > 0) return lines;
  readSettings({ ...given, ...assumed }, "start");
  return [];
}

async function deploy(
  cli: DeployCli,
  name: string,
  app: App,
  given: Record<string, string>,
): Promise<void> {
  const step = async (words: string, called: Promise<{ code: number; error: string }>) => {
    const { code, error } = await called;
    if (code !== EXIT.ok) throw new SettingsError(`Cannot continue (${words}): ${error}`);
    say(words);
  };
  if (!app.exists) {
    const runtime = ["--runtime-mode", "dynamic", "--entrypoint", "main.ts", "--region", "us"];
    const created = cli.app("create", "--source", "local", ...runtime, "--no-wait", AS_GIVEN);
    await step(`created the app ${name}`, created);
  }
  if (!app.hasStore) {
    const store = `${name}-kv`;
    await step(
      `provisioned the KV database ${store}`,
      cli.org("database", "provision", store, "--kind", "denokv"),
    );
    await step(`assigned ${store}`, cli.app("database", "assign", store));
  }
  const fresh = Object.entries(given).filter(([key]) => !app.settings.has(key));
  if (fresh.length > 0) await step(`set ${fresh.map(([key]) => key).join(", ")}`, send(cli, fresh));
  const published = await cli.app("--prod");
  if (published.code !== EXIT.ok) throw new SettingsError(`Cannot deploy: ${published.error}`);
  say(`deployed: ${(published.json as { url?: string } | null)?.url ?? name}`);
}

/** Sends the settings in a file that only this user can read, because arguments are public. */
async function send(cli: DeployCli, settings: [string, string][]) {
  const file = await Deno.makeTempFile({ prefix: "marquee-env-" });
  try {
    const lines = settings.map(([key, value]) => `${key}=${JSON.stringify(value)}\n`);
    await Deno.writeTextFile(file, lines.join(""));
    const loaded = await cli.app("env", "load", file, "--skip-existing");
    if (loaded.code !== EXIT.ok) return loaded;
    // Previews and builds must not get the secrets of production.
    for (const [key] of settings) {
      const limited = await cli.app("env", "update-contexts", key, "Production");
      if (limited.code !== EXIT.ok) return limited;
    }
    return loaded;
  } finally {
    await Deno.remove(file);
  }
}

Deno.exitCode = await main(Deno.env.toObject()).catch((error) => {
  if (!(error instanceof SettingsError)) throw error;
  say(error.message);
  return 1;
});
