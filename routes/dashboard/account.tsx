/** A person's own account: change the password, sign out everywhere. */
import { Hono } from "hono";
import { z } from "zod";
import {
  changePassword,
  LONGEST,
  Password,
  signOutEverywhere,
} from "../../domain/brands/accounts.ts";
import type { SignedIn } from "../../domain/brands/sessions.ts";
import type { SignIns } from "../../domain/brands/sign_in.ts";
import { invalid, ServiceError } from "../../domain/foundation/errors.ts";
import { retryHeader } from "../../domain/operations/http.ts";
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";
import type { AppContext, AppEnv } from "../request.ts";
import { actingFor } from "./acting.ts";
import { sessionOf, setCookie } from "./cookie.ts";
import { checked, inLabels, readForm } from "./forms.ts";
import { HOME, homeOf } from "./home.ts";
import { pageHeaders } from "../studio/headers.ts";
import { Notice } from "../studio/parts/chip.tsx";
import { TextField } from "../studio/parts/field.tsx";
import { Alone } from "../studio/parts/frame.tsx";
import { STUDIO } from "../studio/studio.ts";
import { plain } from "../studio/words.ts";
import { enter } from "./sign_in.ts";

const NewPassword = z.object({
  currentPassword: z.string().max(LONGEST.password),
  newPassword: Password,
});

export function accountRoutes(service: Service, signIns: SignIns): Hono<AppEnv> {
  const { passwords } = service;
  const app = new Hono<AppEnv>();
  app.get(
    `${HOME}/account`,
    (c) => withSession(c, service, async (session) => await show(c, service, session)),
  );
  app.post(`${HOME}/account/password`, (c) =>
    withSession(c, service, async (session) => {
      const { accountId } = session;
      const acting = actingFor(service, c, session);
      const { currentPassword, newPassword } = checked(await readForm(c.req.raw), NewPassword);
      if (!await signIns.confirm(acting.by, accountId, currentPassword)) {
        throw invalid("currentPassword", "is not the account's");
      }
      const hashed = await passwords.hash(newPassword);
      await enter(c, service, await changePassword(acting, accountId, hashed));
      return c.redirect(`${homeOf(service)}/account?changed`, 303);
    }));
  app.post(
    `${HOME}/account/sign-out-everywhere`,
    (c) =>
      withSession(c, service, async (session) => {
        await signOutEverywhere(actingFor(service, c, session), session.accountId);
        c.header("set-cookie", setCookie(service.settings, "marquee_session", null));
        return c.redirect(homeOf(service), 303);
      }),
  );
  return app;
}

/** Answers signed-in visitors, and shows a refusal on the page. */
async function withSession(
  c: AppContext,
  service: Service,
  answer: (session: SignedIn) => Promise<Response>,
): Promise<Response> {
  const session = await sessionOf(service, c.req.raw);
  if (session === null) return c.redirect(homeOf(service), 303);
  try {
    return await answer(session);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    for (const [name, value] of Object.entries(retryHeader(error))) c.header(name, value);
    return show(c, service, session, error);
  }
}

function show(c: AppContext, service: Service, session: SignedIn, error?: ServiceError) {
  const view = {
    base: basePath(service.settings),
    email: session.email,
    isChanged: c.req.query("changed") !== undefined,
  };
  const page = <AccountPage {...view} error={error && plain(inLabels(error.message))} />;
  return c.html(page, (error?.status ?? 200) as 200, pageHeaders(service.settings));
}

interface AccountView {
  /** The part of the public address before our paths. */
  base: string;
  email: string | null;
  /** Whether the password was just changed. */
  isChanged: boolean;
  error?: string | undefined;
}

function AccountPage({ base, email, isChanged, error }: AccountView) {
  return (
    <Alone base={base} title="Your account" error={error}>
      {email === null ? null : <p class="soft">{email}</p>}
      {isChanged
        ? (
          <Notice tone="good">
            The password is changed. Other browsers are signed out.
          </Notice>
        )
        : null}
      <form class="card form" method="post" action={`${base}/dashboard/account/password`}>
        <h2>Change the password</h2>
        <TextField
          name="currentPassword"
          label="Current password"
          type="password"
          most={LONGEST.password}
          autocomplete="current-password"
          required
        />
        <TextField
          name="newPassword"
          label="New password"
          type="password"
          hint="At least 8 characters. Other browsers are signed out."
          least={8}
          most={LONGEST.password}
          autocomplete="new-password"
          required
        />
        <button>Change password</button>
      </form>
      <form
        class="card form"
        method="post"
        action={`${base}/dashboard/account/sign-out-everywhere`}
      >
        <h2>Sign out everywhere</h2>
        <p class="soft">Ends every session of this account, in this browser, too.</p>
        <button class="quiet">Sign out everywhere</button>
      </form>
      <p>
        <a class="button plain" href={base + STUDIO}>Back to Studio</a>
      </p>
    </Alone>
  );
}
