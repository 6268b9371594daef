/** The REST face: a walk over the table. */
import { Hono } from "hono";
import { ServiceError } from "../domain/foundation/errors.ts";
import { nameRequest } from "../domain/foundation/telemetry.ts";
import { perform } from "../domain/operations/gate.ts";
import type { Service } from "../domain/service/service.ts";
import { type HeaderFields, helpLink, jsonResponse } from "../domain/operations/http.ts";
import { mediaTypeOf, Streamed } from "../domain/operations/operation.ts";
import { represented, streamedResponse } from "../domain/operations/representation.ts";
import { admitted } from "./caller.ts";
import { WebClient } from "./face_call.ts";
import { type Flat, inputReader, pathNames, takesKey } from "./input.ts";
import type { AppEnv } from "./request.ts";
import type { Row } from "./row.ts";

/** Routes for the rows of a table, and a 405 for other verbs on their paths. */
export function restRoutes(service: Service, table: readonly Row[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const [path, rows] of rowsByPath(table)) {
    for (const row of rows) addRow(app, service, row);
    const verbs = rows.map(([verb]) => verb);
    const allow = [...verbs, ...(verbs.includes("GET") ? ["HEAD"] : [])].join(", ");
    app.all(honoPath(path), (c) =>
      admitted(service, c, "request", (_, headers) => {
        const error = new ServiceError("notFound", `This path takes ${allow}.`);
        const help = helpLink(service.settings.BASE_URL, error.code);
        return jsonResponse(error.envelope, 405, { ...headers, ...help, allow });
      }));
  }
  return app;
}

/** Routes for every row, and a 404 for other paths, after key and meter. */
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
  const { BASE_URL: baseUrl } = service.settings;
  app.on(
    verb,
    honoPath(path),
    (c) => {
      nameRequest(verb, path);
      return admitted(service, c, operation.costs, async (caller, headers) => {
        const request = c.req.raw;
        const client = new WebClient(c);
        const input = () => {
          const fromPath: Flat = {};
          for (const name of names) fromPath[name] = c.req.param(name);
          return read(request, fromPath);
        };
        const key = takesKey(row) ? request.headers.get("idempotency-key") : null;
        const { value, replayed } = await perform(service, caller, operation, input, client, key);
        const all = replayed ? { ...headers, "idempotent-replayed": "true" } : headers;
        if (operation.output === null || status === NO_CONTENT) {
          return new Response(null, { status, headers: { ...all, ...locationOf(row, value) } });
        }
        if (value instanceof Streamed) {
          return streamedResponse(request, value, mediaTypeOf(operation.output), all);
        }
        const told = replayed ? options?.replayed ?? status : status;
        return represented({ request, baseUrl }, value, told, all);
      });
    },
  );
}

const NO_CONTENT = 204;

/** Where the thing is that a row without a body has made, if that is known. */
function locationOf([, , , , options]: Row, value: unknown): HeaderFields {
  if (options?.location === undefined || typeof value !== "object") return {};
  const url = (value as Flat | null)?.[options.location];
  // Parsed, because a header takes no character beyond ASCII.
  const address = typeof url === "string" ? URL.parse(url) : null;
  return address === null ? {} : { location: address.href };
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Paths without parameters first, so that DELETE `/v1/assets/uploads` is a 405 and no asset's id. */
function rowsByPath(table: readonly Row[]): [string, Row[]][] {
  const paths = [...Map.groupBy(table, ([, path]) => path)];
  const hasParameter = ([path]: [string, Row[]]) => path.includes("{");
  return [...paths.filter((entry) => !hasParameter(entry)), ...paths.filter(hasParameter)];
}
