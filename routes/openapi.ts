/** OpenAPI 3.1 as a walk over the table. */
import { z } from "zod";
import manifest from "../deno.json" with { type: "json" };
import { type ErrorCode, ErrorEnvelope, ERRORS } from "../domain/foundation/errors.ts";
import { mediaTypeOf } from "../domain/operations/operation.ts";
import { GROUPS } from "../domain/operations/groups.ts";
import { rulesOf } from "../domain/operations/body_rules.ts";
import { IdempotencyKey } from "../domain/kv/idempotency.ts";
import { codeSamples } from "./code_samples.ts";
import { type Example, exampleOf, type Examples } from "./examples.ts";
import { bodyNames, fieldOf, pathNames, queryNames, takesKey } from "./input.ts";
import { linksOf } from "./links.ts";
import {
  introduction,
  LIMIT_HEADERS,
  POLICY_HEADERS,
  RETRY_AFTER,
  TEXT_HEADERS,
} from "./openapi_texts.ts";
import { describeWebhooks } from "./openapi_webhooks.ts";
import { type JsonSchema, SchemaBook } from "./schemas.ts";
import type { Row } from "./row.ts";

/** Refusals that the gate gives for every operation. */
const GATE_ERRORS: readonly ErrorCode[] = [
  "validationError",
  "unauthorized",
  "forbidden",
  "rateLimitExceeded",
  "quotaExceeded",
  "serviceUnavailable",
];

const Failure = ErrorEnvelope.meta({ id: "Error" });

/** The codes with which a row's operation may refuse, in the order of the error table. */
export function errorsOf(row: Row): ErrorCode[] {
  const [, , operation] = row;
  // A key that was sent with another request is a conflict.
  const keyed: ErrorCode[] = takesKey(row) ? ["conflict"] : [];
  const known = new Set<ErrorCode>([...GATE_ERRORS, ...operation.errors, ...keyed]);
  if (operation.costs === "credit") known.delete("quotaExceeded");
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => known.has(code));
}

/** The whole description, with `baseUrl` as its server. */
export function describe(table: readonly Row[], baseUrl: string, examples: Examples): object {
  const book = new SchemaBook();
  book.schemaOf(Failure);
  const paths: Record<string, Record<string, object>> = {};
  for (const row of table) {
    const [verb, path] = row;
    const example = exampleOf(examples, row);
    const samples = example === undefined
      ? {}
      : { "x-codeSamples": codeSamples(row, example, baseUrl) };
    (paths[path] ??= {})[verb.toLowerCase()] = {
      ...describeRow(row, book, linksOf(row, table), example),
      ...samples,
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Marquee",
      version: manifest.version,
      summary: "Content analytics and image creation for a brand.",
      description: introduction(baseUrl),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(table.map(([, , operation]) => operation.group))].map((name) => ({
      name,
      description: GROUPS[name],
    })),
    paths,
    webhooks: describeWebhooks(book),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key of the brand." },
      },
      headers: {
        ...Object.fromEntries(
          Object.entries(LIMIT_HEADERS).map(([name, description]) => [name, integer(description)]),
        ),
        ...Object.fromEntries(
          Object.entries({ ...POLICY_HEADERS, ...TEXT_HEADERS })
            .map(([name, description]) => [name, { description, schema: { type: "string" } }]),
        ),
        "Retry-After": integer(RETRY_AFTER),
      },
      schemas: book.components,
    },
  };
}

