/** `/.well-known/…`: how an app finds out where and how to sign in (RFC 9728, RFC 8414). No key. */
import { Hono } from "hono";
import { Scope } from "../../domain/brands/keys.ts";
import type { Settings } from "../../domain/foundation/settings.ts";
import { jsonResponse } from "../../domain/operations/http.ts";
import { basePath } from "../base_path.ts";
import type { AppEnv } from "../request.ts";

const HEADERS = { "cache-control": "public, max-age=300" };

type Address = Pick<Settings, "BASE_URL">;

/** The address that access tokens are for. */
export const resourceOf = ({ BASE_URL }: Address): string => `${BASE_URL}/mcp`;

/** Whether a `resource` parameter means `/mcp`; a slash at its end makes no other resource. */
export const isResource = (settings: Address, sent: string): boolean =>
  URL.parse(sent)?.href.replace(/\/$/, "") === new URL(resourceOf(settings)).href;

export function metadataRoutes(settings: Settings): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const base = basePath(settings);
  const serve = (name: string, paths: string[], value: object) => {
    // A proxy removes the path of BASE_URL from what is below it, but these may be at the host's root.
    for (const path of new Set(paths.flatMap((path) => [path, base + path]))) {
      app.get(`/.well-known/${name}${path}`, () => jsonResponse(value, 200, HEADERS));
    }
  };
  const server = serverMetadata(settings);
  serve("oauth-protected-resource", ["", "/mcp"], resourceMetadata(settings));
  serve("oauth-authorization-server", [""], server);
  // Below a path, this is the one address of an app's list that every proxy forwards. There are no id
  // tokens, which the empty lists say.
  if (base !== "") serve("openid-configuration", [""], { ...server, ...withoutIdTokens(settings) });
  return app;
}

function resourceMetadata(settings: Settings) {
  const { BASE_URL } = settings;
  return {
    resource: resourceOf(settings),
    authorization_servers: [BASE_URL],
    scopes_supported: Scope.options,
    bearer_methods_supported: ["header"],
    resource_name: "Marquee",
    resource_documentation: `${BASE_URL}/docs/agents`,
  };
}

function serverMetadata({ BASE_URL }: Settings) {
  return {
    issuer: BASE_URL,
    authorization_endpoint: `${BASE_URL}/studio/authorize`,
    token_endpoint: `${BASE_URL}/oauth/token`,
    registration_endpoint: `${BASE_URL}/oauth/register`,
    revocation_endpoint: `${BASE_URL}/oauth/revoke`,
    scopes_supported: Scope.options,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${BASE_URL}/docs/agents`,
  };
}

function withoutIdTokens({ BASE_URL }: Settings) {
  return {
    jwks_uri: `${BASE_URL}/oauth/jwks`,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [],
  };
}
