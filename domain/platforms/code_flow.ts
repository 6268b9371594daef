/** OAuth's code and renewal as the standard has them (RFC 6749, sections 4.1, 5.1 and 6). */
import { z } from "zod";
import { SECOND } from "../calendar.ts";
import type { Tokens } from "../social.ts";
import type { App, Connector, SignIn } from "./platform.ts";
import { address, type Wire } from "./wire.ts";

/** A platform's two addresses for it. */
export interface OAuthHosts {
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

/** @param extra what the platform wants in the authorization address beside the standard's fields */
export function codeFlow(
  hosts: OAuthHosts,
  app: App,
  wire: Wire,
  now: () => number,
  scopes: readonly string[],
  extra: Record<string, string> = {},
): Omit<SignIn, "identify"> {
  return {
    scopes,
    authorizeUrl: (redirectUri, state) =>
      address(hosts.authorize, {
        response_type: "code",
        client_id: app.clientId,
        redirect_uri: redirectUri,
        state,
        scope: scopes.join(" "),
        ...extra,
      }),
    exchange: async (code, redirectUri) => {
      const answer = await ask(hosts, app, wire, {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
      });
      // Without a word on scopes all that was asked for is granted (section 5.1).
      const granted = answer.scope?.split(/[\s,]+/) ?? [...scopes];
      return { tokens: toTokens(answer, now(), null), granted };
    },
  };
}

/** Renews tokens whose access ends `within` ms; null where there is no need or no way. */
export function renewal(hosts: OAuthHosts, app: App, within: number): Connector["refresh"] {
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

/** What a renewal leaves out goes on as it was: a refresh token, and the end of its life. */
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
