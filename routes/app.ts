/** The HTTP face put together: REST, machine-readable description, health; `/mcp` comes from main. */
import { Hono } from "hono";
import { ServiceError } from "../domain/errors.ts";
import type { Service } from "../domain/service.ts";
import { errorResponse, type Face, type FaceCall } from "../domain/wire.ts";
import { refused } from "./caller.ts";
import { healthRoutes } from "./health.ts";
import { mountLazily } from "./lazy.ts";
import { mediaRoutes } from "./media.ts";
import { referenceRoutes } from "./reference.ts";
import { type AppContext, type AppEnv, named, requestLine } from "./request.ts";
import { POSTS } from "./posts_table.ts";
import { allRestRoutes, restRoutes } from "./rest.ts";

/** Faces that come with their first request; `/v1/posts` is there from the start. */
const LATER: Record<string, (service: Service) => Promise<Hono<AppEnv>>> = {
  "/dashboard": async (service) => (await import("./dashboard/routes.ts")).dashboardRoutes(service),
  "/connect": async (service) => (await import("./connect.ts")).connectRoutes(service),
  "/sandbox": async (service) => (await import("./sandbox/routes.ts")).sandboxRoutes(service),
  "/v1": async (service) => allRestRoutes(service, (await import("./table.ts")).TABLE),
};

/** @param mcp the agents' face, which this room doesn't know */
export function createApp(service: Service, mcp: Face): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(requestLine(service.log));
  app.route("/", referenceRoutes(service));
  app.route("/", healthRoutes(service));
  app.route("/", mediaRoutes(service));
  app.all("/mcp", (c) => mcp(c.req.raw, faceCall(c)));
  app.route("/", restRoutes(service, POSTS));
  for (const [path, load] of Object.entries(LATER)) {
    if (path !== "/sandbox" || service.settings.SANDBOX) mountLazily(app, service, path, load);
  }
  app.notFound(() => errorResponse(new ServiceError("notFound", "No such path.")));
  app.onError((error, c) => refused(service, c, error));
  return app;
}

function faceCall(c: AppContext): FaceCall {
  return {
    requestId: c.get("requestId"),
    headers: named(c),
    note: ({ brand, key }) => c.set("caller", { brandId: brand.id, keyId: key.id }),
  };
}
