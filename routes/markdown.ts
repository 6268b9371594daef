/** The reference as plain markdown: a walk over the same tables as the description. */
import { ERRORS } from "../domain/errors.ts";
import { bodyNames, pathNames, queryNames } from "./input.ts";
import { errorsOf, LIMIT_HEADERS, planTable } from "./openapi.ts";
import { type JsonSchema, SchemaBook } from "./schemas.ts";
import type { Row } from "./row.ts";

export function referenceMarkdown(table: readonly Row[], baseUrl: string): string {
  const book = new SchemaBook();
  const groups = Map.groupBy(table, ([, , operation]) => operation.group);
  const operations = [...groups].map(([group, rows]) =>
    `## ${group}\n\n${rows.map((row) => describeRow(row, book)).join("\n\n")}`
  );
  return [
    "# Marquee API",
    `Base address: \`${baseUrl}\`. Send the key as \`Authorization: Bearer <API_KEY>\`; the keys ` +
    "are for servers, so no answer bears CORS headers. Answers are JSON.",
    ...operations,
    shapes(book),
    errors(),
    headers(),
    `## Plans\n\n${planTable()}`,
  ].join("\n\n") + "\n";
}

function describeRow(row: Row, book: SchemaBook): string {
  const [verb, path, operation, status, options] = row;
  const shape = operation.input.shape;
  const field = (place: string, name: string, from = name) => {
    const schema = book.schemaOf(shape[from]!);
    return `| ${name} | ${place} | ${typeOf(schema)} | ${cell(schema["description"])} |`;
  };
  const fields = [
    ...pathNames(path).map((name) => field("path", name)),
    ...queryNames(row).map((name) => field("query", name)),
    ...options?.header ? [field("header", options.header.name, options.header.field)] : [],
    ...bodyNames(row).map((name) => field("body", name)),
  ];
  const answer = operation.output === null ? "nothing" : typeOf(book.schemaOf(operation.output));
  const replayed = options?.replayed === undefined ? "" : ` (a replay: ${options.replayed})`;
  return [
    `### ${verb} ${path}`,
    operation.summary,
    operation.description,
    fields.length === 0 ? undefined : [
      "| Field | In | Type | |",
      "|---|---|---|---|",
      ...fields,
    ].join("\n"),
    `Scope: ${operation.scopes.map((scope) => `\`${scope}\``).join(" or ")}. ` +
    `Answers ${status}${replayed}: ${answer}. ` +
    `Errors: ${errorsOf(row).map((code) => `\`${code}\``).join(", ")}.`,
  ].filter((part) => part !== undefined).join("\n\n");
}

/** A schema's type in a few words, as one cell of a table. */
function typeOf(schema: JsonSchema): string {
  const { $ref, type, anyOf, items, enum: values, properties } = schema;
  if (typeof $ref === "string") {
    const name = $ref.split("/").at(-1)!;
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(", ");
  if (Array.isArray(anyOf)) return anyOf.map((inner) => typeOf(inner as JsonSchema)).join(" or ");
  if (type === "array") return `array of ${typeOf((items ?? {}) as JsonSchema)}`;
  if (type === "object" && properties !== undefined) {
    const inner = Object.entries(properties as Record<string, JsonSchema>);
    return `{ ${inner.map(([name, value]) => `${name}: ${typeOf(value)}`).join("; ")} }`;
  }
  return bounded(schema, Array.isArray(type) ? type.join(" or ") : String(type ?? "any"));
}

function bounded(
  { format, minimum, maximum, maxLength, default: fallback }: JsonSchema,
  type: string,
) {
  const parts = [format === undefined ? type : `${type} (${format})`];
  if (minimum !== undefined && maximum !== undefined) parts.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) parts.push(`at least ${minimum}`);
  if (maxLength !== undefined) parts.push(`at most ${maxLength} characters`);
  if (fallback !== undefined) parts.push(`default ${JSON.stringify(fallback)}`);
  return parts.join(", ");
}

function shapes(book: SchemaBook): string {
  const sections = Object.entries(book.components).map(([name, schema]) => {
    const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
    if (properties.length === 0) return `### ${name}\n\n${typeOf(schema)}`;
    const rows = properties.map(([field, value]) =>
      `| ${field} | ${typeOf(value)} | ${cell(value["description"])} |`
    );
    return `### ${name}\n\n| Field | Type | |\n|---|---|---|\n${rows.join("\n")}`;
  });
  return `## Shapes\n\n${sections.join("\n\n")}`;
}

function errors(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, meaning }]) =>
    `| ${code} | ${status} | ${meaning} |`
  );
  return "## Errors\n\nEvery failure has the body " +
    '`{ "error": { "code": string, "message": string } }`. Branch on `code`.\n\n' +
    `| code | HTTP | Meaning |\n|---|---|---|\n${rows.join("\n")}`;
}

function headers(): string {
  const rows = Object.entries(LIMIT_HEADERS).map(([name, meaning]) => `| ${name} | ${meaning} |`);
  return "## Headers of every answer to a known key\n\n" +
    `| Header | Meaning |\n|---|---|\n${rows.join("\n")}\n| Retry-After | ` +
    "Seconds to wait; sent with every 429 and 503. |";
}

function cell(value: unknown): string {
  return String(value ?? "").replaceAll("|", "\\|").replaceAll("\n", " ");
}
