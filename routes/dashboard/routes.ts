/** `/dashboard`: signing in and out and a person's own account. Everything else is in Studio. */
import { Hono } from "hono";
import { SignIns } from "../../domain/brands/sign_in.ts";
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";
import { refuseForeign } from "../own_pages.ts";
import type { AppEnv } from "../request.ts";
import { STUDIO } from "../studio/studio.ts";
import { accountRoutes } from "./account.tsx";
import { HOME } from "./home.ts";
import { signInRoutes } from "./sign_in.ts";

export function dashboardRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signIns = new SignIns(service);
  const studio = basePath(service.settings) + STUDIO;
  app.use(`${HOME}/*`, async (c, next) => {
    if (c.req.method === "POST") refuseForeign(c.req.raw, service.settings);
    await next();
  });

  app.get(HOME, (c) => c.redirect(studio, 303));
  // Earlier versions had a page for each brand here.
  app.get(`${HOME}/brands/:id`, (c) => c.redirect(`${studio}/${c.req.param("id")}/settings`, 303));
  app.route("/", signInRoutes(service, signIns));
  app.route("/", accountRoutes(service, signIns));
  return app;
}
