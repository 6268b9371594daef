/** Connecting accounts in a browser: to the platform's sign-in and back, within one session. */
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { explain, ServiceError } from "../domain/errors.ts";
import { beginSignIn, finishSignIn } from "../domain/platforms/sign_in.ts";
import { Platform } from "../domain/posts/shape.ts";
import type { Service } from "../domain/service.ts";
import type { Session } from "../domain/sessions.ts";
import { basePath } from "./base_path.ts";
import { ACCOUNT_KINDS } from "./dashboard/account_kinds.ts";
import { sessionOf } from "./dashboard/cookie.ts";
import type { AppEnv } from "./request.ts";

export function connectRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/connect/:platform", (c) =>
    answered(service, c, async (session, platform) => {
      const brandId = c.req.query("brand") ?? "";
      const asMember = c.req.query("as") === "member";
      const wanted = { brandId, platform, asMember };
      return c.redirect(await beginSignIn(service, session, wanted), 302);
    }));
  app.get("/connect/:platform/callback", (c) =>
    answered(service, c, async (session, platform) => {
      const accounts = await finishSignIn(service, session, platform, {
        state: c.req.query("state"),
        code: c.req.query("code"),
        error: c.req.query("error"),
      });
      const names = accounts.map(({ kind, handle }) => `${ACCOUNT_KINDS[kind].name}: ${handle}`);
      return page(service, c, 200, "Connected", `${names.join(", ")}.`);
    }));
  return app;
}

/** A session and a known platform first; whatever is thrown becomes a page with the cure. */
async function answered(
  service: Service,
  c: Context<AppEnv>,
  answer: (session: Session, platform: Platform) => Promise<Response>,
): Promise<Response> {
  try {
    const platform = Platform.safeParse(c.req.param("platform"));
    if (!platform.success) throw new ServiceError("notFound", "No such platform.");
    const session = await sessionOf(service, c.req.raw);
    if (session === null) throw new ServiceError("unauthorized", "Please sign in first.");
    return await answer(session, platform.data);
  } catch (error) {
    const { status, message } = explain(error, c.get("requestId"), service.log);
    return page(service, c, status, "Not connected", message);
  }
}

/** The address that brought the browser here holds a code: no page may pass it on. */
function page(
  service: Service,
  c: Context<AppEnv>,
  status: number,
  title: string,
  words: string,
): Response | Promise<Response> {
  c.header("cache-control", "no-store");
  c.header("referrer-policy", "no-referrer");
  c.header("content-security-policy", "default-src 'none'");
  return c.html(
    html`
      <!doctype html>
      <html lang="en">
        <meta charset="utf-8">
        <title>${title}</title>
        <h1>${title}</h1>
        <p>${words}</p>
        <p><a href="${basePath(service.settings)}/dashboard">Back to the dashboard</a></p>
      </html>
    `,
    status as 200,
  );
}
