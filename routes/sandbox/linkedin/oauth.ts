/** LinkedIn's OAuth, and the person and organizations of a token (PLATFORMS B.2). */
import { SECOND } from "../../../domain/foundation/calendar.ts";
import {
  isMember,
  requireAccount,
  type SandboxAccount,
} from "../../../domain/platforms/sandbox/accounts.ts";
import { personId } from "../../../domain/platforms/sandbox/ids.ts";
import { issueToken, readToken, spendCode } from "../../../domain/platforms/sandbox/tokens.ts";
import type { Service } from "../../../domain/service/service.ts";
import { avatarUrl, json } from "../wire.ts";
import { requireToken, type RestCall } from "./call.ts";
import { accessDenied, badQuery, deadRefreshToken, notFound, oauthError } from "./errors.ts";
import { wholeNumber } from "./restli.ts";

/** `POST www.linkedin.com/oauth/v2/accessToken`: exchanges a code or renews a token. */
export async function accessToken(service: Service, form: URLSearchParams): Promise<Response> {
  for (const name of ["grant_type", "client_id", "client_secret"]) {
    if (!form.get(name)) {
      throw oauthError(400, "invalid_request", `A required parameter "${name}" is missing`);
    }
  }
  switch (form.get("grant_type")) {
    case "authorization_code":
      return await exchangeCode(service, form);
    case "refresh_token":
      return await refresh(service, form.get("refresh_token") ?? "");
    default:
      throw oauthError(400, "unsupported_grant_type", "The grant type is not supported");
  }
}

async function exchangeCode({ kv, now }: Service, form: URLSearchParams): Promise<Response> {
  const code = await spendCode(kv, now, "linkedin", form.get("code") ?? "");
  if (code === null || code.redirectUri !== form.get("redirect_uri")) {
    throw oauthError(
      400,
      "invalid_request",
      "Unable to retrieve access token: appid/redirect uri/code verifier does not match " +
        "authorization code. Or authorization code expired.",
    );
  }
  if (code.clientId !== form.get("client_id")) {
    throw oauthError(401, "invalid_client", "Client authentication failed");
  }
  const account = await requireAccount(kv, "linkedin", code.number);
  const { scopes } = code;
  const access = await issueToken(kv, now, account, { kind: "access", scopes });
  const renewing = await issueToken(kv, now, account, { kind: "refresh", scopes });
  return json({
    access_token: access.token,
    expires_in: access.expiresIn,
    refresh_token: renewing.token,
    refresh_token_expires_in: renewing.expiresIn,
    scope: scopes.join(","),
    token_type: "Bearer",
  });
}

/** Issues a new access token. The refresh token stays the same, and so does its end. */
async function refresh({ kv, now }: Service, token: string): Promise<Response> {
  const record = await readToken(kv, "linkedin", token);
  if (record?.kind !== "refresh" || record.expiresAt <= now()) throw deadRefreshToken();
  const account = await requireAccount(kv, "linkedin", record.number);
  const access = await issueToken(kv, now, account, { kind: "access", scopes: record.scopes });
  return json({
    access_token: access.token,
    expires_in: access.expiresIn,
    refresh_token: token,
    refresh_token_expires_in: Math.floor((record.expiresAt - now()) / SECOND),
    scope: record.scopes.join(","),
    token_type: "Bearer",
  });
}

/** `GET api.linkedin.com/v2/userinfo`: the person who consented. */
export async function userInfo(service: Service, request: Request): Promise<Response> {
  const { record, account } = await requireToken(service, request);
  if (!record.scopes.includes("openid") || !record.scopes.includes("profile")) {
    throw accessDenied("userinfo.GET");
  }
  const name = isMember(account) ? account.handle : `Administrator of ${account.handle}`;
  return json({
    sub: personId(account),
    name,
    given_name: name.split(" ")[0],
    family_name: name.split(" ").slice(1).join(" "),
    picture: avatarUrl(service, account),
    locale: { country: "US", language: "en" },
  });
}

/**
 * `GET /rest/organizationAcls?q=roleAssignee`: the organizations that the person administers, in
 * pages; the handle's own comes last.
 */
export function organizationAcls({ account, record, query }: RestCall): Response {
  if (!record.scopes.includes("rw_organization_admin")) {
    if (!isMember(account)) throw accessDenied("organizationAcls.FINDER-roleAssignee");
  }
  const start = wholeNumber(query, "start", 0);
  const count = wholeNumber(query, "count", 10);
  if (count < 1 || count > MAX_ACLS) throw badQuery(`count must be between 1 and ${MAX_ACLS}`);
  const all = isMember(account) ? [] : [...sisterPages(account), account.number];
  const elements = all.slice(start, start + count).map((number) => ({
    role: "ADMINISTRATOR",
    state: "APPROVED",
    roleAssignee: `urn:li:person:${personId(account)}`,
    organization: `urn:li:organization:${number}`,
    organizationTarget: `urn:li:organization:${number}`,
  }));
  const next = `/rest/organizationAcls?q=roleAssignee&start=${start + count}&count=${count}`;
  const links = start + count < all.length
    ? [{ rel: "next", type: "application/json", href: next }]
    : [];
  return json({ paging: { start, count, links }, elements });
}

/** `GET /rest/organizations/{id}` */
export function organization({ account }: RestCall, id: string): Response {
  const sister = sisterPages(account).indexOf(Number(id)) + 1;
  if (isMember(account) || (sister === 0 && id !== String(account.number))) throw notFound(id);
  const name = sister === 0 ? account.handle : `${account.handle} ${sister}`;
  return json({
    id: Number(id),
    localizedName: name,
    vanityName: vanityOf(name),
    name: { localized: { en_US: name } },
  });
}

/** Pages without posts that the administrator of a handle like `group-of-120` has beside it. */
function sisterPages({ handle, number }: SandboxAccount): number[] {
  const pages = Math.min(MAX_PAGES, Number(/-of-(\d{1,4})$/.exec(handle)?.[1] ?? 1));
  return Array.from({ length: Math.max(0, pages - 1) }, (_, at) => number + SISTER * (at + 1));
}

/** Beyond the ten digits of an account's own number. */
const SISTER = 10_000_000_000;
const MAX_PAGES = 500;
const MAX_ACLS = 100;

const vanityOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
