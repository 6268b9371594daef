/** Where the service that last ran on this store answers: `admin` beside it calls the same place. */
import { transact } from "./kv.ts";
import { type Environ, readSettings, type Settings } from "./settings.ts";

interface RunningMark {
  baseUrl: string;
  sandbox: boolean;
}

const KEY = ["running"];

export function markRunning(kv: Deno.Kv, settings: Settings): Promise<void> {
  const mark: RunningMark = { baseUrl: settings.BASE_URL, sandbox: settings.SANDBOX };
  return transact(kv, (commit) => commit.set(KEY, mark));
}

/** Admin's settings: its own environment, and where that says nothing, the running service's. */
export async function joinSettings(kv: Deno.Kv, environ: Environ): Promise<Settings> {
  const mark = (await kv.get<RunningMark>(KEY)).value;
  const joined = { ...environ };
  if (mark !== null) {
    joined["SANDBOX"] ||= mark.sandbox ? "on" : "off";
    if (!environ["PORT"] && !environ["HOST"]) joined["BASE_URL"] ||= mark.baseUrl;
  }
  return readSettings(joined, "admin");
}
