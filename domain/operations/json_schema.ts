/** zod shapes → JSON Schema 2020-12, as the reference and the tools show them. */
import { z } from "zod";
import { RULES } from "./body_rules.ts";

export type JsonSchema = Record<string, unknown>;

/**
 * The schema of a shape, with named shapes (`.meta({ id })`) in its `$defs`. Objects stay open, so
 * that answers may get more fields later.
 */
export function jsonSchemaOf(shape: z.core.$ZodType): JsonSchema & {
  $defs?: Record<string, JsonSchema>;
} {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    target: "draft-2020-12",
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => tidy(jsonSchema),
  }) as JsonSchema;
  return schema;
}

/** Drops what adds nothing: bounds of safe integers, and patterns that only repeat `format`. */
function tidy(schema: JsonSchema): void {
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
  if (schema["format"] === "date-time" || schema["format"] === "date") delete schema["pattern"];
  delete schema["id"];
  // These stand beside a body's properties: see `body_rules.ts`.
  delete schema[RULES];
  const { prefixItems } = schema;
  if (!Array.isArray(prefixItems)) return;
  // Programs that make or check data from a schema know lists better than tuples.
  delete schema["prefixItems"];
  const length = prefixItems.length;
  Object.assign(schema, { items: { anyOf: prefixItems }, minItems: length, maxItems: length });
}
