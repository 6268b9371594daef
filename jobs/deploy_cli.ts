/** Calls `deno deploy`, the command of Deno Deploy, for one app. */

/** Two of the exit codes that its documentation lists. */
export const EXIT = { ok: 0, notFound: 4 } as const;

export interface Answer {
  code: number;
  /** What was printed on stdout, when that is JSON; else null. */
  json: unknown;
  /** The last line of stderr: what went wrong. */
  error: string;
}

export class DeployCli {
  readonly #org: string;
  readonly #app: string;

  constructor(org: string, app: string) {
    this.#org = org;
    this.#app = app;
  }

  /** Runs a subcommand on the organisation. */
  org(...args: string[]): Promise<Answer> {
    return call([...args, "--org", this.#org]);
  }

  /** Runs a subcommand on the app. */
  app(...args: string[]): Promise<Answer> {
    return call([...args, "--org", this.#org, "--app", this.#app]);
  }

  whoami(): Promise<Answer> {
    return call(["whoami"]);
  }
}

const CONFIG = "deno.json";

/** The command leaves only `org` and `app` of the `deploy` section, so deno.json is put back. */
async function call(args: string[]): Promise<Answer> {
  const config = await Deno.readTextFile(CONFIG);
  try {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["deploy", ...args, "--json", "--non-interactive"],
    }).output();
    const decoder = new TextDecoder();
    const error = errorIn(decoder.decode(stderr));
    return { code, json: parsed(decoder.decode(stdout)), error };
  } finally {
    if (await Deno.readTextFile(CONFIG) !== config) await Deno.writeTextFile(CONFIG, config);
  }
}

/** With `--json` an error is `{"error": {"message"}}`; anything else is shown as it is. */
function errorIn(stderr: string): string {
  const last = stderr.trim().split("\n").at(-1) ?? "";
  const known = parsed(last) as { error?: { message?: string } } | null;
  return known?.error?.message ?? last;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
