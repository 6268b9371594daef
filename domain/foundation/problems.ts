/** What is wrong with an input, in words: the first problem that zod found. */
import type { z } from "zod";

/** The first problem of an input, in words: "perPage: must be at most 100". */
export function firstProblem(error: z.ZodError): string {
  const { path, issue } = telling(error.issues);
  const field = path.join(".");
  return field === "" ? issue.message : `${field}: ${words(issue)}`;
}

/** The most specific issue, and the path of its field. */
function telling(issues: z.core.$ZodIssue[]): { path: PropertyKey[]; issue: z.core.$ZodIssue } {
  const [first, second] = issues as [z.core.$ZodIssue, z.core.$ZodIssue?];
  // Beyond what integers can be at all, a number is also beyond the field's own bound.
  if (first.code === "too_big" && first.origin === "int" && second) return telling([second]);
  const alternatives = first.code === "invalid_union" ? first.errors.at(-1) ?? [] : [];
  if (alternatives.length === 0) return { path: first.path, issue: first };
  // A union lists its special values first (an empty string, say), then the usual value.
  const { path, issue } = telling(alternatives);
  return { path: [...first.path, ...path], issue };
}

const MISSING = "is required";

function words(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? MISSING : `must be ${named(issue.expected)}`;
    case "invalid_value":
      return issue.input === undefined ? MISSING : `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? `must have at least ${issue.minimum} ${
          issue.origin === "array" ? "entries" : "characters"
        }`
        : `must be at least ${issue.minimum}`;
    case "too_big":
      return issue.origin === "string" || issue.origin === "array"
        ? `must have at most ${issue.maximum} ${
          issue.origin === "array" ? "entries" : "characters"
        }`
        : `must be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function named(expected: string): string {
  const nouns: Record<string, string> = {
    int: "an integer",
    array: "an array",
    object: "an object",
    boolean: "true or false",
  };
  return nouns[expected] ?? `a ${expected}`;
}
