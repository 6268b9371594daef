/** OpenAPI links: which rows take the ids that an answer holds. */
import { pathNames } from "./input.ts";
import type { Row } from "./row.ts";

/**
 * The links of a row's answer. What a POST made and what a list holds is taken by the rows below
 * `{path}/{id}`; a series' answer also holds scheduled posts, which are taken below `/items/{itemId}`.
 */
export function linksOf([verb, path, operation, status]: Row, table: readonly Row[]): object {
  if (operation.output === null || status === 204) return {};
  if (path.endsWith("/series/{id}") && verb === "GET") {
    const ids = { id: "$request.path.id", itemId: "$response.body#/items/0/id" };
    return links(table.filter(([, other]) => other.startsWith(`${path}/items/`)), ids);
  }
  const holds = verb === "POST" ? "id" : verb === "GET" ? "data/0/id" : null;
  if (holds === null || path.includes("{")) return {};
  const takers = table.filter((row) =>
    row[1].startsWith(`${path}/{id}`) && pathNames(row[1]).length === 1
  );
  return links(takers, { id: `$response.body#/${holds}` });
}

function links(rows: readonly Row[], parameters: Record<string, string>): object {
  return Object.fromEntries(
    rows.map(([, , { id: operationId }]) => [operationId, { operationId, parameters }]),
  );
}
