/** One HTTP request → the flat input object of its operation. */
import type { z } from "zod";
import { invalid, ServiceError } from "../domain/errors.ts";
import { Recent } from "../domain/recent.ts";
import { isWellFormedJson } from "../domain/text.ts";
import { readBody } from "../domain/wire.ts";
import type { Row } from "./row.ts";

/** Repeated queries that are not read anew: how many, and how long one may be. */
const KNOWN_QUERIES = 2_000;
const KNOWN_QUERY_LENGTH = 500;

export type Flat = Record<string, unknown>;

/** Names between braces in a path of the table. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

/** The input fields of a row that come in the query string: for reads, all but path and header. */
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
  const elsewhere = new Set([...pathNames(path), ...queryNames(row), options?.header?.field]);
  return Object.keys(operation.input.shape).filter((name) => !elsewhere.has(name));
}

/** Reads a row's input; path values come decoded from the router. */
export function inputReader(row: Row): (request: Request, path: Flat) => Promise<Flat> | Flat {
  const [, , operation, , options] = row;
  const shape = operation.input.shape;
  const query = queryNames(row).map((name) => ({ name, parse: queryParser(name, shape[name]!) }));
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
    return readJson(request).then((body) => {
      // Only the body's own fields: a header's or the path's would be unknown ones there.
      for (const name of inBody) if (Object.hasOwn(body, name)) input[name] = body[name];
      return Object.assign(input, path);
    });
  };
}

/** Of reads that take nothing but a query: a query that repeats gives the same frozen input. */
function queryReader(fields: QueryField[]): (request: Request) => Flat {
  const known = new Recent<string, Flat>(KNOWN_QUERIES);
  return ({ url }) => {
    const read = () => {
      const input: Flat = {};
      readQuery(url, fields, input);
      return Object.freeze(input);
    };
    const start = url.indexOf("?");
    const query = start < 0 ? "" : url.slice(start);
    return query.length <= KNOWN_QUERY_LENGTH ? known.get(query, read) : read();
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
    const values = params.getAll(name);
    if (values.length === 0) continue;
    if (values.length > 1) throw invalid(name, "must be given once");
    input[name] = parse(values[0]!);
  }
}

/** Text of a query → the JSON value that its schema expects; what doesn't fit is left to it. */
function queryParser(name: string, schema: z.core.$ZodType): QueryParser {
  switch (innerType(schema)) {
    case "number":
      return (raw) => {
        if (!/^(0|[1-9][0-9]*)$/.test(raw)) throw invalid(name, "must be an integer in digits");
        return Number(raw);
      };
    case "boolean":
      return (raw) => raw === "true" ? true : raw === "false" ? false : raw;
    default:
      return (raw) => raw;
  }
}

/** The kind of value below `optional`, `default`, `nullable` and pipes. */
function innerType(schema: z.core.$ZodType): string {
  const def = schema._zod.def as {
    type: string;
    innerType?: z.core.$ZodType;
    in?: z.core.$ZodType;
  };
  const inner = def.innerType ?? def.in;
  return inner === undefined ? def.type : innerType(inner);
}

async function readJson(request: Request): Promise<Flat> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new ServiceError("validationError", "Send the body as JSON with Content-Type JSON.");
  }
  const value = parseJson(await readBody(request));
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
  throw new ServiceError("validationError", "The body holds an unpaired surrogate.");
}
