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
import { basePath } from "../base_path.ts";
import type { AppEnv } from "../request.ts";
import { SignInAttempts } from "./attempts.ts";
import { brandPage, type BrandView } from "./brand_page.ts";
import { readToken, sessionOf, setCookie } from "./cookie.ts";
import { checked, inLabels, readForm, refuseForeignForm } from "./forms.ts";
import { PAGE_HEADERS } from "./page.ts";
import { brandsPage, signInPage } from "./pages.ts";
import { STYLE } from "./style.ts";

type C = HonoContext<AppEnv>;

/** Our paths as they reach us, and as a browser knows them. */
const HOME = "/dashboard";
const homeOf = ({ settings }: Service) => basePath(settings) + HOME;

export function dashboardRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const attempts = new SignInAttempts(service.now);
  app.use(`${HOME}/*`, async (c, next) => {
    if (c.req.method === "POST") refuseForeignForm(c.req.raw, service.settings.BASE_URL);
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
    const { email, password } = checked(await readForm(c.req.raw), SignIn);
    const refuse = (why: string) =>
      c.html(signInPage(basePath(service.settings), why, email), 401, PAGE_HEADERS);
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
      const input = checked(await readForm(c.req.raw), z.object({ name: BrandName }));
      const { accountId } = session;
      const brand = await createBrand(kv, now, { name: input.name, plan: "free", accountId });
      return c.redirect(`${homeOf(service)}/brands/${brand.id}`, 303);
    }));
  app.get(
    `${HOME}/brands/:id`,
    (c) => withBrand(c, service, async (brand) => await showBrand(c, service, brand)),
  );
  app.post(`${HOME}/brands/:id/keys`, (c) =>
    withBrand(c, service, async (brand, fields) => {
      const { name, scopes } = checked(fields, NewKey);
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
    withBrand(c, service, async (brand, fields) => {
      await writeKit(service, brand.id, checked(fields, NewBrandKit));
      return c.redirect(`${homeOf(service)}/brands/${brand.id}`, 303);
    }));
}

const SignIn = z.object({
  email: z.string().max(LONGEST.email),
  password: z.string().max(LONGEST.password),
});
const NewKey = z.object({
  name: BrandName,
  scopes: z.array(Scope).min(1, "choose at least one scope"),
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
  answer: (brand: Brand, fields: FormData) => Promise<Response>,
): Promise<Response> {
  return signedIn(c, service, async (session) => {
    const brand = await readBrand(service.kv, c.req.param("id") ?? "");
    if (brand.accountId !== session.accountId) throw noSuch("brand");
    const fields = c.req.method === "POST" ? await readForm(c.req.raw) : new FormData();
    try {
      return await answer(brand, fields);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return await showBrand(c, service, brand, { refused: fields }, error);
    }
  });
}

async function showBrands(c: C, service: Service, session: Session, error?: ServiceError) {
  const brands = await listAccountBrands(service.kv, session.accountId);
  const status = (error?.status ?? 200) as 200;
  const shown = brandsPage(basePath(service.settings), brands, error && inLabels(error.message));
  return c.html(shown, status, PAGE_HEADERS);
}

async function showBrand(
  c: C,
  service: Service,
  brand: Brand,
  more: Pick<BrandView, "fresh" | "refused"> = {},
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
  const shown = brandPage(view, error && inLabels(error.message));
  return c.html(shown, (error?.status ?? 200) as 200, PAGE_HEADERS);
}
