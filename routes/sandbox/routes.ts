/** The local platforms at `/sandbox`, served only with `SANDBOX=on`. */
import { Hono } from "hono";
import { Platform } from "../../domain/posts/shape.ts";
import type { Service } from "../../domain/service/service.ts";
import type { AppEnv } from "../request.ts";
import { controlRoutes } from "./control.ts";
import { fileRoutes } from "./files.ts";
import { instagramRoutes } from "./instagram/routes.ts";
import { linkedinRoutes } from "./linkedin/routes.ts";
import { pictureRoutes } from "./pictures.ts";
import { youtubeRoutes } from "./youtube/routes.ts";

const ROUTES: Record<Platform, (service: Service) => Hono<AppEnv>> = {
  instagram: instagramRoutes,
  linkedin: linkedinRoutes,
  youtube: youtubeRoutes,
};

export function sandboxRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.route("/", controlRoutes(service));
  app.route("/", pictureRoutes());
  app.route("/", fileRoutes(service));
  for (const platform of Platform.options) app.route("/", ROUTES[platform](service));
  return app;
}
