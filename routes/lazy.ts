/** Loads routes with their first request, so that a cold start stays short. */
import { Hono } from "hono";
import { ServiceError } from "../domain/foundation/errors.ts";
import { once } from "../domain/foundation/once.ts";
import type { Service } from "../domain/service/service.ts";
import { errorResponse } from "../domain/operations/http.ts";
import { refused } from "./caller.ts";
import type { AppContext, AppEnv } from "./request.ts";

type Routes = Hono<AppEnv>;
type Outer = { Bindings: { outer: AppContext } } & AppEnv;

/** Serves `path` and everything below it from the routes that `load` returns. */
export function mountLazily(
  app: Routes,
  service: Service,
  path: string,
  load: (service: Service) => Promise<Routes>,
): void {
  const loaded = once(async () => within(service, await load(service)));
  const answer = async (c: AppContext) => {
    // HEAD becomes GET here; the outer app drops the body once it has told the length.
    const { raw } = c.req;
    const request = raw.method === "HEAD" ? new Request(raw, { method: "GET" }) : raw;
    return (await loaded()).fetch(request, { ...c.env, outer: c });
  };
  app.all(path, answer);
  app.all(`${path}/*`, answer);
}

/** Puts the routes into an app that uses the outer app's request ids, log line and refusals. */
function within(service: Service, routes: Routes): Hono<Outer> {
  const app = new Hono<Outer>();
  app.use(async (c, next) => {
    c.set("requestId", c.env.outer.get("requestId"));
    const forwardedFor = c.env.outer.get("forwardedFor");
    if (forwardedFor !== undefined) c.set("forwardedFor", forwardedFor);
    if (c.env.outer.req.method === "HEAD") c.set("isHead", true);
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
