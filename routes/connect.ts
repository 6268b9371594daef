/** Connecting accounts in a browser: to the platform's sign-in and back, within one session. */
import { type Context, Hono } from "hono";
import { explain, ServiceError } from "../domain/errors.ts";
import { beginSignIn, finishSignIn } from "../domain/platforms/sign_in.ts";
import { Platform } from "../domain/posts/shape.ts";
import type { Service } from "../domain/service.ts";
import type { Session } from "../domain/sessions.ts";
import { basePath } from "./base_path.ts";
import { ACCOUNT_KINDS } from "./dashboard/account_kinds.ts";
import { sessionOf } from "./dashboard/cookie.ts";
import { PAGE_HEADERS } from "./dashboard/page.ts";
import { connectPage } from "./dashboard/pages.ts";
import type { AppEnv } from "./request.ts";

export function connectRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const base = basePath(service.settings);
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
      const text = `${names.join(", ")}.`;
      const brandId = accounts[0]?.brandId ?? null;
      return c.html(connectPage(base, brandId, { title: "Connected", text }), 200, HEADERS);
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
    const words = { title: "Not connected", error: message };
    return c.html(connectPage(basePath(service.settings), null, words), status as 400, HEADERS);
  }
}

/** The address that brought the browser here holds a code: no page may pass it on. */
const HEADERS = { ...PAGE_HEADERS, "referrer-policy": "no-referrer" };
