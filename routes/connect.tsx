/** Connects accounts in a browser: to the platform's sign-in and back, within one session. */
import { type Context, Hono } from "hono";
import { explain, ServiceError } from "../domain/foundation/errors.ts";
import { beginSignIn, finishSignIn } from "../domain/platforms/sign_in.ts";
import { Platform } from "../domain/posts/shape.ts";
import type { Service } from "../domain/service/service.ts";
import type { SignedIn } from "../domain/brands/sessions.ts";
import { basePath } from "./base_path.ts";
import { actingFor } from "./dashboard/acting.ts";
import { ACCOUNT_KINDS } from "./dashboard/account_kinds.ts";
import { sessionOf } from "./dashboard/cookie.ts";
import { ConnectedPage } from "./dashboard/connected.tsx";
import { pageHeaders } from "./studio/headers.ts";
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
      const accounts = await finishSignIn(actingFor(service, c, session), session, platform, {
        state: c.req.query("state"),
        code: c.req.query("code"),
        error: c.req.query("error"),
      });
      const names = accounts.map(({ kind, handle }) => `${ACCOUNT_KINDS[kind].name}: ${handle}`);
      const text = `${names.join(", ")}.`;
      const brandId = accounts[0]?.brandId ?? null;
      const page = <ConnectedPage base={base} brandId={brandId} title="Connected" text={text} />;
      return c.html(page, 200, headersOf(service));
    }));
  return app;
}

/** Requires a session and a known platform; shows anything thrown as a page that says what to do. */
async function answered(
  service: Service,
  c: Context<AppEnv>,
  answer: (session: SignedIn, platform: Platform) => Promise<Response>,
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
    const page = <ConnectedPage base={basePath(service.settings)} brandId={null} {...words} />;
    return c.html(page, status as 400, headersOf(service));
  }
}

/** The address of this page contains a sign-in code, so no link may send it on as referrer. */
function headersOf({ settings }: Service): Record<string, string> {
  return { ...pageHeaders(settings), "referrer-policy": "no-referrer" };
}
