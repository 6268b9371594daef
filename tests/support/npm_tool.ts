/** Command-line tools of the field, run at their pinned versions through Deno. */

/** A tool such as `npm:@scope/name@1.2.3`, and what a test's name says where it can't be had. */
export interface NpmTool {
  specifier: string;
  ignore: boolean;
  needs: string;
}

/** Fetches the tool, or finds that it can't be had. */
export async function npmTool(specifier: string): Promise<NpmTool> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--no-lock", "--quiet", specifier],
    stderr: "null",
  }).output();
  return {
    specifier,
    ignore: !success,
    needs: success ? "" : ` (skipped: ${specifier} can't be fetched)`,
  };
}

/** Runs the tool and answers what it printed. */
export async function runTool(
  { specifier }: NpmTool,
  args: string[],
  environ: Record<string, string> = {},
): Promise<{ code: number; output: string; errors: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", "--quiet", specifier, ...args],
    env: { NO_COLOR: "1", ...environ },
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout), errors: decoder.decode(stderr) };
}
