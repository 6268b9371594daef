/** Rules between an input's fields, which its validation checks in code, as JSON Schema says them. */
import type { z } from "zod";

type JsonSchema = Record<string, unknown>;

/** The name under which they stand in a schema's metadata. */
export const RULES = "bodyRules";

/** The same input, described with `rules`: keywords beside `properties`, such as `oneOf`. */
export function withRules<Input extends z.ZodObject>(input: Input, rules: JsonSchema): Input {
  return input.meta({ [RULES]: rules });
}

export function rulesOf(input: z.ZodObject): JsonSchema {
  return (input.meta()?.[RULES] ?? {}) as JsonSchema;
}

/** These fields are there: an alternative of a `oneOf`. */
export const needs = (...required: string[]): JsonSchema => ({ required });

/** These fields are like this. Linters take a part for the whole unless it says that it is open. */
export const like = (properties: JsonSchema): JsonSchema => ({
  properties,
  unevaluatedProperties: true,
});

/** Where the field is there, the others are not. */
export const without = (field: string, ...others: string[]): JsonSchema => ({
  dependentSchemas: { [field]: like(Object.fromEntries(others.map((name) => [name, false]))) },
});

/** Where the field has the value, `then` holds, and elsewhere `otherwise`. */
export const where = (
  field: string,
  value: unknown,
  then: JsonSchema,
  otherwise?: JsonSchema,
): JsonSchema => ({
  if: { ...like({ [field]: { const: value } }), required: [field] },
  then,
  ...otherwise === undefined ? {} : { else: otherwise },
});
