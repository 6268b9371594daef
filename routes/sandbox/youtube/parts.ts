/** What the Data API's lists share: parts, times and the form of the answer. */
import type { SandboxPost } from "../../../domain/platforms/sandbox/shape.ts";
import { json } from "../wire.ts";
import { googleError } from "./errors.ts";

/** @throws Refusal for a missing or unknown part */
export function partsOf(query: URLSearchParams, known: string[]): string[] {
  const parts = (query.get("part") ?? "").split(",").map((part) => part.trim()).filter(Boolean);
  if (parts.length === 0) {
    throw googleError(
      400,
      "missingRequiredParameter",
      "Required parameter: part",
      "youtube.parameter",
    );
  }
  const unknown = parts.find((part) => !known.includes(part));
  if (unknown !== undefined) {
    throw googleError(400, "unknownPart", `'${unknown}'`, "youtube.part");
  }
  return parts;
}

export function onlyParts(item: object, parts: string[]): object {
  return Object.fromEntries(
    Object.entries(item).filter(([name]) => ["kind", "id", ...parts].includes(name)),
  );
}

export const timeOf = (post: SandboxPost): string =>
  new Date(post.publishedAt).toISOString().replace(/\.\d{3}Z$/, "Z");

export function list(kind: string, items: object[], more: object = {}): Response {
  const pageInfo = { totalResults: items.length, resultsPerPage: items.length };
  return json({ kind, etag: `"${items.length}"`, pageInfo, ...more, items });
}
