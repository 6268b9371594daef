/** `/studio/authorize`: where apps send people, so that they let the app in. */
import type { Context, Hono } from "hono";
import { Documents } from "../../domain/brands/apps/document.ts";
import { AppRefusal } from "../../domain/brands/apps/refusal.ts";
import { invalid, noSuch, ServiceError } from "../../domain/foundation/errors.ts";
import { allowApp } from "../../domain/operations/apps.ts";
import { retryHeader } from "../../domain/operations/http.ts";
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";
import { callAs, type Person, personOf } from "../person.ts";
import type { AppContext, AppEnv } from "../request.ts";
import { type Asked, AskedWrongly, clientsFor, readAsked } from "./authorize.ts";
import { numberOf, readFields, textOf, textsOf } from "./form.ts";
import { pageHeaders } from "./headers.ts";
import { ConsentPage, LENGTHS, RefusedAppPage } from "./pages/consent.tsx";
import { SignInPage } from "./pages/sign_in.tsx";
import { STUDIO } from "./studio.ts";
import { plain } from "./words.ts";

const PATH = `${STUDIO}/authorize`;
/** Characters of the query; a sign-in has to carry it. */
const LONGEST_QUERY = 6_000;

export function addConsent(app: Hono<AppEnv>, service: Service): void {
  const documents = new Documents(service);
  app.get(PATH, (c) =>
    signedIn(service, c, async (person) => {
      const asked = await askedOf(service, documents, c, person);
      return await show(service, c, person, asked);
    }));
  app.post(PATH, (c) =>
    signedIn(service, c, async (person) => {
      const asked = await askedOf(service, documents, c, person);
      const fields = await readFields(c.req.raw);
      try {
        return c.redirect(await decide(service, c, person, asked, fields), 303);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const shown = { given: fields, error: plain(error.message), status: error.status };
        return await show(service, c, person, asked, shown);
      }
    }));
}

/** Leads people who are not signed in to the sign-in and back to this same request. */
async function signedIn(
  service: Service,
  c: AppContext,
  answer: (person: Person) => Promise<Response>,
): Promise<Response> {
  const { settings } = service;
  const base = basePath(settings);
  const headers = headersOf(service);
  try {
    requireShort(c);
    const person = await personOf(service, c.req.raw);
    if (person !== null) return await answer(person);
    return await c.html(<SignInPage base={base} next={addressOf(service, c)} />, 401, headers);
  } catch (error) {
    if (error instanceof AskedWrongly) {
      const page = <RefusedAppPage base={base} words={error.message} asked={error} />;
      return await c.html(page, 400, headers);
    }
    const isRefused = error instanceof AppRefusal || error instanceof ServiceError;
    if (!isRefused) throw error;
    const [status, wait] = error instanceof ServiceError
      ? [error.status, retryHeader(error)]
      : [400, {}];
    const page = <RefusedAppPage base={base} words={plain(error.message)} />;
    return await c.html(page, status as 400, { ...headers, ...wait });
  }
}

const queryOf = (c: Context): string => new URL(c.req.url).search;

const addressOf = ({ settings }: Service, c: AppContext): string =>
  `${basePath(settings)}${PATH}${queryOf(c)}`;

function requireShort(c: AppContext): void {
  if (queryOf(c).length <= LONGEST_QUERY) return;
  throw new ServiceError("validationError", "The app asks with too many words.");
}

function askedOf(
  service: Service,
  documents: Documents,
  c: AppContext,
  { session }: Person,
): Promise<Asked> {
  const clientOf = clientsFor(service, documents, session.accountId);
  return readAsked(service, clientOf, new URLSearchParams(queryOf(c)));
}

const provenText = (c: AppContext, { session }: Person): string =>
  `consent ${session.id} ${queryOf(c)}`;

async function show(
  service: Service,
  c: AppContext,
  person: Person,
  asked: Asked,
  { status = 200, ...shown }: { given?: FormData; error?: string; status?: number } = {},
): Promise<Response> {
  const props = {
    base: basePath(service.settings),
    action: addressOf(service, c),
    proof: await service.secrets.sign(provenText(c, person)),
    ...{ asked, email: person.session.email, brands: ownBrands(person), ...shown },
  };
  return await c.html(<ConsentPage {...props} />, status as 200, headersOf(service, asked));
}

/** The brands into which the person may let an app. */
const ownBrands = ({ brands, roles }: Person) =>
  brands.filter(({ id }) => roles.get(id) === "owner");

/** The address to which the person's decision leads. */
async function decide(
  service: Service,
  c: AppContext,
  person: Person,
  { client, redirectUri, challenge, scopes, back }: Asked,
  fields: FormData,
): Promise<string> {
  if (!await service.secrets.verify(provenText(c, person), textOf(fields, "proof"))) {
    throw new ServiceError("forbidden", "Please look again at what the app asks for, then decide.");
  }
  const decision = textOf(fields, "decision");
  if (decision === "deny") {
    return back({ error: "access_denied", error_description: "The person did not let it in." });
  }
  if (decision !== "allow") throw invalid("decision", "must be allow or deny");
  const brand = person.brands.find(({ id }) => id === textOf(fields, "brand"));
  if (brand === undefined) throw noSuch("brand");
  const chosen = textsOf(fields, "scopes");
  const until = textOf(fields, "until");
  const length = Object.hasOwn(LENGTHS, until) ? LENGTHS[until] : undefined;
  if (length === undefined) throw invalid("until", "must be one of the lengths on the page");
  const limit = (name: string) => {
    const text = textOf(fields, name).trim();
    return text === "" ? null : numberOf(text);
  };
  const { code } = await callAs(service, c, person, brand)(allowApp, {
    client: { id: client.id, name: client.name },
    ...{ redirectUri, challenge, days: length.days },
    scopes: scopes.filter((scope) => chosen.includes(scope)),
    publishesPerDay: limit("publishesPerDay"),
    creditsPerDay: limit("creditsPerDay"),
  });
  return back({ code });
}

/**
 * The consent's form leads to the app, and many apps lead on to sites that only they know. Browsers hold
 * all of these against `form-action`, so this page has none; nothing on it is written by the app but text.
 */
function headersOf({ settings }: Service, asked?: Asked): Record<string, string> {
  const headers: Record<string, string> = {
    ...pageHeaders(settings),
    "x-frame-options": "DENY",
  };
  if (asked === undefined) return headers;
  const policy = headers["content-security-policy"] ?? "";
  return { ...headers, "content-security-policy": policy.replace(" form-action 'self';", "") };
}
