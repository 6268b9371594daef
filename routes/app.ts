/** The HTTP face put together: REST, machine-readable description, health; `/mcp` comes from main. */
import { Hono } from "hono";
import { ServiceError } from "../domain/errors.ts";
import type { Service } from "../domain/service.ts";
import { errorResponse } from "../domain/wire.ts";
import { refused } from "./caller.ts";
import { healthRoutes } from "./health.ts";
import { mediaRoutes } from "./media.ts";
import { referenceRoutes } from "./reference.ts";
import { type AppEnv, requestLine } from "./request.ts";
import { restRoutes } from "./rest.ts";

/** @param more faces that this room doesn't know: `/mcp` */
export function createApp(service: Service, more?: Hono<AppEnv>): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(requestLine(service.log));
  app.route("/", referenceRoutes(service));
  app.route("/", healthRoutes(service));
  app.route("/", mediaRoutes(service));
  if (more !== undefined) app.route("/", more);
  app.route("/", restRoutes(service));
  app.notFound(() => errorResponse(new ServiceError("notFound", "No such path.")));
  app.onError((error, c) => refused(service, c, error));
  return app;
}
