/** zod shapes → JSON Schema 2020-12, as the reference and the tools show them. */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/**
 * The schema of a shape; named shapes (`.meta({ id })`) stand in its `$defs`. Objects stay open, so
 * that answers may gain fields.
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

/** Drops what says nothing: bounds of safe integers, the pattern that `format` already means. */
function tidy(schema: JsonSchema): void {
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
  if (schema["format"] === "date-time" || schema["format"] === "date") delete schema["pattern"];
  delete schema["id"];
}
