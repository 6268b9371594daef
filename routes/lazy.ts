/** Faces that few starts need are loaded with their first request: a cold start stays short. */
import { Hono } from "hono";
import { ServiceError } from "../domain/errors.ts";
import { once } from "../domain/once.ts";
import type { Service } from "../domain/service.ts";
import { errorResponse } from "../domain/wire.ts";
import { refused } from "./caller.ts";
import type { AppContext, AppEnv } from "./request.ts";

type Routes = Hono<AppEnv>;
type Outer = { Bindings: { outer: AppContext } } & AppEnv;

/** Serves `path` and everything below it from routes that `load` brings. */
export function mountLazily(
  app: Routes,
  service: Service,
  path: string,
  load: (service: Service) => Promise<Routes>,
): void {
  const loaded = once(async () => within(service, await load(service)));
  const answer = async (c: AppContext) => {
    // Here HEAD is a GET: the outer app drops the body, once its length is known.
    const { raw } = c.req;
    const request = raw.method === "HEAD" ? new Request(raw, { method: "GET" }) : raw;
    return (await loaded()).fetch(request, { outer: c });
  };
  app.all(path, answer);
  app.all(`${path}/*`, answer);
}

/** The routes in an app of their own that names and refuses requests as the outer one does. */
function within(service: Service, routes: Routes): Hono<Outer> {
  const app = new Hono<Outer>();
  app.use(async (c, next) => {
    c.set("requestId", c.env.outer.get("requestId"));
    await next();
    const { outer } = c.env;
    const caller = c.get("caller");
    if (caller !== undefined) outer.set("caller", caller);
    if (c.get("named")) outer.set("named", true);
  });
  app.route("/", routes);
  app.notFound(() => errorResponse(new ServiceError("notFound", "No such path.")));
  app.onError((error, c) => refused(service, c.env.outer, error));
  return app;
}
