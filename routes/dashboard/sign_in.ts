/** Signing in and out. */
import { Hono } from "hono";
import { z } from "zod";
import { type Account, LONGEST } from "../../domain/brands/accounts.ts";
import { followLink } from "../../domain/brands/links.ts";
import { knownBrowser, rememberBrowser } from "../../domain/brands/browsers.ts";
import { closeSession, openSession } from "../../domain/brands/sessions.ts";
import type { SignIns, Visitor } from "../../domain/brands/sign_in.ts";
import { audit } from "../../domain/kv/audit.ts";
import type { Commit } from "../../domain/kv/transact.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { retryHeader } from "../../domain/operations/http.ts";
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";
import { clientAddress } from "../client_address.ts";
import { networkOf } from "../networks.ts";
import type { AppContext, AppEnv } from "../request.ts";
import { actingFor } from "./acting.ts";
import { readCookie, sessionOf, setCookie } from "./cookie.ts";
import { checked, readForm } from "./forms.ts";
import { HOME } from "./home.ts";
import { pageHeaders } from "../studio/headers.ts";
import { KeptPage, SignInPage } from "../studio/pages/sign_in.tsx";
import { STUDIO } from "../studio/studio.ts";

/** The address of a consent page carries all that an app asks for. */
const LONGEST_NEXT = 8_000;

const SignIn = z.object({
  email: z.string().max(LONGEST.email),
  password: z.string().max(LONGEST.password),
  next: z.string().max(LONGEST_NEXT).nullable(),
  kept: z.string().nullable(),
});
type Given = Partial<z.output<typeof SignIn>>;

/** A form that was sent without a session comes along, and captions are the longest texts in it. */
const MOST_BYTES = 64 * 1024;

export function signInRoutes(service: Service, signIns: SignIns): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.post(`${HOME}/sign-in`, async (c) => {
    let given: Given = {};
    try {
      const visitor = await visitorOf(c, service);
      signIns.requireOpen(visitor);
      const form = checked(await readForm(c.req.raw, { most: MOST_BYTES }), SignIn);
      given = form;
      const account = await signIns.signIn(visitor, form.email, form.password);
      if (account === null) {
        return refused(c, service, 401, "Email and password don't match.", given);
      }
      await welcome(c, service, account);
      const base = basePath(service.settings);
      const next = addressOf(base, form.next);
      if (form.kept === null || form.next === null) return c.redirect(next, 303);
      const page = KeptPage({ base, next, kept: form.kept });
      return c.html(page, 200, pageHeaders(service.settings));
    } catch (error) {
      // A body that is no form is a program's, which gets the envelope like everywhere.
      if (!(error instanceof ServiceError) || error.code === "validationError") throw error;
      for (const [name, value] of Object.entries(retryHeader(error))) c.header(name, value);
      return refused(c, service, error.status, error.message, given);
    }
  });
  app.get(`${HOME}/link`, async (c) => {
    // A program that only looks must not use the link up.
    if (c.get("isHead")) return c.body(null, 200, pageHeaders(service.settings));
    const account = await followLink(service, c.req.query("token") ?? "");
    if (account === null) {
      return refused(c, service, 401, "This link was used or has expired.", {});
    }
    await welcome(c, service, account);
    return c.redirect(addressOf(basePath(service.settings), null), 303);
  });
  app.post(`${HOME}/sign-out`, async (c) => {
    const token = readCookie(service.settings, c.req.raw, "marquee_session");
    const session = await sessionOf(service, c.req.raw);
    if (token !== null && session !== null) {
      await closeSession(actingFor(service, c, session), token);
    }
    c.header("set-cookie", setCookie(service.settings, "marquee_session", null));
    return c.redirect(addressOf(basePath(service.settings), null), 303);
  });
  return app;
}

/** Where to go on: only to a page of Studio, so that no link can lead a person to another site. */
function addressOf(base: string, next: string | null): string {
  const studio = base + STUDIO;
  return next?.startsWith(`${studio}/`) ? next : studio;
}

/** Opens the account in this browser, with a row in the audit trail. */
async function welcome(c: AppContext, service: Service, account: Account): Promise<void> {
  const acting = actingFor(service, c, { accountId: account.id, email: account.email });
  const row = { action: "account.signedIn", of: account.id, subject: account.id } as const;
  await enter(c, service, account, (commit) => audit(commit, acting, row));
}

/** Opens a session in this browser and remembers it. @param also goes into the session's commit */
export async function enter(
  c: AppContext,
  service: Service,
  account: Account,
  also?: (commit: Commit) => void,
): Promise<void> {
  const { settings, secrets } = service;
  const token = await openSession(service, account, also);
  const browser = await rememberBrowser(secrets, account.id);
  c.header("set-cookie", setCookie(settings, "marquee_session", token));
  c.header("set-cookie", setCookie(settings, "marquee_browser", browser), { append: true });
}

async function visitorOf(c: AppContext, { secrets, settings }: Service): Promise<Visitor> {
  const mark = readCookie(settings, c.req.raw, "marquee_browser");
  const address = clientAddress(c);
  return {
    address,
    network: networkOf(address),
    browser: await knownBrowser(secrets, mark),
  };
}

function refused(
  c: AppContext,
  { settings }: Service,
  status: number,
  error: string,
  given: Given,
) {
  const { email, next, kept } = given;
  const form = { email, next: next ?? undefined, kept: kept ?? undefined };
  const page = SignInPage({ base: basePath(settings), error, ...form });
  return c.html(page, status as 401, pageHeaders(settings));
}
