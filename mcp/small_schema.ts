/** Schemas of tools, kept short: an agent pays for every character of `tools/list` with each session. */
import { z } from "zod";
import { MAX_INTEGER } from "../domain/foundation/paging.ts";
import { type JsonSchema, jsonSchemaOf } from "../domain/operations/json_schema.ts";

/**
 * What a tool takes. It names less than the validation does where one way is enough: a field that
 * null or an empty string clears is shown with null only.
 */
export function inputSchema(input: z.ZodType): JsonSchema {
  const { $defs = {}, ...schema } = jsonSchemaOf(input);
  return tersely(schema, $defs) as JsonSchema;
}

/** The schema with its named shapes in their places, without alternatives that add nothing. */
function tersely(value: unknown, defs: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((inner) => tersely(inner, defs));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, anyOf, ...schema } = value as JsonSchema;
  if (typeof $ref === "string") {
    const named = defs[$ref.replace("#/$defs/", "")];
    return tersely({ ...named, ...schema }, defs);
  }
  dropRareBounds(schema);
  const short = Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, tersely(inner, defs)]),
  );
  return anyOf === undefined ? short : withChoices(short, choices(anyOf as JsonSchema[], defs));
}

/** Bounds that no agent meets; a refusal tells them. */
function dropRareBounds(schema: JsonSchema): void {
  if (schema["maximum"] === MAX_INTEGER) delete schema["maximum"];
  if (Number(schema["maxLength"]) >= LONG) delete schema["maxLength"];
  if (schema["minLength"] === 1) delete schema["minLength"];
  const pattern = String(schema["pattern"] ?? "");
  if (pattern === NOT_BLANK || pattern.length > LONG_PATTERN) delete schema["pattern"];
}

const NOT_BLANK = String.raw`\S`;
/** Longer ones are for programs that make data; the description says it in words. Characters. */
const LONG_PATTERN = 20;

/** Characters. */
const LONG = 2_000;

/** The alternatives in one list, without the empty string. */
function choices(anyOf: JsonSchema[], defs: Record<string, JsonSchema>): JsonSchema[] {
  return anyOf.flatMap((one) => {
    if (one["const"] === "") return [];
    const { anyOf: inner, ...rest } = one;
    return Array.isArray(inner) && Object.keys(rest).length === 0
      ? choices(inner, defs)
      : [tersely(one, defs) as JsonSchema];
  });
}

function withChoices(schema: JsonSchema, all: JsonSchema[]): JsonSchema {
  const values = all.filter(({ type }) => type !== "null");
  const [only, ...more] = values;
  if (only === undefined || more.length > 0) return { ...schema, anyOf: all };
  if (values.length === all.length) return { ...only, ...schema };
  // JSON Schema's other keywords say nothing about null, but an `enum` lists every value.
  const names = only["enum"] === undefined ? {} : { enum: [...only["enum"] as unknown[], null] };
  return { ...only, ...names, ...schema, type: [only["type"], "null"] };
}

/** Longer schemas of answers are left out. Characters. */
const MOST_SCHEMA = 345;

/** What `structuredContent` is when a call is refused. */
const REFUSAL = {
  required: ["error"],
  properties: { error: { type: "object", required: ["code", "message"] } },
};

/**
 * The fields of a tool's answer without what they hold; an answer shows that. Or null: too long.
 * The envelope is an alternative, because clients check refusals as well.
 */
export function outputSchema(output: z.ZodType): JsonSchema | null {
  const { $defs = {}, ...schema } = jsonSchemaOf(output);
  const { properties = {}, required } = tersely(schema, $defs) as JsonSchema;
  // Of a list there would be nothing to tell but that it is one.
  if (required === undefined || Object.hasOwn(properties as object, "data")) return null;
  const fields = Object.entries(properties as Record<string, JsonSchema>)
    .filter(([, { type }]) => type !== undefined)
    .map(([name, { type }]) => [name, { type }]);
  const answer = { required, properties: Object.fromEntries(fields) };
  const short = { type: "object", anyOf: [answer, REFUSAL] };
  return JSON.stringify(short).length > MOST_SCHEMA ? null : short;
}
