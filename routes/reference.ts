/** The reference people and programs read: `/v1/openapi.json`, `/docs.md`, `/docs`. No key. */
import { Hono } from "hono";
import type { Service } from "../domain/service.ts";
import { jsonResponse } from "./caller.ts";
import { describe } from "./openapi.ts";
import type { AppEnv } from "./request.ts";
import { TABLE } from "./table.ts";

export function referenceRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  let description: object | undefined;
  app.get("/v1/openapi.json", () => {
    description ??= describe(TABLE, service.settings.BASE_URL);
    return jsonResponse(description, 200);
  });
  return app;
}
