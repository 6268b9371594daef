/** OAuth's authorization code grant and refresh grant (RFC 6749, sections 4.1, 5.1 and 6). */
import { z } from "zod";
import { SECOND } from "../../foundation/calendar.ts";
import type { Tokens } from "../accounts.ts";
import type { Auth } from "./client.ts";
import type { App, SignIn } from "./platform.ts";
import { address, type Wire } from "./wire.ts";

interface OAuthHosts {
  authorize: string;
  token: string;
}

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number(),
  refresh_token: z.string().optional(),
  refresh_token_expires_in: z.number().optional(),
  scope: z.string().optional(),
});

interface FlowOptions {
  /** Parameters of the authorization address that the standard does not name. */
  extra?: Record<string, string>;
  /** Whether the platform takes PKCE (RFC 7636), so that a stolen code is worth nothing. */
  pkce?: boolean;
}

export function codeFlow(
  hosts: OAuthHosts,
  app: App,
  wire: Wire,
  now: () => number,
  scopes: readonly string[],
  { extra = {}, pkce = false }: FlowOptions = {},
): Omit<SignIn, "identify"> {
  return {
    scopes,
    authorizeUrl: (redirectUri, state, challenge) =>
      address(hosts.authorize, {
        response_type: "code",
        client_id: app.clientId,
        redirect_uri: redirectUri,
        state,
        scope: scopes.join(" "),
        ...extra,
        ...(pkce ? { code_challenge: challenge, code_challenge_method: "S256" } : {}),
      }),
    exchange: async (code, redirectUri, verifier) => {
      const answer = await ask(hosts, app, wire, {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        ...(pkce ? { code_verifier: verifier } : {}),
      });
      // An answer without `scope` grants every scope that was asked for (section 5.1).
      const granted = answer.scope?.split(/[\s,]+/) ?? [...scopes];
      return { tokens: toTokens(answer, now(), null), granted };
    },
  };
}

/** Renews access tokens that end `within` ms; returns null when that is not due or not possible. */
export function renewal(hosts: OAuthHosts, app: App, within: number): Auth["refresh"] {
  return async (wire, tokens, at, force) => {
    const isNear = tokens.accessExpiresAt !== null && tokens.accessExpiresAt - at < within;
    if (tokens.refresh === null || !(force || isNear)) return null;
    const form = { grant_type: "refresh_token", refresh_token: tokens.refresh };
    return toTokens(await ask(hosts, app, wire, form), at, tokens);
  };
}

function ask(
  hosts: OAuthHosts,
  app: App,
  wire: Wire,
  form: Record<string, string>,
): Promise<z.output<typeof TokenAnswer>> {
  return wire.read({
    method: "POST",
    url: hosts.token,
    form: { ...form, client_id: app.clientId, client_secret: app.clientSecret },
  }, TokenAnswer);
}

/** A renewal that names no refresh token, or no end of it, leaves the earlier one valid. */
function toTokens(answer: z.output<typeof TokenAnswer>, at: number, before: Tokens | null): Tokens {
  const { refresh_token: refresh, refresh_token_expires_in: seconds } = answer;
  return {
    access: answer.access_token,
    issuedAt: at,
    accessExpiresAt: at + answer.expires_in * SECOND,
    refresh: refresh || (before?.refresh ?? null),
    refreshExpiresAt: seconds === undefined
      ? before?.refreshExpiresAt ?? null
      : at + seconds * SECOND,
  };
}
