/**
 * Stands in for the program behind `deno deploy`, which Deno loads from `DENO_DEPLOY_CLI_SPECIFIER`.
 * It keeps an account in the file `DEPLOY_STATE`, and answers with the documented JSON and exit codes.
 */

export interface Account {
  token: string;
  apps: string[];
  variables: { key: string; value: string; contexts: string[] | null }[];
  databases: { name: string; engine: string; assignments: string[] }[];
  /** Every call, its flags for the output and the account left out. */
  calls: string[];
}

async function main(): Promise<void> {
  const path = Deno.env.get("DEPLOY_STATE") ?? "";
  const account: Account = JSON.parse(await Deno.readTextFile(path));
  const { words, flags } = parse(firstHalf(Deno.args));
  account.calls.push([...words, ...(flags.has("prod") ? ["--prod"] : [])].join(" "));
  await Deno.writeTextFile(path, JSON.stringify(account));
  if (Deno.env.get("DENO_DEPLOY_TOKEN") !== account.token) refuse(3, "The token is invalid.");
  const answer = await run(account, words, flags);
  await Deno.writeTextFile(path, JSON.stringify(account));
  if (flags.has("org")) await rewriteConfig(flags);
  await Deno.stdout.write(new TextEncoder().encode(answer));
}

async function run(account: Account, words: string[], flags: Map<string, string>): Promise<string> {
  const [noun = "", verb = "", name = "", ...more] = words;
  const app = flags.get("app") ?? "";
  if (noun === "create") account.apps.push(app);
  const needsApp = noun === "env" || noun === "" || verb === "assign";
  if (needsApp && !account.apps.includes(app)) refuse(4, "There is no such app.");
  switch (`${noun} ${verb}`) {
    case "whoami ":
      return JSON.stringify({ authenticated: true });
    case "env list":
      return JSON.stringify(account.variables.map((one) => ({ ...one, value: null })));
    case "env load":
      for (const line of (await Deno.readTextFile(name)).trim().split("\n")) {
        const [key = "", value = ""] = line.split(/=(.*)/);
        account.variables.push({ key, value: JSON.parse(value), contexts: null });
      }
      return "loaded";
    case "env update-contexts":
      for (const one of account.variables) if (one.key === name) one.contexts = more;
      return "updated";
    case "database list":
      return JSON.stringify(account.databases);
    case "database provision":
      account.databases.push({ name, engine: flags.get("kind") ?? "", assignments: [] });
      return "provisioned";
    case "database assign":
      account.databases.find((one) => one.name === name)?.assignments.push(app);
      return "assigned";
    default:
      return JSON.stringify({ url: `https://console.deno.com/org/${app}/builds/1` });
  }
}

/** Deno hands the arguments over twice where the program is a file. */
function firstHalf(args: string[]): string[] {
  const half = args.slice(0, args.length / 2);
  return half.every((arg, index) => arg === args[half.length + index]) ? half : args;
}

const SWITCHES = new Set(["json", "non-interactive", "prod", "no-wait", "skip-existing"])
  .add("do-not-use-detected-build-config");

function parse(args: string[]): { words: string[]; flags: Map<string, string> } {
  const words: string[] = [];
  const flags = new Map<string, string>();
  for (let n = 0; n < args.length; n++) {
    const arg = args[n] ?? "";
    if (!arg.startsWith("--")) words.push(arg);
    else flags.set(arg.slice(2), SWITCHES.has(arg.slice(2)) ? "" : args[++n] ?? "");
  }
  return { words, flags };
}

function refuse(code: number, message: string): never {
  Deno.stderr.writeSync(new TextEncoder().encode(`${JSON.stringify({ error: { message } })}\n`));
  Deno.exit(code);
}

/** As the real program does: only the account is left of the section. */
async function rewriteConfig(flags: Map<string, string>): Promise<void> {
  const config = JSON.parse(await Deno.readTextFile("deno.json"));
  config.deploy = { org: flags.get("org"), app: flags.get("app") };
  await Deno.writeTextFile("deno.json", JSON.stringify(config));
}

if (import.meta.main) await main();
