/** The reference as plain markdown: a walk over the same tables as the description. */
import { ERRORS } from "../domain/foundation/errors.ts";
import { GROUPS } from "../domain/operations/groups.ts";
import { codeSamples } from "./code_samples.ts";
import { exampleOf, type Examples } from "./examples.ts";
import { bodyNames, fieldOf, pathNames, queryNames } from "./input.ts";
import { errorsOf } from "./openapi.ts";
import { LIMIT_HEADERS, planTable, POLICY_HEADERS } from "./openapi_texts.ts";
import { type JsonSchema, SchemaBook } from "./schemas.ts";
import type { Row } from "./row.ts";

/** A part of the reference: a group of operations, or what all of them share. */
export interface Section {
  title: string;
  /** Markdown; its headings begin with the second level. */
  text: string;
}

/** What an example needs beside its row. */
interface Shown {
  baseUrl: string;
  examples: Examples;
}

export function referenceMarkdown(table: readonly Row[], shown: Shown): string {
  return [
    "# Marquee API",
    `Base address: \`${shown.baseUrl}\`. Send the key as \`Authorization: Bearer <API_KEY>\`; the keys ` +
    "are for servers, so no answer bears CORS headers. Answers are JSON.",
    ...referenceSections(table, shown).map(({ text }) => text),
  ].join("\n\n") + "\n";
}

export function referenceSections(table: readonly Row[], shown: Shown): Section[] {
  const book = new SchemaBook();
  const groups = Map.groupBy(table, ([, , operation]) => operation.group);
  const operations = [...groups].map(([title, rows]) => ({
    title,
    text: [
      `## ${title}`,
      GROUPS[title],
      ...rows.flatMap((row) => [describeRow(row, book), ...exampleMarkdown(row, shown)]),
    ].join("\n\n"),
  }));
  return [
    ...operations,
    { title: "Shapes", text: shapes(book) },
    { title: "Errors", text: errors() },
    { title: "Headers", text: headers() },
    { title: "Plans", text: `## Plans\n\n${planTable()}` },
  ];
}

function describeRow(row: Row, book: SchemaBook): string {
  const [verb, path, operation, status, options] = row;
  const field = (place: string, name: string, from = name) => {
    const schema = book.schemaOf(fieldOf(operation, from));
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
      "| Field | In | Type | Notes |",
      "|---|---|---|---|",
      ...fields,
    ].join("\n"),
    `Scope: ${operation.scopes.map((scope) => `\`${scope}\``).join(" or ")}. ` +
    `Answers ${status}${replayed}: ${answer}. ` +
    `Errors: ${errorsOf(row).map((code) => `\`${code}\``).join(", ")}.`,
  ].filter((part) => part !== undefined).join("\n\n");
}

/** A call as three languages send it, what it answered, and what was refused. */
function exampleMarkdown(row: Row, { baseUrl, examples }: Shown): string[] {
  const example = exampleOf(examples, row);
  if (example === undefined) return [];
  const fenced = (lang: string, text: string) => `\`\`\`${lang}\n${text}\n\`\`\``;
  const { status, location, answer, refusals } = example;
  const samples = codeSamples(row, example, baseUrl);
  const head = location === undefined ? `${status}` : `${status}, \`Location: ${location}\``;
  const body = typeof answer === "string"
    ? fenced("", answer.trimEnd())
    : fenced("json", JSON.stringify(answer, null, 2));
  return [
    ...samples.map(({ lang, source }) => fenced(lang.toLowerCase(), source)),
    answer === undefined ? `Answers ${head}.` : `Answers ${head}:\n\n${body}`,
    "Refused, for example:",
    refusals.map(({ status, code, message }) => `- ${status} \`${code}\`: ${message}`).join("\n"),
  ];
}

/** A schema's type in a few words, for one cell of a table. */
function typeOf(schema: JsonSchema): string {
  const { $ref, type, anyOf, items, enum: values, properties } = schema;
  if (typeof $ref === "string") {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
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
    return `### ${name}\n\n| Field | Type | Notes |\n|---|---|---|\n${rows.join("\n")}`;
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
  const rows = Object.entries({ ...LIMIT_HEADERS, ...POLICY_HEADERS }).map(([name, meaning]) =>
    `| ${name} | ${meaning} |`
  );
  return "## Headers of every answer to a known key\n\n" +
    `| Header | Meaning |\n|---|---|\n${rows.join("\n")}\n| Retry-After | ` +
    "Seconds to wait; sent with every 429 and 503. |\n| ETag | With reads: send it back as " +
    "`If-None-Match`, and an unchanged answer is 304 (which still counts as a request). |\n| Link | " +
    '`rel="next"` and `rel="prev"` of a list; `rel="help"` of a refusal. |\n\n' +
    "Answers are compressed with zstd, br or gzip as `Accept-Encoding` asks.";
}

function cell(value: unknown): string {
  return String(value ?? "").replaceAll("|", "\\|").replaceAll("\n", " ");
}
