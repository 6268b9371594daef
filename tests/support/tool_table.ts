/** `deno task docs`: writes the guide's table of tools from the table in the code. */
import { TOOLS } from "../../mcp/tools.ts";

const PAGE = new URL("../../routes/docs/agents.md", import.meta.url);
const MARKED = /(<!-- tools -->\n)([^]*?)(<!-- \/tools -->)/;

/** The table as markdown, a line a tool. */
export function toolTable(): string {
  const rows = Object.entries(TOOLS).map(([name, { operation: { summary, scopes } }]) =>
    `| \`${name}\` | ${summary} | ${scopes.join(" or ")} |`
  );
  return ["| tool | what it does | scope |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The table as it is in the guide, without the blanks that the formatter adds. */
export async function tableInGuide(): Promise<string> {
  const [, , table = ""] = MARKED.exec(await Deno.readTextFile(PAGE)) ?? [];
  return table.trim().replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---");
}

if (import.meta.main) {
  const text = await Deno.readTextFile(PAGE);
  await Deno.writeTextFile(PAGE, text.replace(MARKED, `$1\n${toolTable()}\n\n$3`));
}
