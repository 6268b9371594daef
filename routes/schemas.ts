/** zod shapes → JSON Schema 2020-12 with named shapes under `#/components/schemas`. */
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** Collects every named shape (`.meta({ id })`) that the converted ones refer to. */
export class SchemaBook {
  readonly components: Record<string, JsonSchema> = {};

  /** The schema of a shape; a named one is answered as a reference. */
  schemaOf(shape: z.core.$ZodType): JsonSchema {
    const { $defs = {}, ...schema } = z.toJSONSchema(shape, {
      target: "draft-2020-12",
      // Without it, answers would forbid the fields that a later version may add.
      io: "input",
      unrepresentable: "any",
      override: ({ jsonSchema }) => tidy(jsonSchema),
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    for (const [name, definition] of Object.entries($defs)) {
      this.components[name] = pointToComponents(definition) as JsonSchema;
    }
    delete schema["$schema"];
    return pointToComponents(schema) as JsonSchema;
  }
}

/** Drops what says nothing: bounds of safe integers, the pattern that `format` already means. */
function tidy(schema: JsonSchema): void {
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
  if (schema["format"] === "date-time" || schema["format"] === "date") delete schema["pattern"];
  delete schema["id"];
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
