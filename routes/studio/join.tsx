/** The page behind an invitation: joins as whoever is signed in, or with a new account. */
import { NewAccountFields } from "./parts/new_account.tsx";
import type { Hono } from "hono";
import { z } from "zod";
import { Email, Password } from "../../domain/brands/accounts.ts";
import type { Brand } from "../../domain/brands/brands.ts";
import { inviteIsOver } from "../../domain/brands/invites.ts";
import { join, joinAnew, readOffer } from "../../domain/brands/join.ts";
import type { Role } from "../../domain/brands/roles.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { isId } from "../../domain/foundation/ids.ts";
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";
import { actingFor } from "../dashboard/acting.ts";
import { sessionOf } from "../dashboard/cookie.ts";
import { checked } from "../dashboard/forms.ts";
import { enter } from "../dashboard/sign_in.ts";
import { WebClient } from "../face_call.ts";
import type { AppContext, AppEnv } from "../request.ts";
import { readFields } from "./form.ts";
import { pageHeaders } from "./headers.ts";
import { Alone } from "./parts/frame.tsx";
import { SignInForm } from "./pages/sign_in.tsx";
import { STUDIO } from "./studio.ts";
import { plain, ROLE_WORDS } from "./words.ts";

const Joiner = z.object({ email: Email, password: Password });
const PATH = `${STUDIO}/join/:brand`;

export function addJoin(app: Hono<AppEnv>, service: Service): void {
  app.get(PATH, (c) => answered(c, service, () => show(c, service)));
  app.post(PATH, (c) =>
    answered(c, service, async () => {
      const { brand, invitation } = await requireInvite(c, service);
      const session = await sessionOf(service, c.req.raw);
      const fields = await readFields(c.req.raw);
      try {
        if (session !== null) {
          await join(actingFor(service, c, session), invitation, session.accountId);
        } else {
          const by = { actor: { kind: "visitor" }, from: new WebClient(c) } as const;
          const joiner = checked(fields, Joiner);
          await enter(c, service, await joinAnew({ ...service, by }, invitation, joiner));
        }
        return c.redirect(`${basePath(service.settings)}${STUDIO}/${brand.id}`, 303);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code === "forbidden") throw error;
        return await show(c, service, { given: fields, error });
      }
    }));
}

/** The invitation of the address. @throws ServiceError `forbidden` for one that is over */
async function requireInvite(c: AppContext, service: Service) {
  const brandId = c.req.param("brand") ?? "";
  const token = c.req.query("invite") ?? "";
  if (!isId("brand", brandId)) throw inviteIsOver();
  const invitation = { brandId, token };
  return { ...await readOffer(service, invitation), invitation };
}

async function answered(
  c: AppContext,
  service: Service,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const isOver = error instanceof ServiceError &&
      (error.code === "forbidden" || error.code === "notFound");
    if (!isOver) throw error;
    const base = basePath(service.settings);
    const page = (
      <Alone base={base} title="This invitation is over" error={inviteIsOver().message}>
        <p>
          <a class="button" href={`${base}${STUDIO}`}>Open Studio</a>
        </p>
      </Alone>
    );
    return c.html(page, 403, pageHeaders(service.settings));
  }
}

async function show(
  c: AppContext,
  service: Service,
  refused?: { given: FormData; error: ServiceError },
): Promise<Response> {
  const { brand, role } = await requireInvite(c, service);
  const session = await sessionOf(service, c.req.raw);
  const view = {
    ...{ brand, role, base: basePath(service.settings) },
    path: `${c.req.path}${new URL(c.req.url).search}`,
    email: session?.email ?? null,
    given: refused?.given,
    error: refused && plain(refused.error.message),
  };
  const page = session === null ? <JoinAnew {...view} /> : <JoinAs {...view} />;
  return c.html(page, (refused?.error.status ?? 200) as 200, pageHeaders(service.settings));
}

interface JoinProps {
  base: string;
  brand: Brand;
  role: Role;
  /** Of this page, below `base`. */
  path: string;
  email: string | null;
  given?: FormData | undefined;
  error?: string | undefined;
}

function Offer({ role }: { role: Role }) {
  const { word, does } = ROLE_WORDS[role];
  return (
    <p>
      You are invited as <b>{word.toLowerCase()}</b>. <span class="soft">{does}</span>
    </p>
  );
}

function JoinAs({ base, brand, role, path, email, error }: JoinProps) {
  return (
    <Alone base={base} title={`Join ${brand.name}`} error={error}>
      <Offer role={role} />
      <form class="card form" method="post" action={base + path}>
        <p>You are signed in as {email}.</p>
        <button>Join</button>
      </form>
      <form method="post" action={`${base}/dashboard/sign-out`}>
        <button class="plain">Sign out, to join as somebody else</button>
      </form>
    </Alone>
  );
}

function JoinAnew({ base, brand, role, path, given = new FormData(), error }: JoinProps) {
  return (
    <Alone base={base} title={`Join ${brand.name}`} error={error}>
      <Offer role={role} />
      <form class="card form" method="post" action={base + path}>
        <h2>Make your account</h2>
        <NewAccountFields given={given} />
        <button>Join</button>
      </form>
      <div class="card">
        <details class="more">
          <summary>You have an account already?</summary>
          <SignInForm base={base} next={base + path} prefix="own-" />
        </details>
      </div>
    </Alone>
  );
}
