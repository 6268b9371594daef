/** An example of each row, recorded from the running service: `EXAMPLES=record` renews them. */
import type { Row } from "./row.ts";

export interface Refusal {
  status: number;
  code: string;
  message: string;
}

/** One call that worked, and calls of the same row that were refused. */
export interface Example {
  request: {
    path?: Record<string, string>;
    query?: Record<string, string>;
    headers?: Record<string, string>;
    body?: unknown;
  };
  status: number;
  location?: string;
  /** Absent: the answer has no body. */
  answer?: unknown;
  refusals: Refusal[];
}

/** By the name of the row: `GET /v1/posts/{id}`. */
export type Examples = Record<string, Example>;

export const EXAMPLES_FILE = new URL("docs/examples.json", import.meta.url);

/** The address at which they were recorded. */
const RECORDED_AT = "http://127.0.0.1:8000";

/** @param baseUrl the address of the service that shows them */
export async function readExamples(baseUrl: string = RECORDED_AT): Promise<Examples> {
  const text = await Deno.readTextFile(EXAMPLES_FILE);
  const base = JSON.stringify(baseUrl).slice(1, -1);
  return JSON.parse(text.replaceAll(RECORDED_AT, () => base));
}

export function exampleOf(examples: Examples, [verb, path]: Row): Example | undefined {
  return examples[`${verb} ${path}`];
}
