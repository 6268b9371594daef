/**
 * `permitted.ts data` or, with `deno info --json` on stdin, `permitted.ts npm`: a folder, written for
 * Deno's permission flags. The task `limited` in `deno.json` calls it.
 */

const [what] = Deno.args;

/** Permitted in place of a folder with a comma in its name. The service refuses that name with a reason. */
const NOTHING = "/dev/null";

/** The folder as it is named, and where links lead, because Deno checks one or the other. */
async function listed(folder: string): Promise<string> {
  const real = await Deno.realPath(folder).catch(() => folder);
  const names = new Set([folder, real]);
  // A list in Deno's flags can't name a folder with a comma: it would permit other folders.
  return [...names].some((name) => name.includes(",")) ? NOTHING : [...names].join();
}

async function folder(): Promise<string> {
  if (what === "npm") return (await new Response(Deno.stdin.readable).json()).npmCache;
  const path = Deno.env.get("DATA_DIR") ?? "";
  if (path.includes(",")) return path;
  // What goes wrong here goes wrong in the service, too, which says it better.
  await Deno.mkdir(path, { recursive: true, mode: 0o700 }).catch(() => {});
  return path;
}

await Deno.stdout.write(new TextEncoder().encode(await listed(await folder())));
