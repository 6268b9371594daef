/** Connects Instagram accounts by either of Meta's logins (PLATFORMS A.2). */
import { z } from "zod";
import { SECOND } from "../../../foundation/calendar.ts";
import type { Tokens } from "../../accounts.ts";
import type { App, Grant, SignIn } from "../../contract/platform.ts";
import { address, PlatformError, type Wire } from "../../contract/wire.ts";
import type { InstagramHosts } from "./hosts.ts";

const SCOPES = {
  instagram: [
    "instagram_business_basic",
    "instagram_business_manage_insights",
    "instagram_business_content_publish",
  ],
  facebook: [
    "instagram_basic",
    "instagram_manage_insights",
    "instagram_content_publish",
    "pages_show_list",
    "pages_read_engagement",
  ],
} as const;

const Long = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() });
const Short = z.object({
  access_token: z.string().min(1),
  permissions: z.union([z.string(), z.array(z.string())]).optional(),
});
/** The documents show a list, and the service sends a plain object; both are read. */
const ShortAnswer = z.union([
  Short,
  z.object({ data: z.tuple([Short], Short) }).transform(({ data: [first] }) => first),
]);
const Me = z.object({ user_id: z.union([z.string(), z.number()]), username: z.string() });
const Pages = z.object({
  data: z.array(z.object({
    instagram_business_account: z.object({ id: z.string(), username: z.string() }).optional(),
  })),
  paging: z.object({
    cursors: z.object({ after: z.string().optional() }).optional(),
    next: z.string().optional(),
  }).optional(),
});
const Permissions = z.object({
  data: z.array(z.object({ permission: z.string(), status: z.string() })),
});

export function instagramSignIn(
  hosts: InstagramHosts,
  app: App,
  wire: Wire,
  now: () => number,
): SignIn {
  return {
    scopes: SCOPES[hosts.family],
    authorizeUrl: (redirectUri, state) =>
      address(hosts.authorize, {
        client_id: app.clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: SCOPES[hosts.family].join(","),
        state,
      }),
    exchange: (code, redirectUri) =>
      hosts.family === "instagram"
        ? exchangeInstagram(hosts, app, wire, now(), code, redirectUri)
        : exchangeFacebook(hosts, app, wire, now(), code, redirectUri),
    identify: (tokens) =>
      hosts.family === "instagram"
        ? identifyInstagram(hosts, wire, tokens)
        : identifyFacebook(hosts, wire, tokens),
  };
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function longLived(answer: z.output<typeof Long>, at: number): Tokens {
  const { access_token: access, expires_in: seconds } = answer;
  const accessExpiresAt = seconds === undefined ? null : at + seconds * SECOND;
  return { access, issuedAt: at, accessExpiresAt, refresh: null, refreshExpiresAt: null };
}

/** Renews a long-lived token; null for the Facebook login, which has no renewal. */
export async function renewInstagram(
  hosts: InstagramHosts,
  wire: Wire,
  token: string,
  at: number,
): Promise<Tokens | null> {
  if (hosts.family === "facebook") return null;
  const edge = `${hosts.root}/refresh_access_token`;
  return longLived(await grantOf(wire, edge, { grant_type: "ig_refresh_token" }, token), at);
}

/**
 * The documents put the token into the address, where logs of calls would show it. So it is sent as a
 * header first, and in the address only when that is refused.
 */
async function grantOf(
  wire: Wire,
  edge: string,
  query: Record<string, string>,
  token: string,
): Promise<z.output<typeof Long>> {
  try {
    return await wire.read({ url: address(edge, query), headers: bearer(token) }, Long);
  } catch (error) {
    const refused = error instanceof PlatformError &&
      (error.fault === "tokenDead" || error.fault === "badRequest");
    if (!refused) throw error;
    return await wire.read({ url: address(edge, { ...query, access_token: token }) }, Long);
  }
}

async function exchangeInstagram(
  hosts: InstagramHosts,
  app: App,
  wire: Wire,
  at: number,
  code: string,
  redirectUri: string,
) {
  const form = {
    client_id: app.clientId,
    client_secret: app.clientSecret,
    grant_type: "authorization_code",
    redirect_uri: redirectUri,
    code,
  };
  const short = await wire.read({ method: "POST", url: hosts.exchange, form }, ShortAnswer);
  const query = { grant_type: "ig_exchange_token", client_secret: app.clientSecret };
  const long = await grantOf(wire, `${hosts.root}/access_token`, query, short.access_token);
  const { permissions = [] } = short;
  const granted = typeof permissions === "string" ? permissions.split(",") : permissions;
  return { tokens: longLived(long, at), granted: granted.map((scope) => scope.trim()) };
}

async function exchangeFacebook(
  hosts: InstagramHosts,
  app: App,
  wire: Wire,
  at: number,
  code: string,
  redirectUri: string,
) {
  const own = { client_id: app.clientId, client_secret: app.clientSecret };
  const short = await facebookGrant(hosts, wire, { ...own, redirect_uri: redirectUri, code });
  const long = await facebookGrant(hosts, wire, {
    ...own,
    grant_type: "fb_exchange_token",
    fb_exchange_token: short.access_token,
  });
  const tokens = longLived(long, at);
  const url = `${hosts.graph}/me/permissions`;
  const { data } = await wire.read({ url, headers: bearer(tokens.access) }, Permissions);
  const granted = data.filter(({ status }) => status === "granted");
  return { tokens, granted: granted.map(({ permission }) => permission) };
}

/**
 * The documents show a GET with the app's secret in the address. So it is sent as a form first, and as
 * a GET only when Graph has no such POST, which it reports like a missing object.
 */
async function facebookGrant(
  { exchange: url }: InstagramHosts,
  wire: Wire,
  form: Record<string, string>,
): Promise<z.output<typeof Long>> {
  try {
    return await wire.read({ method: "POST", url, form }, Long);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.fault !== "unmeasurable") throw error;
    return await wire.read({ url: address(url, form) }, Long);
  }
}

async function identifyInstagram(
  hosts: InstagramHosts,
  wire: Wire,
  tokens: Tokens,
): Promise<Grant[]> {
  const fields = "id,user_id,username,name,account_type,profile_picture_url";
  const url = address(`${hosts.graph}/me`, { fields });
  const me = await wire.read({ url, headers: bearer(tokens.access) }, Me);
  return [grant(String(me.user_id), me.username, tokens)];
}

async function identifyFacebook(
  hosts: InstagramHosts,
  wire: Wire,
  tokens: Tokens,
): Promise<Grant[]> {
  // The documents' example also asks for Page tokens; the person's own token is enough.
  const fields = "instagram_business_account{id,username}";
  const grants: Grant[] = [];
  let after: string | null = null;
  do {
    const url: string = address(`${hosts.graph}/me/accounts`, { fields, after });
    const page: z.output<typeof Pages> = await wire.read(
      { url, headers: bearer(tokens.access) },
      Pages,
    );
    for (const { instagram_business_account: account } of page.data) {
      if (account !== undefined) grants.push(grant(account.id, account.username, tokens));
    }
    after = page.paging?.next === undefined ? null : page.paging.cursors?.after ?? null;
  } while (after !== null);
  if (grants.length > 0) return grants;
  throw new PlatformError(
    "permission",
    "None of these Facebook Pages is linked to a professional Instagram account. Link one first.",
  );
}

function grant(externalId: string, handle: string, tokens: Tokens): Grant {
  return {
    identity: { platform: "instagram", kind: "professional", handle, externalId },
    tokens,
  };
}
