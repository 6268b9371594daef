/** `/llms.txt`: a short index of the documentation for language models (llmstxt.org). */
import { GROUPS } from "../domain/operations/groups.ts";
import { PAGES } from "./docs/pages.ts";
import { slug } from "./docs/slug.ts";
import { TABLE } from "./table.ts";

export function llmsText(baseUrl: string): string {
  const pages = PAGES.map(({ name, title, about }) =>
    `- [${title}](${baseUrl}/docs/${name}.md): ${about}`
  );
  const groups = [...new Set(TABLE.map(([, , { group }]) => group))].map((title) =>
    `- [${title}](${baseUrl}/docs/reference/${slug(title)}): ${GROUPS[title]}`
  );
  return [
    "# Marquee",
    "> Content analytics and image creation for a brand: published posts with their numbers, pictures " +
    "from prompts, scheduled posts and their publication, by REST and by MCP.",
    `Send the key as \`Authorization: Bearer mq_...\`. Agents connect to ${baseUrl}/mcp with the ` +
    `same key and begin with the tool get_brand; programs begin with GET ${baseUrl}/v1/brand.`,
    `## Guide\n\n${pages.join("\n")}`,
    `## Reference\n\n- [All operations with examples](${baseUrl}/docs.md): one markdown file\n` +
    `- [OpenAPI 3.1](${baseUrl}/v1/openapi.json): the same for programs\n${groups.join("\n")}`,
  ].join("\n\n") + "\n";
}
