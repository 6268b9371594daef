/** `/dashboard`: pages for people, rendered by the server, without scripts. */
import { type Context as HonoContext, Hono } from "hono";
import { z } from "zod";
import { createApiKey, listApiKeys, revokeApiKey, Scope } from "../../domain/access.ts";
import { LONGEST, signIn } from "../../domain/accounts.ts";
import {
  type Brand,
  BrandName,
  createBrand,
  listAccountBrands,
  readBrand,
} from "../../domain/brands.ts";
import { readCredits } from "../../domain/credits.ts";
import { noSuch, notFound, ServiceError } from "../../domain/errors.ts";
import { NewBrandKit, readKit, writeKit } from "../../domain/kit.ts";
import { readMonth } from "../../domain/meter/meter.ts";
import type { Service } from "../../domain/service.ts";
import { closeSession, openSession, type Session } from "../../domain/sessions.ts";
import { listSocialAccounts } from "../../domain/social.ts";
import { readBody } from "../../domain/wire.ts";
import { basePath } from "../base_path.ts";
import type { AppEnv } from "../request.ts";
import { SignInAttempts } from "./attempts.ts";
import { readToken, sessionOf, setCookie } from "./cookie.ts";
import { brandPage, brandsPage, type BrandView, signInPage } from "./pages.ts";
import { STYLE } from "./style.ts";

type C = HonoContext<AppEnv>;

/** Our paths as they reach us, and as a browser knows them. */
const HOME = "/dashboard";
const homeOf = ({ settings }: Service) => basePath(settings) + HOME;
const PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

export function dashboardRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const attempts = new SignInAttempts(service.now);
  app.use(`${HOME}/*`, async (c, next) => {
    if (c.req.method === "POST") refuseForeignForm(c, service.settings.BASE_URL);
    await next();
  });

  app.get(`${HOME}/style.css`, (c) =>
    c.body(STYLE, 200, {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=3600",
    }));
  app.get(HOME, async (c) => {
    const session = await sessionOf(service, c.req.raw);
    return session === null
      ? c.html(signInPage(basePath(service.settings)), 200, PAGE_HEADERS)
      : await showBrands(c, service, session);
  });
  app.post(`${HOME}/sign-in`, async (c) => {
    const { email, password } = await form(c, SignIn);
    const refuse = (why: string) =>
      c.html(signInPage(basePath(service.settings), why), 401, PAGE_HEADERS);
    if (!attempts.mayTry(email)) {
      return refuse("Too many tries with this email. Please wait a quarter of an hour.");
    }
    const account = await signIn(service.kv, email, password);
    if (account === null) return refuse("Email and password don't match.");
    attempts.forgive(email);
    c.header("set-cookie", setCookie(service.settings, await openSession(service, account.id)));
    return c.redirect(homeOf(service), 303);
  });
  app.post(`${HOME}/sign-out`, async (c) => {
    const token = readToken(c.req.raw);
    if (token !== null) await closeSession(service, token);
    c.header("set-cookie", setCookie(service.settings, null));
    return c.redirect(homeOf(service), 303);
  });
  addBrandPages(app, service);
  return app;
}

function addBrandPages(app: Hono<AppEnv>, service: Service): void {
  const { kv, now } = service;
  app.post(`${HOME}/brands`, (c) =>
    signedIn(c, service, async (session) => {
      const input = await form(c, z.object({ name: BrandName }));
      const { accountId } = session;
      const brand = await createBrand(kv, now, { name: input.name, plan: "free", accountId });
      return c.redirect(`${homeOf(service)}/brands/${brand.id}`, 303);
    }));
  app.get(
    `${HOME}/brands/:id`,
    (c) => withBrand(c, service, async (brand) => await showBrand(c, service, brand)),
  );
  app.post(`${HOME}/brands/:id/keys`, (c) =>
    withBrand(c, service, async (brand) => {
      const { name, scopes } = await form(c, NewKey);
      const { secret } = await createApiKey(kv, now, { brandId: brand.id, name, scopes });
      return await showBrand(c, service, brand, { fresh: { name, secret } });
    }));
  app.post(`${HOME}/brands/:id/keys/:keyId/revoke`, (c) =>
    withBrand(c, service, async (brand) => {
      const mine = await listApiKeys(kv, brand.id);
      const key = mine.find(({ id }) => id === c.req.param("keyId"));
      if (key === undefined) throw notFound("key");
      await revokeApiKey(kv, now, key.id);
      return c.redirect(`${homeOf(service)}/brands/${brand.id}`, 303);
    }));
  app.post(`${HOME}/brands/:id/kit`, (c) =>
    withBrand(c, service, async (brand) => {
      await writeKit(service, brand.id, await form(c, NewBrandKit));
      return c.redirect(`${homeOf(service)}/brands/${brand.id}`, 303);
    }));
}

