/** The permissions that `deno.json` gives to its tasks, for processes that tests start without a shell. */
import manifest from "../../deno.json" with { type: "json" };

const { command } = manifest.tasks.limited;

/** The program's words after `deno run`, as the shell would split them. */
const WORDS = [
  ...command.slice(command.lastIndexOf("deno run ")).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
]
  .map(([, double, single, bare]) => double ?? single ?? bare ?? "").slice(2);

/** Where Deno keeps npm packages, as the task asks it too. */
const NPM = npmCache();

function npmCache(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return JSON.parse(new TextDecoder().decode(stdout)).npmCache;
}

/** The flags of `deno run` in a task, for a service whose files are in `dataDir`. */
export function taskFlags(task: "dev" | "start" | "admin", dataDir: string): string[] {
  const own = manifest.tasks[task].split(" ").filter((word) => word.startsWith("--allow-"));
  return [...WORDS, ...own]
    .map((word) => word.replaceAll("$DATA", dataDir).replaceAll("$NPM", NPM));
}
