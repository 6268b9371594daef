/** OpenAPI 3.1 as a walk over the table. */
import { z } from "zod";
import manifest from "../deno.json" with { type: "json" };
import { type ErrorCode, ErrorEnvelope, ERRORS } from "../domain/errors.ts";
import { GROUPS } from "../domain/groups.ts";
import { PLANS } from "../domain/plans.ts";
import { bodyNames, pathNames, queryNames } from "./input.ts";
import { type JsonSchema, SchemaBook } from "./schemas.ts";
import type { Row } from "./row.ts";

/** Refusals that the gate gives for every operation. */
export const GATE_ERRORS: readonly ErrorCode[] = [
  "validationError",
  "unauthorized",
  "forbidden",
  "rateLimitExceeded",
  "quotaExceeded",
  "serviceUnavailable",
];

/** Headers of every answer to a known key (spec section 8). */
export const LIMIT_HEADERS = {
  "X-RateLimit-Limit": "Requests allowed in one second.",
  "X-RateLimit-Remaining": "Requests left in the current second.",
  "X-RateLimit-Reset": "Unix time in seconds when the window resets.",
  "X-Quota-Limit": "Requests allowed this calendar month.",
  "X-Quota-Remaining": "Requests left this calendar month.",
} as const;

const RETRY_AFTER = "Seconds to wait before the next try.";

const Failure = ErrorEnvelope.meta({ id: "Error" });

/** What a row's operation may refuse with, in the order of the table of errors. */
export function errorsOf([, , operation]: Row): ErrorCode[] {
  const known = new Set<ErrorCode>([...GATE_ERRORS, ...operation.errors]);
  if (operation.costs === "credit") known.delete("quotaExceeded");
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => known.has(code));
}

/** The whole description; `baseUrl` becomes its server. */
export function describe(table: readonly Row[], baseUrl: string): object {
  const book = new SchemaBook();
  book.schemaOf(Failure);
  const paths: Record<string, Record<string, object>> = {};
  for (const row of table) {
    const [verb, path] = row;
    (paths[path] ??= {})[verb.toLowerCase()] = describeRow(row, book);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Marquee",
      version: manifest.version,
      summary: "Content analytics and image creation for a brand.",
      description: planTable(),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(table.map(([, , operation]) => operation.group))].map((name) => ({
      name,
      description: GROUPS[name],
    })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key of the brand." },
      },
      headers: {
        ...Object.fromEntries(
          Object.entries(LIMIT_HEADERS).map(([name, description]) => [name, integer(description)]),
        ),
        "Retry-After": integer(RETRY_AFTER),
      },
      schemas: book.components,
    },
  };
}

function describeRow(row: Row, book: SchemaBook): object {
  const [, , operation, status, options] = row;
  const answer = operation.output === null ? { description: "Done.", headers: headerRefs() } : {
    description: "The answer.",
    headers: headerRefs(),
    content: { "application/json": { schema: book.schemaOf(operation.output) } },
  };
  const replayed = options?.replayed === undefined ? {} : {
    [options.replayed]: { ...answer, description: "A replayed request: the original answer." },
  };
  const body = bodyOf(row, book);
  const scopes = `Scope: ${operation.scopes.map((scope) => `\`${scope}\``).join(" or ")}.`;
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description: [operation.description, scopes].filter((part) => part !== undefined).join("\n\n"),
    parameters: parametersOf(row, book),
    ...body === null ? {} : { requestBody: body },
    responses: { [status]: answer, ...replayed, ...errorResponses(row) },
  };
}

function parametersOf(row: Row, book: SchemaBook): object[] {
  const [, path, operation, , options] = row;
  const shape = operation.input.shape;
  const parameter = (place: string, name: string, field = name) => {
    const { description, ...schema } = book.schemaOf(shape[field]!);
    return {
      name,
      in: place,
      required: place === "path" || !accepts(shape[field]!, undefined),
      ...description === undefined ? {} : { description },
      schema,
    };
  };
  const { header } = options ?? {};
  return [
    ...pathNames(path).map((name) => parameter("path", name)),
    ...queryNames(row).map((name) => parameter("query", name)),
    ...header === undefined ? [] : [parameter("header", header.name, header.field)],
  ];
}

function bodyOf(row: Row, book: SchemaBook): object | null {
  const names = bodyNames(row);
  if (names.length === 0) return null;
  const shape = row[2].input.shape;
  const properties: Record<string, JsonSchema> = {};
  for (const name of names) properties[name] = book.schemaOf(shape[name]!);
  const required = names.filter((name) => !accepts(shape[name]!, undefined));
  const schema = { type: "object", properties, ...required.length > 0 ? { required } : {} };
  return { required: true, content: { "application/json": { schema } } };
}

function accepts(shape: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(shape, value).success;
}

/** One response a status; codes that share it are told apart in the description. */
function errorResponses(row: Row): Record<string, object> {
  const responses: Record<string, object> = {};
  const codes = errorsOf(row);
  for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
    const here = codes.filter((code) => ERRORS[code].status === status);
    const retry = status === 429 || status === 503;
    responses[status] = {
      description: here.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join("\n\n"),
      headers: {
        ...status === 401 ? {} : headerRefs(),
        ...retry ? { "Retry-After": { $ref: "#/components/headers/Retry-After" } } : {},
      },
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    };
  }
  return responses;
}

function headerRefs(): Record<string, object> {
  return Object.fromEntries(
    Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function integer(description: string): object {
  return { description, schema: { type: "integer" } };
}

/** The plan limits as a markdown table (spec section 8). */
export function planTable(): string {
  const rows = Object.entries(PLANS).map(([plan, limits]) =>
    `| ${plan[0]!.toUpperCase()}${plan.slice(1)} | ${
      [
        limits.requestsPerSecond,
        limits.requestsPerMonth,
        limits.activeKeys,
        limits.creditsPerMonth,
      ].map((n) => n.toLocaleString("en-US")).join(" | ")
    } |`
  );
  return [
    "Limits apply per brand:",
    "",
    "| Plan | Requests per second | Requests per month | Active keys | Image credits per month |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