const SignIn = z.object({
  email: z.string().max(LONGEST.email),
  password: z.string().max(LONGEST.password),
});
const NewKey = z.object({
  name: BrandName,
  scopes: z.array(Scope).min(1, "Choose at least one scope."),
});

/** A page for whoever is signed in; a refusal is shown on the page of brands. */
async function signedIn(
  c: C,
  service: Service,
  answer: (session: Session) => Promise<Response>,
): Promise<Response> {
  const session = await sessionOf(service, c.req.raw);
  if (session === null) return c.redirect(homeOf(service), 303);
  try {
    return await answer(session);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return await showBrands(c, service, session, error);
  }
}

/** A page of a brand of the session's account; another account's brand is as unknown as none. */
function withBrand(
  c: C,
  service: Service,
  answer: (brand: Brand) => Promise<Response>,
): Promise<Response> {
  return signedIn(c, service, async (session) => {
    const brand = await readBrand(service.kv, c.req.param("id") ?? "");
    if (brand.accountId !== session.accountId) throw noSuch("brand");
    try {
      return await answer(brand);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return await showBrand(c, service, brand, {}, error);
    }
  });
}

async function showBrands(c: C, service: Service, session: Session, error?: ServiceError) {
  const brands = await listAccountBrands(service.kv, session.accountId);
  const status = (error?.status ?? 200) as 200;
  return c.html(
    brandsPage(basePath(service.settings), brands, error?.message),
    status,
    PAGE_HEADERS,
  );
}

async function showBrand(
  c: C,
  service: Service,
  brand: Brand,
  more: Pick<BrandView, "fresh"> = {},
  error?: ServiceError,
) {
  const { kv, now } = service;
  const [keys, accounts, kit, credits, requestsThisMonth] = await Promise.all([
    listApiKeys(kv, brand.id),
    listSocialAccounts(kv, brand.id),
    readKit(kv, brand.id),
    readCredits(kv, brand, now()),
    readMonth(kv, brand.id, now()),
  ]);
  const base = basePath(service.settings);
  const view = { base, brand, keys, accounts, kit, credits, requestsThisMonth, ...more };
  return c.html(brandPage(view, error?.message), (error?.status ?? 200) as 200, PAGE_HEADERS);
}

/** A form's fields, checked; a field of the schema that takes several values gets them all. */
async function form<Shape extends z.ZodObject>(c: C, shape: Shape): Promise<z.output<Shape>> {
  const fields = await fieldsOf(c.req.raw);
  const given = Object.fromEntries(
    Object.entries(shape.shape).map(([name, field]) => [
      name,
      field instanceof z.ZodArray ? fields.getAll(name) : fields.get(name),
    ]),
  );
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ServiceError("validationError", parsed.error.issues[0]!.message);
}

/** A form as browsers send it, in either encoding and within the bounds of any body. */
async function fieldsOf(request: Request): Promise<FormData> {
  const body = await readBody(request);
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  try {
    return await new Response(body, { headers }).formData();
  } catch (cause) {
    throw new ServiceError("validationError", "Send the fields as a form.", { cause });
  }
}

/**
 * A browser's form is taken from our own pages only. Every browser says where a form comes from;
 * who doesn't is a program, which bears no one else's cookies.
 */
function refuseForeignForm(c: C, baseUrl: string): void {
  const origin = c.req.header("origin");
  const site = c.req.header("sec-fetch-site");
  const own = [new URL(baseUrl).origin, new URL(c.req.url).origin];
  if (origin === undefined ? site === undefined || site === "same-origin" : own.includes(origin)) {
    return;
  }
  throw new ServiceError("forbidden", "Forms are taken from the dashboard's own pages only.");
}