function describeRow(row: Row, book: SchemaBook, links: object, example?: Example): object {
  const [verb, , operation, status, options] = row;
  const isJsonRead = verb === "GET" && operation.output !== null &&
    mediaTypeOf(operation.output) === "application/json";
  const hasBody = operation.output !== null && status !== 204;
  const answer = !hasBody ? { description: "Done.", headers: doneHeaders(row) } : {
    description: "The answer.",
    headers: { ...headerRefs(), ...isJsonRead ? headerRefs(["ETag", "Link"]) : {} },
    content: {
      [mediaTypeOf(operation.output)]: {
        schema: book.schemaOf(operation.output),
        ...example?.answer === undefined ? {} : { example: example.answer },
      },
    },
    ...Object.keys(links).length === 0 ? {} : { links },
  };
  const unchanged = isJsonRead
    ? { 304: { description: "Unchanged since `If-None-Match`.", headers: headerRefs() } }
    : {};
  const replayed = options?.replayed === undefined ? {} : {
    [options.replayed]: { ...answer, description: "A replayed request: the original answer." },
  };
  const body = bodyOf(row, book, example);
  const scopes = `Scope: ${operation.scopes.map((scope) => `\`${scope}\``).join(" or ")}.`;
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description: [operation.description, scopes].filter((part) => part !== undefined).join("\n\n"),
    parameters: parametersOf(row, book, example),
    ...body === null ? {} : { requestBody: body },
    responses: { [status]: answer, ...replayed, ...unchanged, ...errorResponses(row, example) },
  };
}

function parametersOf(row: Row, book: SchemaBook, example?: Example): object[] {
  const [, path, operation, , options] = row;
  const parameter = (place: string, name: string, from = name) => {
    const field = fieldOf(operation, from);
    const { description, ...schema } = book.schemaOf(field);
    return {
      name,
      in: place,
      required: place === "path" || !accepts(field, undefined),
      ...description === undefined ? {} : { description },
      schema,
    };
  };
  const { header } = options ?? {};
  const { path: ids, query, headers } = example?.request ?? {};
  const shown = (values: Record<string, string> | undefined, parameter: Parameter) => {
    const value = values?.[parameter.name];
    if (value === undefined) return parameter;
    return {
      ...parameter,
      example: parameter.schema["type"] === "integer" ? Number(value) : value,
    };
  };
  return [
    ...pathNames(path).map((name) => shown(ids, parameter("path", name))),
    ...queryNames(row).map((name) => shown(query, parameter("query", name))),
    ...header === undefined ? [] : [shown(headers, parameter("header", header.name, header.field))],
    ...takesKey(row) ? [keyParameter(book)] : [],
  ];
}

interface Parameter {
  name: string;
  schema: JsonSchema;
}

function keyParameter(book: SchemaBook): object {
  const { description, ...schema } = book.schemaOf(IdempotencyKey);
  return { name: "Idempotency-Key", in: "header", required: false, description, schema };
}

function bodyOf(row: Row, book: SchemaBook, example?: Example): object | null {
  const names = bodyNames(row);
  if (names.length === 0) return null;
  const field = (name: string) => fieldOf(row[2], name);
  const properties: Record<string, JsonSchema> = {};
  for (const name of names) properties[name] = book.schemaOf(field(name));
  const required = names.filter((name) => !accepts(field(name), undefined));
  const needed = required.length > 0 ? { required } : {};
  const schema = { type: "object", properties, ...needed, ...rulesOf(row[2].input) };
  const isRequired = row[4]?.optionalBody !== true;
  const sent = example?.request.body;
  const shown = sent === undefined ? {} : { example: sent };
  return { required: isRequired, content: { "application/json": { schema, ...shown } } };
}

function accepts(shape: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(shape, value).success;
}

/** One response per status; its description names the codes that share it. */
function errorResponses(row: Row, example?: Example): Record<string, object> {
  const responses: Record<string, object> = {};
  const codes = errorsOf(row);
  for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
    const here = codes.filter((code) => ERRORS[code].status === status);
    const retry = status === 429 || status === 503;
    responses[status] = {
      description: here.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join("\n\n"),
      headers: {
        ...headerRefs(["Link"]),
        ...status === 401 ? {} : headerRefs(),
        ...retry ? { "Retry-After": { $ref: "#/components/headers/Retry-After" } } : {},
      },
      content: {
        "application/json": {
          schema: { $ref: "#/components/schemas/Error" },
          ...refusalsOf(status, example),
        },
      },
    };
  }
  return responses;
}

function refusalsOf(status: number, example?: Example): object {
  const here = example?.refusals.filter((refusal) => refusal.status === status) ?? [];
  if (here.length === 0) return {};
  const shown = here.map(({ code, message }) => [code, { value: { error: { code, message } } }]);
  return { examples: Object.fromEntries(shown) };
}

const ALWAYS = [...Object.keys(LIMIT_HEADERS), ...Object.keys(POLICY_HEADERS)];

function headerRefs(names: readonly string[] = ALWAYS): Record<string, object> {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function integer(description: string): object {
  return { description, schema: { type: "integer" } };
}

function doneHeaders([, , , , options]: Row): Record<string, object> {
  if (options?.location === undefined) return headerRefs();
  const description = "Address of what was made, where it is known.";
  return { ...headerRefs(), Location: { description, schema: { type: "string", format: "uri" } } };
}
