/** Puts the HTTP face together: REST, reference, health, media; main passes in `/mcp`. */
import { Hono, type MiddlewareHandler } from "hono";
import { ServiceError } from "../domain/foundation/errors.ts";
import type { Service } from "../domain/service/service.ts";
import { errorResponse, type Face } from "../domain/operations/http.ts";
import { basePath } from "./base_path.ts";
import { refused } from "./caller.ts";
import { believeProxy } from "./client_address.ts";
import { healthRoutes } from "./health.ts";
import { mountLazily } from "./lazy.ts";
import { mediaRoutes } from "./media.ts";
import { referenceRoutes } from "./reference.ts";
import { faceCall } from "./face_call.ts";
import { type AppEnv, requestLine } from "./request.ts";
import { POSTS } from "./posts_table.ts";
import { allRestRoutes, restRoutes } from "./rest.ts";

/** Routes that are loaded with their first request, unlike `/v1/posts`. */
const LATER: Record<string, (service: Service) => Promise<Hono<AppEnv>>> = {
  "/dashboard": async (service) => (await import("./dashboard/routes.ts")).dashboardRoutes(service),
  "/studio": async (service) => (await import("./studio/routes.tsx")).studioRoutes(service),
  "/docs": async (service) => (await import("./docs/routes.ts")).docsRoutes(service),
  "/connect": async (service) => (await import("./connect.tsx")).connectRoutes(service),
  "/sandbox": async (service) => (await import("./sandbox/routes.ts")).sandboxRoutes(service),
  "/oauth": async (service) => (await import("./oauth/routes.ts")).oauthRoutes(service),
  "/.well-known": async (service) =>
    (await import("./oauth/metadata.ts")).metadataRoutes(service.settings),
  "/v1": async (service) => allRestRoutes(service, (await import("./table.ts")).TABLE),
};

/** Where people's pages are. */
const PAGES = ["/studio", "/dashboard", "/docs", "/connect"];

/** Tells browsers to call this host with https only, for a year (RFC 6797). */
const stayWithHttps: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.header("strict-transport-security", "max-age=31536000");
};

/** @param mcp the agents' face, passed in because this room doesn't know it */
export function createApp(service: Service, mcp: Face): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(requestLine(service.log));
  if (service.settings.TRUST_PROXY) app.use(believeProxy);
  if (service.settings.BASE_URL.startsWith("https:")) {
    for (const path of PAGES) app.use(`${path}/*`, stayWithHttps);
  }
  app.route("/", referenceRoutes(service));
  app.route("/", healthRoutes(service));
  app.route("/", mediaRoutes(service));
  app.all("/mcp", (c) => mcp(faceCall(c)));
  app.route("/", restRoutes(service, POSTS));
  for (const [path, load] of Object.entries(LATER)) {
    if (path !== "/sandbox" || service.settings.SANDBOX) mountLazily(app, service, path, load);
  }
  // A browser at the bare address wants to see something; programs get the envelope as before.
  app.get("/", (c, next) => {
    if (!(c.req.header("accept") ?? "").includes("text/html")) return next();
    return Promise.resolve(c.redirect(`${basePath(service.settings)}/studio`, 303));
  });
  app.notFound(() => errorResponse(new ServiceError("notFound", "No such path.")));
  app.onError((error, c) => refused(service, c, error));
  return app;
}
