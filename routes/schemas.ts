/** Schemas for the reference, with every named shape once under `#/components/schemas`. */
import type { z } from "zod";
import { type JsonSchema, jsonSchemaOf } from "../domain/operations/json_schema.ts";

export type { JsonSchema };

/** Converts shapes, and collects the named ones that they refer to. */
export class SchemaBook {
  readonly components: Record<string, JsonSchema> = {};

  /** The schema of a shape, or a reference to it if the shape has a name. */
  schemaOf(shape: z.core.$ZodType): JsonSchema {
    const { $defs = {}, ...schema } = jsonSchemaOf(shape);
    for (const [name, definition] of Object.entries($defs)) {
      this.components[name] = pointToComponents(definition) as JsonSchema;
    }
    return pointToComponents(schema) as JsonSchema;
  }
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === "$ref" && typeof inner === "string"
        ? [key, inner.replace("#/$defs/", "#/components/schemas/")]
        : [key, pointToComponents(inner)]
    ),
  );
}
