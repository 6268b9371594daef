/** `deno task readme`: writes the README's table of tools from the table in the code. */
import { TOOLS } from "../mcp/tools.ts";

const README = new URL("../README.md", import.meta.url);
const MARKED = /(<!-- tools -->\n)[^]*?(<!-- \/tools -->)/;

/** The table as markdown, a line a tool. */
export function toolTable(): string {
  const rows = Object.entries(TOOLS).map(([name, { operation: { summary, scopes } }]) =>
    `| \`${name}\` | ${summary} | ${scopes.join(" or ")} |`
  );
  return ["| tool | what it does | scope |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The table that stands in the README, without the blanks that the formatter adds. */
export async function tableInReadme(): Promise<string> {
  const [, table = ""] = /<!-- tools -->\n([^]*?)<!-- \/tools -->/.exec(
    await Deno.readTextFile(README),
  ) ?? [];
  return table.trim().replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---");
}

if (import.meta.main) {
  const text = await Deno.readTextFile(README);
  await Deno.writeTextFile(README, text.replace(MARKED, `$1\n${toolTable()}\n\n$2`));
}
