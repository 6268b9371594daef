/** What `deno.json` gives to its tasks, for processes that tests start without a shell. */
import manifest from "../../deno.json" with { type: "json" };

const { command } = manifest.tasks.limited;
/** The last command of the task: the program, behind the variables that are set for it. */
const [VARIABLES = "", PROGRAM = ""] = command.slice(command.lastIndexOf("; ") + 2)
  .split("deno run ");

/** The program's words after `deno run`, as the shell would split them. */
const WORDS = [...PROGRAM.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
  .map(([, double, single, bare]) => double ?? single ?? bare ?? "");

/** The variables that the task sets. */
export const TASK_ENVIRON: Record<string, string> = Object.fromEntries(
  VARIABLES.trim().split(" ").map((variable) => variable.split("=")),
);

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
