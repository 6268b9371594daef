/** The local platforms at `/sandbox`: for rehearsals and tests, only with `SANDBOX=on`. */
import { Hono } from "hono";
import type { Service } from "../../domain/service.ts";
import type { AppEnv } from "../request.ts";
import { controlRoutes } from "./control.ts";
import { fileRoutes } from "./files.ts";
import { instagramRoutes } from "./instagram/routes.ts";
import { linkedinRoutes } from "./linkedin/routes.ts";
import { pictureRoutes } from "./pictures.ts";
import { youtubeRoutes } from "./youtube/routes.ts";

export function sandboxRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.route("/", controlRoutes(service));
  app.route("/", pictureRoutes());
  app.route("/", fileRoutes(service));
  app.route("/", instagramRoutes(service));
  app.route("/", linkedinRoutes(service));
  app.route("/", youtubeRoutes(service));
  return app;
}
