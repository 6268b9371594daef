/** `/oauth/…`: apps register, and exchange what a person allowed for tokens. No key, no cookie. */
import { Hono } from "hono";
import { Registrations } from "../../domain/brands/apps/client.ts";
import { exchange } from "../../domain/brands/apps/codes.ts";
import { AppRefusal, type RefusalCode } from "../../domain/brands/apps/refusal.ts";
import { Refreshes, revokeToken, type Tokens } from "../../domain/brands/apps/tokens.ts";
import { SECOND } from "../../domain/foundation/calendar.ts";
import { explain, ServiceError } from "../../domain/foundation/errors.ts";
import type { By } from "../../domain/kv/audit.ts";
import { jsonResponse, readBody, retryHeader } from "../../domain/operations/http.ts";
import type { Service } from "../../domain/service/service.ts";
import { clientAddress } from "../client_address.ts";
import { readForm } from "../dashboard/forms.ts";
import { WebClient } from "../face_call.ts";
import { blocksOf } from "../networks.ts";
import type { AppContext, AppEnv } from "../request.ts";
import { isResource } from "./metadata.ts";

const MOST_BYTES = 16 * 1024;
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

export function oauthRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const registrations = new Registrations(service);
  const refreshes = new Refreshes(service);
  const answering = (answer: (c: AppContext) => Promise<Response>) => async (c: AppContext) => {
    try {
      return await answer(c);
    } catch (error) {
      return refused(service, c, error);
    }
  };

  app.post("/oauth/register", answering((c) => register(registrations, c)));
  app.post(
    "/oauth/token",
    answering(async (c) => {
      const sent = await fieldsOf(c);
      requireResource(service, sent);
      const grant = needed(sent, "grant_type");
      if (grant === "refresh_token") {
        const token = needed(sent, "refresh_token");
        return answered(await refreshes.refresh(token, needed(sent, "client_id")));
      }
      if (grant === "authorization_code") return answered(await exchanged(service, c, sent));
      throw new AppRefusal(
        "unsupported_grant_type",
        "grant_type must be authorization_code or refresh_token.",
      );
    }),
  );
  app.post(
    "/oauth/revoke",
    answering(async (c) => {
      const sent = await fieldsOf(c);
      const by = visitor(c);
      await revokeToken({ ...service, by }, needed(sent, "token"), needed(sent, "client_id"));
      return new Response(null, { status: 200, headers: HEADERS });
    }),
  );
  app.get("/oauth/jwks", () => jsonResponse({ keys: [] }, 200));
  return app;
}

/** RFC 7591. Every app is a public client: it proves itself by the code's verifier. */
async function register(registrations: Registrations, c: AppContext): Promise<Response> {
  const waitMs = await registrations.take(blocksOf(clientAddress(c)));
  if (waitMs > 0) {
    const retryAfter = Math.ceil(waitMs / SECOND);
    const words = "Too many apps were registered from here. Try again later.";
    throw new ServiceError("rateLimitExceeded", words, { retryAfter });
  }
  const { client, createdAt } = await registrations.register(await readJson(c));
  const answer = {
    client_id: client.id,
    client_id_issued_at: Math.floor(createdAt / SECOND),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  return jsonResponse(answer, 201, HEADERS);
}

async function readJson(c: AppContext): Promise<unknown> {
  const text = await readBody(c.req.raw, { most: MOST_BYTES });
  try {
    return JSON.parse(text);
  } catch {
    throw new AppRefusal("invalid_client_metadata", "The body must be JSON.");
  }
}

type Fields = Record<string, string | undefined>;

/** The form's parameters; one that is sent twice is refused (RFC 6749, 3.2). */
async function fieldsOf(c: AppContext): Promise<Fields> {
  const form = await readForm(c.req.raw, { most: MOST_BYTES });
  const fields: Fields = {};
  for (const [name, value] of form) {
    if (typeof value !== "string" || Object.hasOwn(fields, name)) {
      throw new AppRefusal("invalid_request", `${name} must be one text.`);
    }
    fields[name] = value;
  }
  return fields;
}

function needed(sent: Fields, name: string): string {
  const value = sent[name];
  if (value) return value;
  const code = name === "client_id" ? "invalid_client" : "invalid_request";
  throw new AppRefusal(code, `${name} is missing.`);
}

function requireResource({ settings }: Service, { resource }: Fields): void {
  if (resource === undefined || isResource(settings, resource)) return;
  throw new AppRefusal("invalid_target", "Tokens of this service are for its /mcp only.");
}

async function exchanged(service: Service, c: AppContext, sent: Fields): Promise<Tokens> {
  const verifier = needed(sent, "code_verifier");
  if (!VERIFIER.test(verifier)) {
    throw new AppRefusal("invalid_request", "code_verifier must have 43 to 128 characters.");
  }
  const acting = { ...service, by: visitor(c) };
  return await exchange(acting, {
    ...{ code: needed(sent, "code"), clientId: needed(sent, "client_id"), verifier },
    redirectUri: sent["redirect_uri"] ?? null,
  });
}

const visitor = (c: AppContext): By => ({ actor: { kind: "visitor" }, from: new WebClient(c) });

const answered = (tokens: Tokens): Response => jsonResponse(tokens, 200, HEADERS);

/** RFC 6749, 5.2. */
function refused(service: Service, c: AppContext, error: unknown): Response {
  if (error instanceof AppRefusal) {
    const status = error.code === "invalid_client" ? 401 : 400;
    return refusalOf(status, error.code, error.message);
  }
  const refusal = explain(error, c.get("requestId"), service.log);
  const { status } = refusal;
  const code = status >= 500 || status === 429
    ? "temporarily_unavailable"
    : refusal.code === "validationError"
    ? "invalid_request"
    : "invalid_grant";
  const answer = refusalOf(status < 429 ? 400 : status, code, refusal.message);
  for (const [name, value] of Object.entries(retryHeader(refusal))) answer.headers.set(name, value);
  return answer;
}

function refusalOf(
  status: number,
  error: RefusalCode | "temporarily_unavailable",
  words: string,
): Response {
  return jsonResponse({ error, error_description: words }, status, HEADERS);
}
