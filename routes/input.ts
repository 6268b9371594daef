/** Reads an HTTP request into the flat input object of its operation. */
import type { z } from "zod";
import { invalid, ServiceError } from "../domain/foundation/errors.ts";
import { LruCache } from "../domain/foundation/lru.ts";
import { type Repeated, repeated } from "../domain/foundation/repeats.ts";
import { isWellFormedJson } from "../domain/foundation/text.ts";
import { readBody } from "../domain/operations/http.ts";
import type { AnyOperation } from "../domain/operations/operation.ts";
import type { Row } from "./row.ts";

/** How many queries are remembered, and how long one may be. */
const KNOWN_QUERIES = 2_000;
const KNOWN_QUERY_LENGTH = 500;

export type Flat = Record<string, unknown>;

/** Names between braces in a path of the table. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The schema of an input field that the table names. */
export function fieldOf({ id, input }: AnyOperation, name: string): z.core.$ZodType {
  const field = input.shape[name];
  if (field === undefined) throw new Error(`${id} has no input field ${name}`);
  return field;
}

/** The input fields of a row that come in the query string. For GET: all but path and header. */
export function queryNames([verb, path, operation, , options]: Row): string[] {
  const elsewhere = new Set([...pathNames(path), options?.header?.field]);
  return Object.keys(operation.input.shape).filter((name) =>
    !elsewhere.has(name) && (verb === "GET" || options?.query?.includes(name) === true)
  );
}

/** The input fields of a row that come in the JSON body. */
export function bodyNames(row: Row): string[] {
  const [verb, path, operation, , options] = row;
  if (verb === "GET") return [];
  const inHeader = options?.header?.orBody === true ? undefined : options?.header?.field;
  const elsewhere = new Set([...pathNames(path), ...queryNames(row), inHeader]);
  return Object.keys(operation.input.shape).filter((name) => !elsewhere.has(name));
}

/** Whether the gate keeps the answers of the row's requests that have an Idempotency-Key. */
export function takesKey([verb, , operation]: Row): boolean {
  return verb === "POST" && !("idempotencyKey" in operation.input.shape);
}

/** Reads a row's input; path values come decoded from the router. */
export function inputReader(row: Row): (request: Request, path: Flat) => Promise<Flat> | Flat {
  const [, , operation, , options] = row;
  const query = queryNames(row).map((name) => ({
    name,
    parse: queryParser(name, fieldOf(operation, name)),
  }));
  const inBody = bodyNames(row);
  const header = options?.header;
  if (inBody.length === 0 && header === undefined && pathNames(row[1]).length === 0) {
    return queryReader(query);
  }
  return (request, path) => {
    const input: Flat = {};
    if (query.length > 0) readQuery(request.url, query, input);
    if (header !== undefined) {
      const value = request.headers.get(header.name);
      if (value !== null) input[header.field] = value;
    }
    if (inBody.length === 0) return Object.assign(input, path);
    return readJson(request, options?.optionalBody === true).then((body) => {
      // Fields of the path or a header are not read from the body.
      const sent = header?.orBody === true && header.field in input ? header.field : undefined;
      for (const name of inBody) {
        if (name !== sent && Object.hasOwn(body, name)) input[name] = body[name];
      }
      return Object.assign(input, path);
    });
  };
}

/**
 * Reads the input of rows that take nothing but a query. The first link of
 * `domain/foundation/repeats.ts`: the text of a query that was sent before returns the same input.
 */
function queryReader(fields: QueryField[]): (request: Request) => Flat {
  const known = new LruCache<string, Repeated<Flat>>(KNOWN_QUERIES);
  return ({ url }) => {
    const read = () => {
      const input: Flat = {};
      readQuery(url, fields, input);
      return input;
    };
    const start = url.indexOf("?");
    const query = start < 0 ? "" : url.slice(start);
    if (query.length > KNOWN_QUERY_LENGTH) return read();
    return known.getOrMake(query, () => repeated(read()));
  };
}

type QueryParser = (raw: string) => unknown;

interface QueryField {
  name: string;
  parse: QueryParser;
}

function readQuery(url: string, fields: QueryField[], input: Flat) {
  const start = url.indexOf("?");
  if (start < 0) return;
  const params = new URLSearchParams(url.slice(start + 1));
  for (const { name, parse } of fields) {
    const [value, ...more] = params.getAll(name);
    if (value === undefined) continue;
    if (more.length > 0) throw invalid(name, "must be sent only once");
    input[name] = parse(value);
  }
}

/** Turns the text of a query into the value that its schema expects, which refuses what is left. */
function queryParser(name: string, schema: z.core.$ZodType): QueryParser {
  switch (innerType(schema)) {
    case "number":
      return (raw) => {
        if (!/^(0|[1-9][0-9]*)$/.test(raw)) {
          throw invalid(name, "must be an integer, written in digits");
        }
        return Number(raw);
      };
    case "boolean":
      return (raw) => raw === "true" ? true : raw === "false" ? false : raw;
    default:
      return (raw) => raw;
  }
}

/** The kind of value inside `optional`, `default`, `nullable` and pipes. */
function innerType(schema: z.core.$ZodType): string {
  const def = schema._zod.def as {
    type: string;
    innerType?: z.core.$ZodType;
    in?: z.core.$ZodType;
  };
  const inner = def.innerType ?? def.in;
  return inner === undefined ? def.type : innerType(inner);
}

async function readJson(request: Request, mayBeEmpty: boolean): Promise<Flat> {
  if (mayBeEmpty && request.body === null) return {};
  const text = mayBeEmpty ? await readBody(request) : null;
  if (text === "") return {};
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new ServiceError(
      "validationError",
      "Send the body as JSON with Content-Type: application/json.",
    );
  }
  const value = parseJson(text ?? await readBody(request));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ServiceError("validationError", "The body must be a JSON object.");
  }
  return value as Flat;
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ServiceError("validationError", "The body is not valid JSON.");
  }
  if (isWellFormedJson(text)) return value;
  throw new ServiceError("validationError", "The body contains an unpaired surrogate.");
}
