/** The REST face: a walk over the table. Key → meter → scope → input → run → output. */
import { Hono } from "hono";
import { ServiceError } from "../domain/errors.ts";
import { perform } from "../domain/operation.ts";
import type { Service } from "../domain/service.ts";
import { jsonResponse } from "../domain/wire.ts";
import { admitted } from "./caller.ts";
import { type Flat, inputReader, pathNames } from "./input.ts";
import type { AppEnv } from "./request.ts";
import type { Row } from "./row.ts";

/** The rows of a table, and a 405 for the other verbs of their paths. */
export function restRoutes(service: Service, table: readonly Row[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const [path, rows] of rowsByPath(table)) {
    for (const row of rows) addRow(app, service, row);
    const verbs = rows.map(([verb]) => verb);
    const allow = [...verbs, ...(verbs.includes("GET") ? ["HEAD"] : [])].join(", ");
    app.all(honoPath(path), (c) =>
      admitted(service, c, "request", (_, headers) => {
        const error = new ServiceError("notFound", `This path takes ${allow}.`);
        return jsonResponse(error.envelope, 405, { ...headers, allow });
      }));
  }
  return app;
}

/** Every row, and a 404 for what no row knows, after key and meter. */
export function allRestRoutes(service: Service, table: readonly Row[]): Hono<AppEnv> {
  return restRoutes(service, table).all("/v1/*", (c) =>
    admitted(service, c, "request", () => {
      throw new ServiceError("notFound", "No such path.");
    }));
}

function addRow(app: Hono<AppEnv>, service: Service, row: Row): void {
  const [verb, path, operation, status, options] = row;
  const read = inputReader(row);
  const names = pathNames(path);
  app.on(
    verb,
    honoPath(path),
    (c) =>
      admitted(service, c, operation.costs, async ({ caller }, headers) => {
        const request = c.req.raw;
        const input = () => {
          const fromPath: Flat = {};
          for (const name of names) fromPath[name] = c.req.param(name);
          return read(request, fromPath);
        };
        const { value, replayed } = await perform(
          service,
          caller,
          operation,
          input,
          request,
        );
        if (operation.output === null) return new Response(null, { status, headers });
        return jsonResponse(value, replayed ? options?.replayed ?? status : status, headers);
      }),
  );
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Paths without parameters first: what they don't take is no other path's id. */
function rowsByPath(table: readonly Row[]): [string, Row[]][] {
  const paths = [...Map.groupBy(table, ([, path]) => path)];
  const hasParameter = ([path]: [string, Row[]]) => path.includes("{");
  return [...paths.filter((entry) => !hasParameter(entry)), ...paths.filter(hasParameter)];
}
